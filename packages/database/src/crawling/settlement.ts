import type { DatasourceError } from '@citewell/contracts/http';
import type { CrawlKind } from './crawl-url.entity.js';
import type { Validators } from '../runs/run.entity.js';
import type { WrittenBlob } from '../blobs/blob.repository.js';
import type { FoundUrl } from './crawl.repository.js';

/** Reasons to leave out what says something itself, if only where to go on. */
export const POINTING = ['REFRESH', 'CANONICAL'] as const;

/** What a crawl decided about one URL, and what it found there. */
export type Settlement = {
  readonly url: string;
  /** The datasource that it is already. */
  readonly pageId: string | null;
  readonly found: readonly FoundUrl[];
  /** Whether it leads to anything of the site; null, or not given, leaves what was known. */
  readonly leadsOn?: boolean | null;
  /**
   * How near to the start it was when its links were followed; null, or not given, where that does not matter. One that
   * has come nearer meanwhile is looked at once more.
   */
  readonly followedAt?: number | null;
  /** Names what would take the place of what serves, or has taken it; null, or not given, where that is nothing. */
  readonly answer?: string | null;
  /** The URL that it stands for; of a page, what it points to although that is no page. */
  readonly target?: string | null;
} & (
  | {
      /** A page with new content: it becomes a datasource, or its datasource gets a run. */
      readonly kind: 'page';
      readonly content: PageContent;
    }
  | {
      /**
       * What serves goes on serving.
       *
       * @param contentHash SHA-256 of the bytes that are there, which may be others that say the same; null where they
       * say something else; not given, what was known
       */
      readonly kind: 'unchanged';
      readonly contentHash?: string | null;
      readonly renewed?: RenewedBytes;
    }
  | {
      /** No page of this site. One that was there is removed. @param reason e.g. `NOINDEX`; see {@link POINTING} */
      readonly kind: 'left-out';
      readonly reason: string;
    }
  | {
      /**
       * It should be a page and could not be fetched. What served before goes on, unless `isGone`.
       *
       * @param isPage whether a new one becomes a datasource, which says so; a start that only leads to others does not.
       * Default true
       */
      readonly kind: 'failed';
      readonly error: DatasourceError;
      readonly isGone: boolean;
      readonly isPage?: boolean;
    }
  | {
      /** It is tried once more in this crawl. */
      readonly kind: 'again';
      readonly of: CrawlKind;
      readonly notBefore: Date;
    }
  | {
      /**
       * A sitemap; it is no page.
       *
       * @param reason what was wrong with it
       * @param isFeed whether it lists the latest pages, and not all. Default false
       */
      readonly kind: 'read';
      readonly reason: string | null;
      readonly isFeed?: boolean;
    }
);

/** What became of settlements that were written down. */
export interface Settled {
  /** Keys of blobs that are not needed after all. */
  readonly unwanted: readonly string[];
  /** Pages that the crawl has not come to, and whose bytes it has found elsewhere: URLs, more than once where there are several. */
  readonly moved: readonly string[];
}

/** What is known of the bytes that serve, where they were sent again: the next sync asks whether it has changed since. */
export interface RenewedBytes {
  /** Of the blob that serves. */
  readonly key: string;
  readonly validators: Validators | null;
  /** Other bytes that say the same, which are under that key by now, and their run's fingerprint. */
  readonly others: { readonly blob: WrittenBlob; readonly fingerprint: string } | null;
}

/** A page's content, which is in the blob store under ids that are the page's and its run's from now on. */
export interface PageContent {
  readonly datasourceId: string;
  readonly runId: string;
  /** As they were fetched. */
  readonly fetched: WrittenBlob;
  readonly contentType: string;
  readonly validators: Validators | null;
  /** What was read from them; null where a parser has yet to do so. */
  readonly document: PageDocument | null;
}

export interface PageDocument {
  readonly blobs: readonly WrittenBlob[];
  /** UTF-16 units of text. */
  readonly characters: number;
  readonly textHash: string;
  readonly fingerprint: string;
}
