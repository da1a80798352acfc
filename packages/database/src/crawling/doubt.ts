import type { EntityManager } from 'typeorm';
import type { RunEntity } from '../runs/run.entity.js';

/**
 * So many pages, and one of so many of a site, are not taken to be gone, or to say something else, because of one crawl,
 * which may have met a server on a bad day.
 */
const MANY_PAGES = 10;
const LARGE_SHARE = 4;
/** What has lasted for so long is no bad moment any more, and believed. */
export const BELIEVED_AFTER_MS = 60 * 60_000;

/** The least number of pages, of so many, that one crawl is not believed about. */
export function leastOfMany(all: number): number {
  return Math.max(MANY_PAGES, Math.ceil(all / LARGE_SHARE));
}

/** SQL for since when a URL `c` of `crawl_urls` has been answered the same. @param answer expression for the answer now */
export function answeredSinceSql(answer: string): string {
  return `CASE WHEN ${answer} IS NULL THEN NULL WHEN c.answer = ${answer} THEN c.answered_since ELSE now() END`;
}

/**
 * Puts back into the frontier the pages that a run has left as they are because they were answered like others, unless
 * these are many and a large part of those that serve; then it believes what it is told.
 *
 * @returns how many
 */
export async function believeFewAlike(manager: EntityManager, run: RunEntity): Promise<number> {
  const [{ serving } = { serving: 0 }] = await manager.query<{ serving: number }[]>(
    `SELECT count(*)::int AS serving FROM datasources
      WHERE organization_id = $1 AND group_id = $2 AND serving_run_id IS NOT NULL AND deleted_at IS NULL`,
    [run.organizationId, run.datasourceId],
  );
  const [, reopened] = await manager.query<[unknown[], number]>(
    `WITH alike AS (
       SELECT url FROM crawl_urls
        WHERE site_id = $1 AND settled_in = $2 AND kind = 'page' AND outcome = 'failed' AND answer IS NOT NULL
          AND believed_in IS DISTINCT FROM $2)
     UPDATE crawl_urls c SET settled_in = NULL, attempts = 0, not_before = NULL, believed_in = $2
      WHERE site_id = $1 AND kind = 'page' AND url IN (SELECT url FROM alike)
        AND (SELECT count(*) FROM alike) < $3`,
    [run.datasourceId, run.id, leastOfMany(serving)],
  );
  return reopened;
}
