import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/schemas';
import { type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';
import { markCancelled } from './datasource-status.js';
import { requestPurges } from './request-purges.js';
import { REINDEXING, UNFINISHED } from './unfinished.js';

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
