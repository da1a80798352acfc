import { Any, type EntityManager } from 'typeorm';
import { AgentDatastoreEntity } from '../../schema/answering.entities.js';
import { execute, queryRows, sql } from '../../connection/sql.js';
import { requestPurges } from '../../ingestion/runs/request-purges.js';

/**
 * Marks datastores as deleted: queries no longer see their content after this transaction, no agent searches
 * them, and a purge for each removes the rest.
 *
 * @param id of one datastore; null for all of the organization
 * @returns how many were deleted
 */
export async function deleteDatastores(
  manager: EntityManager,
  organizationId: string,
  id: string | null = null,
): Promise<number> {
  // Locked in the order of their ids, so that overlapping deletions wait for each other and do not deadlock.
  const found = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM datastores
         WHERE organization_id = ${organizationId} AND deleted_at IS NULL
           AND ${id === null ? sql`true` : sql`id = ${id}`}
         ORDER BY id FOR NO KEY UPDATE`,
  );
  if (found.length === 0) return 0;
  const ids = found.map((row) => row.id);
  await execute(manager, sql`UPDATE datastores SET deleted_at = now() WHERE id = ANY(${ids})`);
  await manager.delete(AgentDatastoreEntity, { organizationId, datastoreId: Any(ids) });
  await requestPurges(manager, organizationId, 'datastore', ids);
  return ids.length;
}
