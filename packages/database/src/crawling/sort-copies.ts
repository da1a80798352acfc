import type { EntityManager } from 'typeorm';
import type { RunEntity } from '../runs/run.entity.js';
import { copiesAmong, type SaidPage } from './copies.js';
import { isPageSql } from './crawl.repository.js';
import { deleteDatasources } from '../datasources/delete-datasources.js';
import { saysItsBytesSql } from './said-bytes.js';

type DecidedPage = SaidPage & { readonly pageId: string };

/**
 * SQL for a site's pages, as they are or, as long as a run has not come to them, were before it: the columns of
 * {@link SaidPage}, `pageId`, and `isDecided`, whether the run has come to it.
 *
 * @param site, run, begunAt expressions for the site, the run, and when that was made
 */
export function saidPagesSql(site: string, run: string, begunAt: string): string {
  // Nothing but pages has bytes. To say so would make Postgres read the whole site, as long as it has no statistics.
  return `SELECT c.url, c.content_hash AS hash, c.target, c.page_id AS "pageId", c.outcome = 'failed' AS "isFailing",
                 c.settled_in IS NOT DISTINCT FROM ${run} AS "isDecided",
                 CASE WHEN NOT EXISTS (SELECT 1 FROM datasources d
                        WHERE d.id = c.page_id AND d.deleted_at IS NULL AND d.created_at < ${begunAt}) THEN 'new'
                      WHEN EXISTS (SELECT 1 FROM runs r
                        WHERE r.datasource_id = c.page_id AND r.created_at >= ${begunAt}) THEN 'changed'
                      ELSE 'kept' END AS since
            FROM crawl_urls c
           WHERE c.site_id = ${site} AND c.content_hash IS NOT NULL AND ${isPageSql('c')}
             AND (c.settled_in IS NOT DISTINCT FROM ${run} OR ${saysItsBytesSql('c')})`;
}

/**
 * Puts what was taken for a copy back into the frontier where the other one has turned out to say something else, or to
 * be no page.
 *
 * @returns how many
 */
export async function reopenNoCopies(manager: EntityManager, run: RunEntity): Promise<number> {
  const [, reopened] = await manager.query<[unknown[], number]>(
    `UPDATE crawl_urls c SET settled_in = NULL, attempts = 0, not_before = NULL
      WHERE site_id = $1 AND settled_in = $2 AND kind = 'page' AND reason = 'DUPLICATE' AND NOT EXISTS (
        SELECT 1 FROM crawl_urls o
         WHERE o.site_id = $1 AND o.url = c.target AND o.kind = 'page' AND o.content_hash = c.content_hash
           AND CASE WHEN o.settled_in = $2 THEN ${isPageSql('o')} OR o.reason = 'DUPLICATE' ELSE ${saysItsBytesSql('o')} END)`,
    [run.datasourceId, run.id],
  );
  return reopened;
}

/** Pages that a run has read and that are copies of others, with what each is a copy of. */
export async function copiesOf(
  manager: EntityManager,
  run: RunEntity,
): Promise<{ copy: DecidedPage; of: DecidedPage }[]> {
  const pages = await manager.query<DecidedPage[]>(
    `SELECT said.* FROM (${saidPagesSql('$1', '$2', '$3')}) said
      WHERE "isDecided" AND hash IN (
        SELECT content_hash FROM crawl_urls WHERE site_id = $1 AND settled_in = $2
         GROUP BY content_hash HAVING count(*) > 1)`,
    [run.datasourceId, run.id, run.createdAt],
  );
  return copiesAmong(pages).filter(({ copy }) => !copy.isFailing);
}

/** Copies are pages no more. */
export async function leaveOutCopies(
  manager: EntityManager,
  run: RunEntity,
  copies: readonly { copy: DecidedPage; of: DecidedPage }[],
): Promise<void> {
  await manager.query(
    `UPDATE crawl_urls c SET outcome = 'left-out', reason = 'DUPLICATE', target = copy.original, page_id = NULL
       FROM unnest($2::text[], $3::text[]) AS copy (url, original)
      WHERE site_id = $1 AND kind = 'page' AND c.url = copy.url AND c.url = ANY($2)`,
    [run.datasourceId, copies.map(({ copy }) => copy.url), copies.map(({ of }) => of.url)],
  );
  const ids = copies.map(({ copy }) => copy.pageId);
  await deleteDatasources(manager, run.organizationId, 'id = ANY($2)', [ids]);
}
