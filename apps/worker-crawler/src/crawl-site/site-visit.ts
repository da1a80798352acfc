import type { FrontierUrl, RunEntity, UrlOutcome } from '@citewell/database';
import type { ReserveLargeBody, SiteSession } from '../fetching/url-fetcher.js';
import type { NotFoundPages } from './not-found-pages.js';
import type { SiteConfig } from './site-config.js';

/** What all URLs of a crawl are visited with. */
export interface SiteVisit {
  readonly run: RunEntity;
  readonly site: SiteConfig;
  /** Whether the site has another configuration than in its crawl before: then unchanged pages are read again. */
  readonly isReconfigured: boolean;
  readonly session?: SiteSession;
  readonly notFoundPages?: NotFoundPages;
  readonly signal: AbortSignal;
}

/** A fetched URL that is not classified yet. Classifying may depend on others that were fetched at the same time. */
export interface VisitedUrl {
  readonly url: FrontierUrl;
  /** The hash of the page's text; null for anything else. */
  readonly textHash: string | null;
  /**
   * Classifies the URL and stores its body, if it has to be kept.
   *
   * @param textOwner the page that has the same text; null when there is none
   */
  conclude(textOwner: string | null): Promise<UrlOutcome>;
}

/** Visits the URLs of one kind. @throws HostBusyError, errors of engines, the signal's reason */
export interface UrlVisitor {
  visit(url: FrontierUrl, visit: SiteVisit, reserveLargeBody: ReserveLargeBody): Promise<VisitedUrl>;
}
