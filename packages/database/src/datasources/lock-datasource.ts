import type { EntityManager } from 'typeorm';
import { DatasourceEntity } from './datasource.entity.js';
import type { RunEntity } from '../runs/run.entity.js';
import { hydrateOne } from '../connection/hydrate.js';
import { LeaseLostError } from '../runs/lease.js';

/** Takes the row's lock and nothing else: whose it is, and whether it is deleted, the next statement asks. */
export async function lockDatasource(manager: EntityManager, id: string): Promise<void> {
  await manager.query('SELECT 1 FROM datasources WHERE id = $1 FOR UPDATE', [id]);
}

/** The datasource of a run, locked. @throws LeaseLostError when it was deleted */
export async function lockDatasourceOf(
  manager: EntityManager,
  run: RunEntity,
  strength: 'SHARE' | 'UPDATE' = 'UPDATE',
): Promise<DatasourceEntity> {
  const [row] = await manager.query<Record<string, unknown>[]>(
    `SELECT * FROM datasources WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL FOR ${strength}`,
    [run.datasourceId, run.organizationId],
  );
  const datasource = hydrateOne(manager.dataSource, DatasourceEntity, row);
  if (datasource === null) throw new LeaseLostError(run.id);
  return datasource;
}
