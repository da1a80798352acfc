import { execute, type Executor, sql } from '../../connection/sql.js';
import { endReindexing } from './end-runs.js';

/**
 * Nothing of a datasource answers after this transaction, and its characters no longer count. The caller
 * holds the datasource's lock and requests the purge of its runs.
 */
export async function takeOutOfService(
  manager: Executor,
  organizationId: string,
  datasourceId: string,
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE organizations SET stored_characters = greatest(0, stored_characters - coalesce(
          (SELECT r.characters FROM datasources d JOIN runs r ON r.id = d.serving_run_id
            WHERE d.id = ${datasourceId}), 0))
         WHERE id = ${organizationId}`,
  );
  await execute(manager, sql`UPDATE datasources SET serving_run_id = NULL WHERE id = ${datasourceId}`);
  await endReindexing(manager, organizationId, [datasourceId]);
}
