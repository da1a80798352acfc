import type { EntityManager } from 'typeorm';
import { hydrateOne, queryRow, sql } from '../../connection/sql.js';
import { CrawlEntity } from '../../schema/ingestion.entities.js';

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
