import type { DatasourceError } from '@citewell/contracts/schemas';
import type { WrittenBlob } from '../../content/blobs/blob.repository.js';
import type { PageContent } from '../runs/page-content.js';
import type { RunEntity, Validators, CrawlKind, CrawlUrlEntity } from '../../schema/ingestion.entities.js';

/** A URL that a crawl discovered, normalized. */
export interface FoundUrl extends Readonly<Pick<CrawlUrlEntity, 'url' | 'kind' | 'origin' | 'depth'>> {
  /** Redirects that were followed to it. Default 0. */
  readonly hops?: number;
}

/** A URL of the frontier that is due, with the page that it is already. */
export interface FrontierUrl extends Pick<
  CrawlUrlEntity,
  'url' | 'kind' | 'origin' | 'depth' | 'hops' | 'attempts' | 'hasOutlinks'
> {
  /** The page's datasource, unless it was deleted. */
  readonly pageId: string | null;
  /** The content that answers; null when none does. */
  readonly serving: ServingPage | null;
}

/** The serving run of a page, with the SHA-256 of the body that it parsed. */
export type ServingPage = Readonly<
  Pick<RunEntity, 'validators' | 'contentKey' | 'contentType' | 'textHash' | 'fingerprint'>
> & { readonly sha256: string | null };

/** The page has other bytes with the same text: they replace the stored body, so that its links are up to date. */
export interface RenewedBody {
  readonly blob: WrittenBlob;
  readonly validators: Validators | null;
  readonly fingerprint: string;
}

/** What a URL turned out to be, and what was found on it. */
export type UrlOutcome = {
  readonly url: string;
  readonly pageId: string | null;
  readonly found: readonly FoundUrl[];
  /** Whether it has links to the site. Null keeps what is known. */
  readonly hasOutlinks: boolean | null;
} & (
  | { readonly outcome: 'page'; readonly content: PageContent; readonly textHash: string }
  /** @param textHash null keeps the one that is known */
  | {
      readonly outcome: 'unchanged';
      readonly textHash: string | null;
      readonly renewed: RenewedBody | null;
    }
  /** @param target null when it leads away from the site */
  | { readonly outcome: 'redirect'; readonly target: string | null }
  /** @param body kept until the crawl finishes, in case that the target does not become a page */
  | {
      readonly outcome: 'canonical' | 'duplicate';
      readonly target: string;
      readonly textHash: string;
      readonly body: WrittenBlob;
      readonly contentType: string;
    }
  | { readonly outcome: 'skipped'; readonly reason: string }
  /** @param isPage whether it is shown as a page that failed */
  | { readonly outcome: 'failed'; readonly error: DatasourceError; readonly isPage: boolean }
  | { readonly outcome: 'retry'; readonly kind: CrawlKind; readonly notBefore: Date }
  /** @param reason what is wrong with it; null when it was read to its end */
  | { readonly outcome: 'sitemap' | 'feed' | 'no-sitemap'; readonly reason: string | null }
);

/** The outcomes of one kind. */
export type OutcomeOf<Kind extends UrlOutcome['outcome']> = Extract<UrlOutcome, { outcome: Kind }>;
