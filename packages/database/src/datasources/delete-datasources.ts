import type { EntityManager } from 'typeorm';
import { endRuns, requestPurges } from '../runs/under-way.js';

/**
 * Marks datasources as deleted: they vanish from queries with this transaction, their runs end, their
 * characters no longer count, and a purge for each takes the rest away.
 *
 * @param where a condition on `datasources`; its parameters start at `$2`
 * @returns how many there were
 */
export async function deleteDatasources(
  manager: EntityManager,
  organizationId: string,
  where: string,
  parameters: readonly unknown[],
): Promise<number> {
  // Locked in one order, so that two deletes that overlap wait for each other and are no deadlock.
  const found = await manager.query<{ id: string; serving_run_id: string | null }[]>(
    `SELECT id, serving_run_id FROM datasources WHERE organization_id = $1 AND deleted_at IS NULL AND ${where}
      ORDER BY id FOR UPDATE`,
    [organizationId, ...parameters],
  );
  if (found.length === 0) return 0;
  const ids = found.map((row) => row.id);
  await manager.query('UPDATE datasources SET deleted_at = now() WHERE id = ANY($1)', [ids]);
  await endRuns(manager, organizationId, ids);
  await manager.query(
    `UPDATE organizations SET stored_characters = greatest(0, stored_characters - (
        SELECT coalesce(sum(characters), 0) FROM runs WHERE id = ANY($2))) WHERE id = $1`,
    [organizationId, found.map((row) => row.serving_run_id).filter((id) => id !== null)],
  );
  await requestPurges(manager, organizationId, 'datasource', ids);
  return ids.length;
}
