import type { EntityManager } from 'typeorm';
import { requestPurges } from '../runs/under-way.js';

/**
 * Marks datastores as deleted: with this transaction nothing in them is found any more, no agent has them, and a purge
 * for each takes the rest away.
 *
 * @param id one of them; without it, all of the organization
 * @returns how many there were
 */
export async function deleteDatastores(
  manager: EntityManager,
  organizationId: string,
  id: string | null = null,
): Promise<number> {
  // Locked in one order, so that two deletes that overlap wait for each other and are no deadlock.
  const found = await manager.query<{ id: string }[]>(
    `SELECT id FROM datastores WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id = $2)
      ORDER BY id FOR NO KEY UPDATE`,
    [organizationId, id],
  );
  if (found.length === 0) return 0;
  const ids = found.map((row) => row.id);
  await manager.query('UPDATE datastores SET deleted_at = now() WHERE id = ANY($1)', [ids]);
  await manager.query('DELETE FROM agent_datastores WHERE organization_id = $1 AND datastore_id = ANY($2)', [
    organizationId,
    ids,
  ]);
  await requestPurges(manager, organizationId, 'datastore', ids);
  return ids.length;
}
