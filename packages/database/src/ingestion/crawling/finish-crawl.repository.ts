import { createHash } from 'node:crypto';
import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';
import type { WrittenBlob } from '../../content/blobs/blob.repository.js';
import type {
  CrawlOutcome,
  CrawlUrlEntity,
  RunEntity,
  StageProgress,
} from '../../schema/ingestion.entities.js';
import { markFailed } from '../runs/datasource-status.js';
import type { GroupRunRepository } from '../runs/group-run.repository.js';
import type { LeaseHolder } from '../runs/lease.js';
import { deleteDatasources, endRuns, requestPurges, takeOutOfService } from '../runs/out-of-service.js';
import { underLease } from '../runs/leased-group.js';
import { addCounts } from './crawl-counts.js';
import { type UrlOutcome, writeOutcomes } from './outcome-writer.js';

/** A URL that names another one, and what that one is. */
export interface Pointer {
  readonly url: string;
  readonly outcome: 'redirect' | 'canonical' | 'duplicate';
  readonly target: string;
  /** Whether the URL is a page that answers. */
  readonly answers: boolean;
  readonly textHash: string | null;
  /** A page of this crawl with the same text; null when there is none. */
  readonly textOwner: string | null;
  /**
   * `page`: a page, or one that could not be fetched and goes on answering. `pointer`: it names another URL itself.
   * `failed`: it could not be fetched, and nothing of it answers. `unfetched`: this crawl has not fetched it. `none`: it
   * is not a page; of a duplicate, it does not have that text.
   */
  readonly targetState: 'page' | 'pointer' | 'failed' | 'unfetched' | 'none';
}

/** A page of the site that this crawl has not confirmed. */
export interface UnconfirmedPage {
  readonly url: string;
  readonly pageId: string;
  readonly answers: boolean;
  /** Whether this crawl has found its URL. */
  readonly isFound: boolean;
  /** Whether this crawl has classified it. */
  readonly isProcessed: boolean;
  /** Whether its request failed in this crawl, and is to be repeated. */
  readonly isRetried: boolean;
  /** What it turned out to be, in this crawl if `isProcessed`. */
  readonly outcome: CrawlOutcome | null;
  readonly reason: string | null;
  /** Another page of this crawl with the same text. */
  readonly sameTextUrl: string | null;
}

/** Something through which others are discovered, and that could not be read. */
export interface UnreadSource extends Readonly<Pick<CrawlUrlEntity, 'url' | 'kind' | 'origin'>> {
  readonly reason: string;
}

/** A reason why URLs are not pages, and one of them. */
export interface SkippedUrl {
  readonly reason: string;
  readonly url: string;
}

/** What finishing a crawl does. */
export interface CrawlEnd {
  /** Datasources of pages that are deleted. */
  readonly remove: readonly string[];
  /** Datasources of pages that stay listed as failed and stop answering. */
  readonly withdraw: readonly string[];
  /** For the user; null when the crawl is complete. */
  readonly warning: string | null;
}

/** A condition on `crawl_urls c`: the URL is not a page, or its page was deleted. */
const WITHOUT_PAGE = sql`NOT EXISTS (SELECT 1 FROM datasources d WHERE d.id = c.page_id AND d.deleted_at IS NULL)`;

const ANSWERS = sql`EXISTS (SELECT 1 FROM datasources d
  WHERE d.id = page_id AND d.deleted_at IS NULL AND d.serving_run_id IS NOT NULL)`;

/** A URL with the body that was kept of it. */
type KeptPage = WrittenBlob & {
  readonly url: string;
  readonly pageId: string | null;
  readonly contentType: string;
  readonly textHash: string;
  /** Whether the page answers with the same text. */
  readonly isUnchanged: boolean;
};

