import { execute, type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';
import { requestPurges } from './request-purges.js';
import { endReindexing, endRuns } from './end-runs.js';

/**
 * Marks datasources as deleted: queries no longer see them after this transaction, their runs end, their
 * characters no longer count, and a purge for each removes the rest.
 *
 * @param where a condition on `datasources`
 * @returns how many were deleted
 */
export async function deleteDatasources(
  manager: Executor,
  organizationId: string,
  where: Sql,
): Promise<number> {
  // Locked in the order of their ids, so that overlapping deletions wait for each other and do not deadlock.
  const found = await queryRows<{ id: string; serving_run_id: string | null }>(
    manager,
    sql`SELECT id, serving_run_id FROM datasources
         WHERE organization_id = ${organizationId} AND deleted_at IS NULL AND ${where}
         ORDER BY id FOR UPDATE`,
  );
  if (found.length === 0) return 0;
  const ids = found.map((row) => row.id);
  const servingRunIds = found.map((row) => row.serving_run_id).filter((id) => id !== null);
  await execute(manager, sql`UPDATE datasources SET deleted_at = now() WHERE id = ANY(${ids})`);
  await endRuns(manager, organizationId, ids);
  await endReindexing(manager, organizationId, ids);
  await execute(
    manager,
    sql`UPDATE organizations SET stored_characters = greatest(0, stored_characters - (
          SELECT coalesce(sum(characters), 0) FROM runs WHERE id = ANY(${servingRunIds})))
         WHERE id = ${organizationId}`,
  );
  await requestPurges(manager, organizationId, 'datasource', ids);
  return ids.length;
}
