import type { EntityManager } from 'typeorm';
import { hydrateOne } from '../../connection/hydrate.js';
import { type Executor, queryRow, queryRows, sql } from '../../connection/sql.js';
import { LeaseLostError } from './lease.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { DatasourceEntity } from '../../schema/content.entities.js';

/** Locks the row, whoever owns it and whether it is deleted or not. */
export async function lockDatasource(manager: Executor, id: string): Promise<void> {
  await queryRow(manager, sql`SELECT 1 FROM datasources WHERE id = ${id} FOR UPDATE`);
}

/** Locks the datasource of a run. @throws LeaseLostError when it was deleted */
export async function lockDatasourceOf(
  manager: EntityManager,
  run: RunEntity,
  strength: 'SHARE' | 'UPDATE' = 'UPDATE',
): Promise<DatasourceEntity> {
  const row = await queryRow<Record<string, unknown>>(
    manager,
    sql`SELECT * FROM datasources
         WHERE id = ${run.datasourceId} AND organization_id = ${run.organizationId} AND deleted_at IS NULL
           FOR ${strength === 'SHARE' ? sql`SHARE` : sql`UPDATE`}`,
  );
  const datasource = hydrateOne(manager.dataSource, DatasourceEntity, row);
  if (datasource === null) throw new LeaseLostError(run.id);
  return datasource;
}

/** Locks pages in the order of their ids. @returns the ids of those that are not deleted */
export async function lockLivingPages(manager: Executor, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM datasources WHERE id = ANY(${ids}) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
  );
  return new Set(rows.map(({ id }) => id));
}
