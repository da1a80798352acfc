import type { DataSource, EntityManager } from 'typeorm';
import { hydrateOne, queryRow, sql } from '../../connection/sql.js';
import type { DatasourceEntity } from '../../schema/content.entities.js';
import { CrawlEntity, type RunEntity } from '../../schema/ingestion.entities.js';
import {
  assertLeased,
  type LeaseHolder,
  lockDatasourceOf,
  lockLivingPages,
  renewLocked,
} from '../runs/lease.js';

/** A transaction that changes a crawl, under the lease of the site's run. */
export interface LeasedCrawl {
  readonly manager: EntityManager;
  /** The site's. */
  readonly run: RunEntity;
  readonly site: DatasourceEntity;
  /** Datasources of pages that were asked for and are not deleted. They are locked. */
  readonly living: ReadonlySet<string>;
}

/**
 * Runs a transaction under the lease of a site's run, and extends the lease. It locks the site, then the pages, then the
 * run.
 *
 * @param pageIds datasources of pages that the transaction changes
 * @throws LeaseLostError
 */
export async function underLease<Result>(
  dataSource: DataSource,
  holder: LeaseHolder,
  run: RunEntity,
  pageIds: readonly (string | null)[],
  work: (crawl: LeasedCrawl) => Promise<Result>,
): Promise<Result> {
  return dataSource.transaction(async (manager) => {
    const site = await lockDatasourceOf(manager, run, 'SHARE');
    const ids = pageIds.filter((id) => id !== null);
    const living = await lockLivingPages(manager, ids);
    await assertLeased(manager, holder.owner, run);
    const result = await work({ manager, run, site, living });
    await renewLocked(manager, holder, run);
    return result;
  });
}

/** What a transaction adds to the counters of a crawl. */
export type CrawlCounts = Partial<
  Pick<CrawlEntity, 'urls' | 'found' | 'processed' | 'pages' | 'failed' | 'truncated'>
>;

/** Adds to the counters of a crawl. Of several limits that ended discovery, the user reads about the first. */
export async function addCounts(
  manager: EntityManager,
  runId: string,
  { urls = 0, found = 0, processed = 0, pages = 0, failed = 0, truncated = null }: CrawlCounts,
): Promise<CrawlEntity> {
  const row = await queryRow<Record<string, unknown>>(
    manager,
    sql`UPDATE crawls SET urls = urls + ${urls}, found = found + ${found}, processed = processed + ${processed},
               pages = pages + ${pages}, failed = failed + ${failed}, truncated = coalesce(truncated, ${truncated})
         WHERE run_id = ${runId} RETURNING *`,
  );
  const crawl = hydrateOne(manager.dataSource, CrawlEntity, row);
  if (crawl === null) throw new Error(`The crawl of run ${runId} has not begun`);
  return crawl;
}
