import type { EntityManager } from 'typeorm';
import type { RunEntity } from '../entities/run.entity.js';

/**
 * So many pages are not taken to be gone, or to say something else, because of one crawl, which may have met a server on
 * a bad day.
 */
export const MANY_PAGES = 10;
/** One page in so many that was answered like others is a matter of the server and not of the pages. */
const SHARE_OF_ALIKE = 4;
/** What the reasons begin with that are noted of pages that were answered alike. */
const ALIKE = 'ALIKE ';

/** What is noted of a page that serves and was answered like others. @param answer what tells such answers apart */
export function alikeReason(answer: string): string {
  return `${ALIKE}${answer}`;
}

/** Whether that was noted of a page. */
export function isAlike(reason: string | null): boolean {
  return reason?.startsWith(ALIKE) ?? false;
}

/** SQL: whether that was noted of a page. @param url alias of `crawl_urls` */
export function isAlikeSql(url: string): string {
  return `${url}.reason LIKE '${ALIKE}%'`;
}

/**
 * Puts back into the frontier the pages of which a run has noted that they were answered like others, unless these are
 * many and a large part of those that serve. What was noted of them stays, so that they are believed.
 *
 * @returns how many
 */
export async function believeFewAlike(manager: EntityManager, run: RunEntity): Promise<number> {
  const [, reopened] = await manager.query<[unknown[], number]>(
    `WITH alike AS (
       SELECT url FROM crawl_urls c WHERE site_id = $1 AND settled_in = $2 AND kind = 'page' AND ${isAlikeSql('c')})
     UPDATE crawl_urls c SET settled_in = NULL, attempts = 0, not_before = NULL
      WHERE site_id = $1 AND kind = 'page' AND url IN (SELECT url FROM alike)
        AND (SELECT count(*) FROM alike) < greatest($3, (
          SELECT count(*) FROM datasources
           WHERE group_id = $1 AND serving_run_id IS NOT NULL AND deleted_at IS NULL) / $4)`,
    [run.datasourceId, run.id, MANY_PAGES, SHARE_OF_ALIKE],
  );
  return reopened;
}
