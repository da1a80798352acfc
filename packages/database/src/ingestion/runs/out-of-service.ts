import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/schemas';
import { newId } from '../../connection/new-id.js';
import { execute, type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';
import type { PurgeKind } from '../../schema/ingestion.entities.js';
import { markCancelled } from './datasource-status.js';
import { WAKE_DISPATCHER } from './dispatch.js';
import { recordRemoved } from './record-changes.js';
import { REINDEXING, UNFINISHED } from './transitions.js';

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
  await recordRemoved(manager, organizationId, ids);
  await execute(
    manager,
    sql`UPDATE datasources SET deleted_at = now(), sealed_secrets = NULL WHERE id = ANY(${ids})`,
  );
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
  await recordRemoved(manager, organizationId, [datasourceId]);
  await execute(manager, sql`UPDATE datasources SET serving_run_id = NULL WHERE id = ${datasourceId}`);
  await endReindexing(manager, organizationId, [datasourceId]);
}

/** A SET list on `runs` for a run that ends, besides its state: no process holds its lease. */
export const SET_FINISHED = sql`lease_owner = NULL, lease_until = NULL, finished_at = now()`;

/**
 * Ends the unfinished runs of these datasources. A worker that holds one notices at its next heartbeat. The
 * caller holds the locks of the datasources, and requests purges of what the runs have written.
 *
 * @returns ids of the datasources whose run was ended
 */
export async function endRuns(
  manager: Executor,
  organizationId: string,
  datasourceIds: readonly string[],
  error: DatasourceError | null = null,
): Promise<string[]> {
  return end(manager, organizationId, datasourceIds, UNFINISHED, error);
}

/** As {@link endRuns}, for the reindex of these datasources, because their text serves no longer. */
export async function endReindexing(
  manager: Executor,
  organizationId: string,
  datasourceIds: readonly string[],
): Promise<void> {
  await end(manager, organizationId, datasourceIds, REINDEXING, null);
}

async function end(
  manager: Executor,
  organizationId: string,
  datasourceIds: readonly string[],
  condition: Sql,
  error: DatasourceError | null,
): Promise<string[]> {
  const ended = await queryRows<{ datasource_id: string }>(
    manager,
    sql`UPDATE runs SET state = 'cancelled', ${SET_FINISHED},
               error = coalesce(${error === null ? null : JSON.stringify(error)}::jsonb, error)
         WHERE organization_id = ${organizationId} AND datasource_id = ANY(${datasourceIds}) AND ${condition}
        RETURNING datasource_id`,
  );
  return ended.map((row) => row.datasource_id);
}

/**
 * As {@link endRuns}, on request: the datasources get the error `CANCELLED` and are `synched` or `unsynched` again, and
 * what the runs have written is purged.
 *
 * @returns ids of the datasources whose run was ended
 */
export async function cancelRuns(
  manager: Executor,
  organizationId: string,
  datasourceIds: readonly string[],
): Promise<string[]> {
  const error = datasourceErrorOf('CANCELLED');
  const ended = await endRuns(manager, organizationId, datasourceIds, error);
  if (ended.length === 0) return ended;
  await markCancelled(manager, ended, error);
  await requestPurges(manager, organizationId, 'runs', ended);
  return ended;
}

/**
 * Requests purges and wakes the dispatcher. A purge of the same target that nobody has begun is renewed
 * instead, so that it covers both requests.
 */
export async function requestPurges(
  manager: Executor,
  organizationId: string,
  kind: PurgeKind,
  targetIds: readonly string[],
): Promise<void> {
  // Arrays, not one parameter for each target: a site may have more pages than a statement may have
  // parameters.
  await queryRows(
    manager,
    sql`WITH renewed AS (
          UPDATE purges SET created_at = now()
           WHERE organization_id = ${organizationId} AND kind = ${kind} AND target_id = ANY(${targetIds}::uuid[])
             AND round = 1 AND batch_id IS NULL AND not_before <= now()
          RETURNING target_id
        ), requested AS (
          INSERT INTO purges (id, organization_id, kind, target_id)
          SELECT purge_id, ${organizationId}, ${kind}, target_id
            FROM unnest(${targetIds.map(() => newId())}::uuid[], ${targetIds}::uuid[]) AS t (purge_id, target_id)
           WHERE NOT EXISTS (SELECT 1 FROM renewed WHERE renewed.target_id = t.target_id)
        )
        SELECT ${WAKE_DISPATCHER}`,
  );
}
