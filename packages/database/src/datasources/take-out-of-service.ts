import type { EntityManager } from 'typeorm';

/**
 * Nothing of a datasource answers from this transaction on, and what it stored no longer counts. The caller holds the
 * datasource's lock and has its runs purged.
 */
export async function takeOutOfService(
  manager: EntityManager,
  organizationId: string,
  datasourceId: string,
): Promise<void> {
  await manager.query(
    `UPDATE organizations SET stored_characters = greatest(0, stored_characters - coalesce(
        (SELECT r.characters FROM datasources d JOIN runs r ON r.id = d.serving_run_id WHERE d.id = $2), 0))
      WHERE id = $1`,
    [organizationId, datasourceId],
  );
  await manager.query('UPDATE datasources SET serving_run_id = NULL WHERE id = $1', [datasourceId]);
}