/** The end of a crawl: only here are pages removed. Writes throw LeaseLostError without the lease of the site's run. */
export class FinishCrawlRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly holder: LeaseHolder,
    private readonly groupRuns: Pick<GroupRunRepository, 'waitForPages'>,
  ) {}

  /** URLs that name another one, existing pages first, then by order of discovery. */
  async pointers(run: RunEntity): Promise<Pointer[]> {
    return queryRows<Pointer>(
      this.dataSource,
      sql`SELECT c.url, c.outcome, c.target, c.answers, c.text_hash AS "textHash",
                 (SELECT min(same.url) FROM crawl_urls same
                   WHERE same.site_id = c.site_id AND same.text_hash = c.text_hash AND same.kind = 'page'
                     AND same.processed_in = ${run.id} AND same.outcome = 'page') AS "textOwner",
                 CASE WHEN t.url IS NULL THEN 'none'
                      WHEN t.processed_in IS DISTINCT FROM ${run.id} THEN 'unfetched'
                      WHEN c.outcome = 'duplicate' AND (t.text_hash <> c.text_hash OR t.target IS NOT NULL) THEN 'none'
                      WHEN t.outcome = 'page' THEN 'page'
                      WHEN t.target IS NOT NULL THEN 'pointer'
                      WHEN t.outcome = 'failed' AND t.reason <> 'PAGE_GONE'
                      THEN CASE WHEN t.answers THEN 'page' ELSE 'failed' END
                      ELSE 'none' END AS "targetState"
            FROM (SELECT *, ${ANSWERS} AS answers FROM crawl_urls) c
            LEFT JOIN (SELECT *, ${ANSWERS} AS answers FROM crawl_urls) t
              ON t.site_id = c.site_id AND t.url = c.target AND t.kind = 'page'
           WHERE c.site_id = ${run.datasourceId} AND c.processed_in = ${run.id} AND c.kind = 'page'
             AND c.target IS NOT NULL AND c.outcome IN ('redirect', 'canonical', 'duplicate')
           ORDER BY c.answers DESC, c.position`,
    );
  }

  /**
   * Makes pages of URLs that were taken for canonical or duplicate ones, from their kept bodies. Those that answer with
   * the same text already are confirmed only.
   */
  async promote(run: RunEntity, urls: readonly string[]): Promise<void> {
    if (urls.length === 0) return;
    const keys = urls.map((url) => keptBodyKey(run, url));
    const kept = await queryRows<KeptPage>(
      this.dataSource,
      sql`SELECT c.url, c.page_id AS "pageId", c.content_type AS "contentType", c.text_hash AS "textHash",
                 EXISTS (SELECT 1 FROM datasources d JOIN runs r ON r.id = d.serving_run_id
                          WHERE d.id = c.page_id AND r.text_hash = c.text_hash) AS "isUnchanged",
                 b.key, b.bytes::int AS bytes, b.sha256
            FROM unnest(${urls}::text[], ${keys}::text[]) AS kept (url, key)
            JOIN crawl_urls c ON c.site_id = ${run.datasourceId} AND c.url = kept.url COLLATE "C" AND c.kind = 'page'
            JOIN blobs b ON b.key = kept.key
           WHERE c.processed_in = ${run.id} AND c.outcome IN ('canonical', 'duplicate')`,
    );
    const outcomes = kept.map(promoted);
    const pageIds = kept.map(({ pageId }) => pageId);
    await underLease(this.dataSource, this.holder, run, pageIds, async (crawl) => {
      const { pages = 0 } = await writeOutcomes(crawl, outcomes);
      const runIds = outcomes.flatMap((one) => (one.outcome === 'page' ? one.content.runId : []));
      await execute(
        crawl.manager,
        sql`UPDATE blobs SET datasource_id = r.datasource_id, run_id = r.id FROM runs r
             WHERE r.id = ANY(${runIds}) AND blobs.key = r.content_key`,
      );
      await addCounts(crawl.manager, run.id, { pages });
    });
  }

  /** Keys of the kept bodies that no page refers to. */
  async keptBodies({ organizationId, datasourceId, id }: RunEntity): Promise<string[]> {
    const rows = await queryRows<{ key: string }>(
      this.dataSource,
      sql`SELECT key FROM blobs
           WHERE organization_id = ${organizationId} AND datasource_id = ${datasourceId} AND run_id = ${id}`,
    );
    return rows.map(({ key }) => key);
  }

  /**
   * What this crawl could not read although others are discovered through it: a sitemap, a seed, or a page that had
   * links when it was read last, unless it is gone; in this order. Null when it has read everything.
   */
  async unreadSource(run: RunEntity): Promise<UnreadSource | null> {
    return queryRow<UnreadSource>(
      this.dataSource,
      sql`SELECT url, kind, origin, reason FROM crawl_urls
           WHERE site_id = ${run.datasourceId} AND processed_in = ${run.id} AND CASE kind
                 WHEN 'sitemap' THEN outcome <> 'skipped' AND reason IS NOT NULL
                 WHEN 'page' THEN outcome = 'failed' AND (origin = 'seed' OR has_outlinks AND reason <> 'PAGE_GONE') END
           ORDER BY kind DESC, origin = 'seed' DESC, position LIMIT 1`,
    );
  }

  /** Why URLs are not pages, the most frequent reason first, with a URL for each. */
  async skippedUrls(run: RunEntity): Promise<SkippedUrl[]> {
    return queryRows<SkippedUrl>(
      this.dataSource,
      sql`SELECT coalesce(reason, upper(outcome)) AS reason, min(url) AS url FROM crawl_urls
           WHERE site_id = ${run.datasourceId} AND processed_in = ${run.id} AND kind = 'page'
             AND outcome IN ('skipped', 'redirect')
           GROUP BY 1 ORDER BY count(*) DESC, 1`,
    );
  }

  /** How many pages of the site answered before this crawl and still do. */
  async answeringPages(run: RunEntity): Promise<number> {
    const row = await queryRow<{ pages: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS pages FROM datasources
           WHERE organization_id = ${run.organizationId} AND group_id = ${run.datasourceId}
             AND deleted_at IS NULL AND serving_run_id IS NOT NULL AND created_at < ${run.createdAt}`,
    );
    return row?.pages ?? 0;
  }

  /** URLs of the pages that this crawl has added. */
  async newPages(run: RunEntity): Promise<Set<string>> {
    const rows = await queryRows<{ url: string }>(
      this.dataSource,
      sql`SELECT c.url FROM crawl_urls c JOIN datasources d ON d.id = c.page_id AND d.deleted_at IS NULL
           WHERE c.site_id = ${run.datasourceId} AND c.processed_in = ${run.id} AND c.outcome = 'page'
             AND d.created_at >= ${run.createdAt}`,
    );
    return new Set(rows.map(({ url }) => url));
  }

  /** Pages of the site that this crawl has not found to be pages. */
  async unconfirmedPages(run: RunEntity): Promise<UnconfirmedPage[]> {
    return queryRows<UnconfirmedPage>(
      this.dataSource,
      sql`SELECT c.url, c.page_id AS "pageId", d.serving_run_id IS NOT NULL AS answers, c.outcome, c.reason,
                 c.found_in = ${run.id} AS "isFound", c.processed_in IS NOT DISTINCT FROM ${run.id} AS "isProcessed",
                 c.found_in = ${run.id} AND c.processed_in IS DISTINCT FROM ${run.id} AND c.attempts > 0 AS "isRetried",
                 (SELECT min(same.url) FROM crawl_urls same
                   WHERE same.site_id = c.site_id AND same.text_hash = c.text_hash AND same.url <> c.url
                     AND same.processed_in = ${run.id} AND same.outcome = 'page') AS "sameTextUrl"
            FROM crawl_urls c JOIN datasources d ON d.id = c.page_id AND d.deleted_at IS NULL
           WHERE c.site_id = ${run.datasourceId} AND c.kind = 'page'
             AND (c.processed_in IS DISTINCT FROM ${run.id} OR c.outcome <> 'page')
           ORDER BY c.position`,
    );
  }

  /** Removes pages and ends the crawl; the site then waits for its pages. */
  async finish(run: RunEntity, end: CrawlEnd, progress: StageProgress): Promise<void> {
    const { remove, withdraw, warning } = end;
    const { organizationId, datasourceId: siteId } = run;
    const pageIds = [...remove, ...withdraw];
    await underLease(this.dataSource, this.holder, run, pageIds, async ({ manager, living }) => {
      await deleteDatasources(manager, organizationId, sql`id = ANY(${remove})`);
      const withdrawn = withdraw.filter((id) => living.has(id));
      await endRuns(manager, organizationId, withdrawn);
      for (const id of withdrawn) {
        await takeOutOfService(manager, organizationId, id);
        await markFailed(manager, id, datasourceErrorOf('PAGE_GONE'));
      }
      await requestPurges(manager, organizationId, 'runs', withdrawn);
      await execute(
        manager,
        sql`DELETE FROM crawl_urls c WHERE site_id = ${siteId} AND found_in <> ${run.id} AND ${WITHOUT_PAGE}`,
      );
      // As if it had never been a page. Its outcome stays, because users can list it.
      await execute(
        manager,
        sql`UPDATE crawl_urls c SET page_id = NULL, text_hash = NULL, has_outlinks = false
             WHERE site_id = ${siteId} AND page_id IS NOT NULL AND ${WITHOUT_PAGE}`,
      );
      await execute(manager, sql`UPDATE crawls SET finished_at = now() WHERE run_id = ${run.id}`);
      await this.groupRuns.waitForPages(run, progress, warning, manager);
    });
  }
}

/** Where the body of a canonical or duplicate page is kept during a crawl. @param run the site's */
export function keptBodyKey(
  { organizationId, datasourceId, id }: Pick<RunEntity, 'organizationId' | 'datasourceId' | 'id'>,
  url: string,
): string {
  const name = createHash('sha256').update(url).digest('hex');
  return `${organizationId}/${datasourceId}/${id}/kept-${name}`;
}

/** The page that a kept body makes. Its links were followed when it was fetched. */
function promoted({ url, pageId, contentType, textHash, isUnchanged, ...fetched }: KeptPage): UrlOutcome {
  const outcome = { url, pageId, found: [], hasOutlinks: null };
  if (isUnchanged) return { ...outcome, outcome: 'unchanged', textHash, renewed: null };
  const ids = { datasourceId: pageId ?? newId(), runId: newId() };
  const content = { ...ids, fetched, contentType, validators: null, document: null };
  return { ...outcome, outcome: 'page', textHash, content };
}
