import type { DatasourceError } from '@citewell/contracts/schemas';
import { newId } from '../../connection/new-id.js';
import { execute, jsonOfRows, sql } from '../../connection/sql.js';
import { commitBlobs, type WrittenBlob } from '../../content/blobs/blob.repository.js';
import type { CrawlKind, CrawlUrlEntity, RunEntity, Validators } from '../../schema/ingestion.entities.js';
import { insertPages } from '../runs/datasource-rows.js';
import { markFailed, markPagesSynched, markUnsynched } from '../runs/datasource-status.js';
import { announceRun } from '../runs/dispatch.js';
import { endRuns, requestPurges } from '../runs/out-of-service.js';
import { type PageContent, startPageRuns } from '../runs/start-run.js';
import type { LeasedGroup } from '../runs/leased-group.js';
import type { CrawlCounts } from './crawl-counts.js';

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
  /** @param target null when it is outside of the site */
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

/** What is stored of a classified URL. Without `hasOutlinks` or `textHash`, the row keeps its own. */
type Classified = Pick<CrawlUrlEntity, 'url' | 'kind' | 'outcome' | 'pageId'> &
  Partial<Pick<CrawlUrlEntity, 'reason' | 'contentType' | 'target' | 'textHash'>> & {
    readonly hasOutlinks: boolean | null;
  };

/** Somebody deleted the page while it was fetched. */
const DELETED = { outcome: 'skipped', reason: 'DELETED', pageId: null } as const;

/** Writes outcomes inside one transaction, each step for all of them. @returns how many pages they are */
export async function writeOutcomes(
  crawl: LeasedGroup,
  outcomes: readonly UrlOutcome[],
): Promise<CrawlCounts> {
  const isDeleted = ({ pageId }: UrlOutcome): boolean => pageId !== null && !crawl.living.has(pageId);
  const present = outcomes.filter((one) => !isDeleted(one));
  const of = <Kind extends UrlOutcome['outcome']>(...kinds: Kind[]): OutcomeOf<Kind>[] =>
    present.filter((one): one is OutcomeOf<Kind> => kinds.some((kind) => kind === one.outcome));
  const [pages, unchanged, kept] = [of('page'), of('unchanged'), of('canonical', 'duplicate')];
  await writePages(crawl, pages);
  await writeUnchanged(crawl, unchanged);
  const bodies = kept.map(({ body }) => body);
  await commitBlobs(crawl.manager, crawl.run.organizationId, bodies);
  const failed = await writeFailed(crawl, of('failed'));
  const others = of('redirect', 'skipped', 'sitemap', 'feed', 'no-sitemap');
  const deleted = outcomes.filter(isDeleted).map((one) => ({ ...one, ...DELETED }));
  const rows = [...pages, ...unchanged, ...kept, ...failed, ...others, ...deleted].map(rowOf);
  await updateUrls(crawl, rows);
  await retryLater(crawl, of('retry'));
  const results = rows.filter(({ kind }) => kind === 'page').map(({ outcome }) => outcome);
  return {
    processed: results.length,
    pages: results.filter((outcome) => outcome === 'page').length,
    failed: results.filter((outcome) => outcome === 'failed').length,
  };
}

async function writePages(
  { manager, run, group: site }: LeasedGroup,
  pages: readonly OutcomeOf<'page'>[],
): Promise<void> {
  if (pages.length === 0) return;
  const contents = pages.map(({ content }) => content);
  const known = pages.flatMap(({ pageId }) => pageId ?? []);
  // What the unfinished runs of known pages work on is outdated.
  const ended = await endRuns(manager, run.organizationId, known);
  if (ended.length > 0) await requestPurges(manager, run.organizationId, 'runs', ended);
  await markUnsynched(manager, known);
  const added = pages.filter(({ pageId }) => pageId === null);
  const addedPages = added.map(({ url, content }) => ({ id: content.datasourceId, url }));
  await insertPages(manager, site, addedPages);
  await startPageRuns(manager, run, contents);
  const blobs = contents.flatMap(({ fetched, document }) => [fetched, ...(document?.blobs ?? [])]);
  await commitBlobs(manager, run.organizationId, blobs);
  await announceRun(manager);
}

