import { type DataSource, IsNull, Not } from 'typeorm';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';
import { CrawlEntity, type RunEntity } from '../../schema/ingestion.entities.js';
import type { LeaseHolder } from '../runs/lease.js';
import { enqueueUrls } from './enqueue-urls.js';
import { underLease } from '../runs/leased-group.js';
import { addCounts } from './crawl-counts.js';
import { type FoundUrl, type FrontierUrl, type UrlOutcome, writeOutcomes } from './outcome-writer.js';

/** What begins a crawl. */
export interface NewCrawl {
  /** Copied, so that changes take effect with the next crawl. */
  readonly config: Record<string, unknown>;
  readonly seeds: readonly FoundUrl[];
  readonly maxPages: number;
}

/**
 * The frontier of web sites' crawls. It lives in Postgres only, so a crawl that was killed goes on where it was, and
 * what a batch costs does not depend on how many URLs were found. Every write is made under the lease of the site's run,
 * and throws LeaseLostError without it.
 */
export class CrawlRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly holder: LeaseHolder,
  ) {}

  /** The crawl of a run; null before it has begun. */
  async find(run: RunEntity): Promise<CrawlEntity | null> {
    return this.dataSource.getRepository(CrawlEntity).findOneBy({ runId: run.id });
  }

  /** The last crawl of the same site that was finished before this run; null when there is none. */
  async previous(run: RunEntity): Promise<CrawlEntity | null> {
    return this.dataSource
      .getRepository(CrawlEntity)
      .createQueryBuilder('crawl')
      .where({ siteId: run.datasourceId, runId: Not(run.id), finishedAt: Not(IsNull()) })
      .orderBy('crawl.created_at', 'DESC')
      .getOne();
  }

  async begin(run: RunEntity, { config, seeds, maxPages }: NewCrawl): Promise<CrawlEntity> {
    return underLease(this.dataSource, this.holder, run, [], async ({ manager }) => {
      await queryRows(
        manager,
        sql`INSERT INTO crawls (run_id, organization_id, site_id, config)
            VALUES (${run.id}, ${run.organizationId}, ${run.datasourceId}, ${JSON.stringify(config)}::jsonb)`,
      );
      return addCounts(manager, run.id, await enqueueUrls(manager, run, seeds, maxPages));
    });
  }

  /** Adds URLs to the frontier; see {@link enqueueUrls}. */
  async enqueue(run: RunEntity, urls: readonly FoundUrl[], maxPages: number): Promise<void> {
    await underLease(this.dataSource, this.holder, run, [], async ({ manager }) =>
      addCounts(manager, run.id, await enqueueUrls(manager, run, urls, maxPages)),
    );
  }

  /**
   * Adds the pages of earlier crawls that this one has not found, if everything that it has read in place of a sitemap
   * is a feed: a feed lists the latest pages only.
   */
  async enqueueUnlistedPages(run: RunEntity): Promise<void> {
    await underLease(this.dataSource, this.holder, run, [], async ({ manager }) => {
      const added = await execute(
        manager,
        sql`UPDATE crawl_urls c SET found_in = ${run.id}, origin = 'reference', attempts = 0, not_before = NULL
          WHERE site_id = ${run.datasourceId} AND kind = 'page' AND found_in <> ${run.id} AND EXISTS (
                SELECT 1 FROM datasources d WHERE d.id = c.page_id AND d.deleted_at IS NULL)
            AND (SELECT bool_and(outcome = 'feed') FROM crawl_urls list
                  WHERE list.site_id = ${run.datasourceId} AND list.kind = 'sitemap'
                    AND list.processed_in = ${run.id} AND list.outcome IN ('sitemap', 'feed'))`,
      );
      await addCounts(manager, run.id, { urls: added, found: added });
    });
  }

  /**
   * URLs that are due: sitemaps; when all of them have been read, pages by depth, those of earlier crawls before new
   * ones, by order of discovery.
   *
   * @param except URLs that are being fetched
   */
  async nextBatch(run: RunEntity, limit: number, except: readonly string[]): Promise<FrontierUrl[]> {
    return queryRows<FrontierUrl>(
      this.dataSource,
      sql`SELECT c.url, c.kind, c.origin, c.depth, c.hops, c.attempts, c.has_outlinks AS "hasOutlinks",
                 d.id AS "pageId",
                 CASE WHEN r.id IS NOT NULL THEN jsonb_build_object(
                   'validators', r.validators, 'contentKey', r.content_key, 'sha256', b.sha256,
                   'contentType', r.content_type, 'textHash', r.text_hash, 'fingerprint', r.fingerprint) END AS serving
            FROM (SELECT * FROM crawl_urls
                   WHERE site_id = ${run.datasourceId} AND found_in = ${run.id}
                     AND processed_in IS DISTINCT FROM found_in
                     AND (not_before IS NULL OR not_before <= now()) AND url <> ALL(${except})
                     AND (kind = 'sitemap' OR NOT EXISTS (SELECT 1 FROM crawl_urls list
                           WHERE list.site_id = ${run.datasourceId} AND list.found_in = ${run.id}
                             AND list.kind = 'sitemap' AND list.processed_in IS DISTINCT FROM list.found_in))
                   ORDER BY kind DESC, depth, (page_id IS NULL), position LIMIT ${limit}) c
            LEFT JOIN datasources d ON d.id = c.page_id AND d.deleted_at IS NULL
            LEFT JOIN runs r ON r.id = d.serving_run_id
            LEFT JOIN blobs b ON b.key = r.content_key
           ORDER BY c.kind DESC, c.depth, (c.page_id IS NULL), c.position`,
    );
  }

  /** When the next URL is due, now or later: a sitemap, else a page. Null when no URL waits. */
  async nextDueAt(run: RunEntity): Promise<Date | null> {
    const row = await queryRow<{ due: Date | null }>(
      this.dataSource,
      sql`SELECT coalesce(min(coalesce(not_before, now())) FILTER (WHERE kind = 'sitemap'),
                        min(coalesce(not_before, now()))) AS due FROM crawl_urls
           WHERE site_id = ${run.datasourceId} AND found_in = ${run.id} AND processed_in IS DISTINCT FROM found_in`,
    );
    return row?.due ?? null;
  }

  /** The URL of the page that owns each text, by the text's hash: an existing page, else the first one of this crawl. */
  async textOwners(run: RunEntity, hashes: readonly string[]): Promise<Map<string, string>> {
    if (hashes.length === 0) return new Map();
    const rows = await queryRows<{ hash: string; url: string }>(
      this.dataSource,
      sql`SELECT DISTINCT ON (c.text_hash) c.text_hash AS hash, c.url
            FROM crawl_urls c JOIN datasources d ON d.id = c.page_id AND d.deleted_at IS NULL
           WHERE c.site_id = ${run.datasourceId} AND c.text_hash = ANY(${hashes}) AND c.kind = 'page'
             AND c.outcome IN ('page', 'failed') AND (d.serving_run_id IS NOT NULL OR c.processed_in = ${run.id})
           ORDER BY c.text_hash, d.created_at, c.position`,
    );
    return new Map(rows.map(({ hash, url }) => [hash, url]));
  }

  /**
   * Writes what URLs turned out to be, all or none, with what was found on them: pages become datasources with a run
   * of their own. Nothing is removed before the crawl finishes.
   *
   * @param truncated why pages are missing, see {@link addCounts}
   * @returns the crawl with its counters
   */
  async record(
    run: RunEntity,
    outcomes: readonly UrlOutcome[],
    maxPages: number,
    truncated: string | null = null,
  ): Promise<CrawlEntity> {
    const pageIds = outcomes.map(({ pageId }) => pageId);
    return underLease(this.dataSource, this.holder, run, pageIds, async (crawl) => {
      const counts = await writeOutcomes(crawl, outcomes);
      const found = outcomes.flatMap((outcome) => outcome.found);
      const enqueued = await enqueueUrls(crawl.manager, run, found, maxPages);
      return addCounts(crawl.manager, run.id, {
        ...counts,
        ...enqueued,
        truncated: enqueued.truncated ?? truncated,
      });
    });
  }
}
