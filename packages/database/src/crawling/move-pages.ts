import type { EntityManager } from 'typeorm';
import type { RunEntity } from '../runs/run.entity.js';
import { saysItsBytesSql } from './said-bytes.js';
import { endRuns, requestPurges } from '../runs/under-way.js';
import { areWellAgain } from './well-again.js';

/** A page whose bytes a crawl has found under another address. */
interface Move {
  readonly pageId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Pages that a run has not come to, and whose bytes it has found elsewhere, are there from now on: the datasource stays,
 * with what serves. Of several such addresses the shortest, then the first. For the end of a crawl, with the site locked.
 *
 * @returns how many
 */
export async function movePages(manager: EntityManager, run: RunEntity): Promise<number> {
  const moves = await manager.query<Move[]>(movesSql('$1', '$2'), [run.datasourceId, run.id]);
  if (moves.length === 0) return 0;
  const ids = moves.map(({ pageId }) => pageId);
  await manager.query('SELECT 1 FROM datasources WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
  await moveUrls(manager, run, moves);
  await manager.query(
    `UPDATE datasources d SET name = CASE WHEN name = left(before, 255) THEN left(after, 255) ELSE name END,
            config = jsonb_set(config, '{source_url}', to_jsonb(after)), updated_at = now()
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS move (id, before, after)
      WHERE d.id = move.id AND d.id = ANY($1)`,
    [ids, ...fromTo(moves)],
  );
  // Whatever is under way there was asked for at the address that it had.
  const ended = await endRuns(manager, run.organizationId, ids);
  if (ended.length > 0) await requestPurges(manager, run.organizationId, 'runs', ended);
  await areWellAgain(manager, ids);
  // What a server calls the bytes is said of an address: of another one it may mean something else.
  await manager.query(
    `UPDATE runs r SET content_name = move.after, validators = NULL
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS move (id, before, after)
      WHERE r.datasource_id = move.id AND r.datasource_id = ANY($1) AND r.content_name = move.before`,
    [ids, ...fromTo(moves)],
  );
  return moves.length;
}

/**
 * SQL for pages that a run has not come to, and whose bytes it has found elsewhere: `pageId`, `from` and `to`.
 *
 * @param site, run expressions for them
 */
export function movesSql(site: string, run: string): string {
  // What is to be tried once more may be well where it is.
  return `SELECT DISTINCT ON (o.url) o.page_id AS "pageId", o.url AS "from", c.url AS "to"
       FROM crawl_urls c CROSS JOIN LATERAL (
         SELECT u.url, u.page_id FROM crawl_urls u
          WHERE u.site_id = ${site} AND u.url = c.target AND u.kind = 'page' AND u.content_hash = c.content_hash
            AND u.settled_in IS DISTINCT FROM ${run} AND (u.found_in <> ${run} OR u.attempts = 0)
            AND ${saysItsBytesSql('u')} LIMIT 1) o
      WHERE c.site_id = ${site} AND c.settled_in = ${run} AND c.kind = 'page' AND c.reason = 'DUPLICATE'
      ORDER BY o.url, length(c.url), c.url`;
}

async function moveUrls(manager: EntityManager, run: RunEntity, moves: readonly Move[]): Promise<void> {
  const [from, to] = fromTo(moves);
  await manager.query(`DELETE FROM crawl_urls WHERE site_id = $1 AND kind = 'page' AND url = ANY($2)`, [
    run.datasourceId,
    from,
  ]);
  await manager.query(
    `UPDATE crawl_urls c SET outcome = 'page', reason = NULL, target = NULL, page_id = move.id
       FROM unnest($2::uuid[], $3::text[]) AS move (id, url)
      WHERE site_id = $1 AND kind = 'page' AND c.url = move.url AND c.url = ANY($3)`,
    [run.datasourceId, moves.map(({ pageId }) => pageId), to],
  );
  await manager.query(
    `UPDATE crawl_urls c SET target = move.after
       FROM unnest($3::text[], $4::text[]) AS move (before, after)
      WHERE site_id = $1 AND settled_in = $2 AND kind = 'page' AND reason = 'DUPLICATE' AND c.target = move.before`,
    [run.datasourceId, run.id, from, to],
  );
}

function fromTo(moves: readonly Move[]): [from: string[], to: string[]] {
  return [moves.map(({ from }) => from), moves.map(({ to }) => to)];
}