async function writeUnchanged(
  { manager, run }: LeasedGroup,
  pages: readonly OutcomeOf<'unchanged'>[],
): Promise<void> {
  if (pages.length === 0) return;
  const pageIds = pages.map(({ pageId }) => pageId);
  const renewed = pages.flatMap((page) => page.renewed ?? []);
  const blobs = renewed.map(({ blob }) => blob);
  await commitBlobs(manager, run.organizationId, blobs);
  if (renewed.length > 0)
    await execute(
      manager,
      sql`UPDATE runs SET validators = renewed.validators, fingerprint = renewed.fingerprint
            FROM jsonb_to_recordset(${jsonOfRows(renewed)}::jsonb)
                   AS renewed (blob jsonb, validators jsonb, fingerprint text)
           WHERE runs.content_key = renewed.blob->>'key' AND runs.organization_id = ${run.organizationId}
             AND runs.datasource_id = ANY(${pageIds})`,
    );
  await markPagesSynched(manager, pageIds);
}

/** @returns the outcomes with the datasources of new pages */
async function writeFailed(
  { manager, group: site, living }: LeasedGroup,
  outcomes: readonly OutcomeOf<'failed'>[],
): Promise<OutcomeOf<'failed'>[]> {
  const failed = outcomes.map((one) => ({ ...one, pageId: one.pageId ?? (one.isPage ? newId() : null) }));
  const pages = failed.flatMap(({ pageId: id, url, error }) => (id === null ? [] : { id, url, error }));
  const added = pages.filter(({ id }) => !living.has(id));
  await insertPages(manager, site, added);
  // Whether a known page is gone is decided when the crawl finishes.
  const known = pages.filter(({ id, error }) => living.has(id) && error.code !== 'PAGE_GONE');
  for (const { id, error } of [...added, ...known]) await markFailed(manager, id, error);
  return failed;
}

async function updateUrls({ manager, run }: LeasedGroup, rows: readonly Classified[]): Promise<void> {
  // ANY makes Postgres look the rows up in the index, whatever its statistics are.
  await execute(
    manager,
    sql`UPDATE crawl_urls c SET processed_in = ${run.id}, outcome = row.outcome, reason = row.reason,
               content_type = row."contentType", target = row.target, page_id = row."pageId", not_before = NULL,
               has_outlinks = coalesce(row."hasOutlinks", c.has_outlinks),
               text_hash = coalesce(row."textHash", c.text_hash)
          FROM jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS row (url text, kind text, outcome text,
                 reason text, "contentType" text, target text, "pageId" uuid, "hasOutlinks" boolean, "textHash" text)
         WHERE c.site_id = ${run.datasourceId} AND c.kind = row.kind AND c.url = row.url COLLATE "C"
           AND c.url = ANY(${rows.map(({ url }) => url)})`,
  );
}

async function retryLater({ manager, run }: LeasedGroup, urls: readonly OutcomeOf<'retry'>[]): Promise<void> {
  for (const { url, kind, notBefore } of urls)
    await execute(
      manager,
      sql`UPDATE crawl_urls SET attempts = attempts + 1, not_before = ${notBefore}
           WHERE site_id = ${run.datasourceId} AND kind = ${kind} AND url = ${url}`,
    );
}

function rowOf(one: Exclude<UrlOutcome, { outcome: 'retry' }>): Classified {
  const { url, pageId, hasOutlinks } = one;
  const row = { url, kind: 'page' as const, pageId, hasOutlinks };
  switch (one.outcome) {
    case 'page':
      return { ...row, outcome: 'page', textHash: one.textHash, pageId: one.content.datasourceId };
    case 'unchanged':
      return { ...row, outcome: 'page', textHash: one.textHash };
    case 'redirect':
      return { ...row, outcome: 'redirect', target: one.target };
    case 'canonical':
    case 'duplicate':
      return {
        ...row,
        outcome: one.outcome,
        target: one.target,
        textHash: one.textHash,
        contentType: one.contentType,
      };
    case 'skipped':
      return { ...row, outcome: 'skipped', reason: one.reason };
    case 'failed':
      return { ...row, outcome: 'failed', reason: one.error.code };
    case 'sitemap':
    case 'feed':
      return { ...row, kind: 'sitemap', outcome: one.outcome, reason: one.reason };
    case 'no-sitemap':
      // The absence of a sitemap that nobody has named is no problem.
      if (one.reason === null) return { ...row, kind: 'sitemap', outcome: 'skipped' };
      return { ...row, kind: 'sitemap', outcome: 'failed', reason: one.reason };
  }
}
