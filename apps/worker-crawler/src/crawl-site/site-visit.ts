import type { RunEntity } from '@citewell/database';
import type { BodyRoom } from './body-room.js';
import type { Seat } from './host-seats.js';
import type { LinkFilter } from './link-filter.js';
import type { Leads } from './page-leads.js';
import type { SiteConfig } from './site-config.js';

/** What the URLs of a site are looked at with. */
export interface SiteVisit {
  readonly run: RunEntity;
  readonly site: SiteConfig;
  readonly links: LinkFilter;
  /** Pages that turned out to stand for another one, and for which. */
  readonly pointers: Map<string, string>;
  /** Answers that pages got which serve something else, and the first of these pages, see `same-answer`. */
  readonly answers: Map<string, string>;
  readonly seat: Seat;
  readonly room: BodyRoom;
  readonly signal: AbortSignal;
}

/** The same, with what is found out of one page. */
export interface PageVisit extends SiteVisit {
  readonly leads: Leads;
  /** Whether something of the page serves, though it may be of another version and have to be read anew. */
  readonly serves: boolean;
  /** SHA-256 of the bytes that it was read from; null where that is not known. */
  readonly servedHash: string | null;
}
