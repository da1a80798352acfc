import type { DatasourceError, DatasourceStatus } from '@citewell/contracts/schemas';
import { execute, type Executor, sql } from '../../connection/sql.js';
import { UNFINISHED } from './transitions.js';

// The only module that writes `datasources.status`; see runs/transitions.ts. The caller of
// each function holds the locks of the datasources.

/**
 * A SET list on `datasources`: a worker has taken a run of it, the row `leased`. A reindex changes nothing. For statements
 * that claim the run as well.
 */
export const SET_RUNNING = sql`
  status = CASE WHEN leased.trigger = 'reindex' THEN status ELSE 'running' END,
  updated_at = CASE WHEN leased.trigger = 'reindex' THEN updated_at ELSE now() END`;

/**
 * A SET list on `datasources d`: the run in the row `served` makes its content up to date. After a reindex, the content
 * is what it was: only the warning of an earlier reindex goes. The warning of the run stays. For statements that make a run serve as well.
 */
export const SET_SERVED = sql`
  status = CASE WHEN served.trigger = 'reindex' THEN d.status ELSE 'synched' END,
  error = CASE WHEN served.trigger = 'reindex' AND d.status <> 'synched' THEN d.error ELSE served.warning END,
  last_synch = CASE WHEN served.trigger = 'reindex' THEN d.last_synch ELSE now() END,
  updated_at = CASE WHEN served.trigger = 'reindex' THEN d.updated_at ELSE now() END`;

/** An expression on `datasources`: what a reader of the content has to know, as the serving run says. */
const WARNING = sql`(SELECT warning FROM runs WHERE id = datasources.serving_run_id)`;

/** A SET list on `datasources`: its content is up to date. */
const SET_SYNCHED = sql`status = 'synched', error = ${WARNING}, last_synch = now(), updated_at = now()`;

/** A run has been started: a client that polls for `synched` must not see the status of an earlier run. */
export async function markUnsynched(manager: Executor, ids: readonly string[]): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET status = 'unsynched', updated_at = now() WHERE id = ANY(${ids})`,
  );
}

/** The content is what it was, and up to date. */
export async function markSynched(manager: Executor, id: string): Promise<void> {
  await execute(manager, sql`UPDATE datasources SET ${SET_SYNCHED} WHERE id = ${id}`);
}

/** All pages or files of a group have ended. @param warning e.g. `PARTIAL` */
export async function markGroupSynched(
  manager: Executor,
  id: string,
  warning: DatasourceError | null,
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET status = 'synched', last_synch = now(), updated_at = now(),
               error = ${warning === null ? null : JSON.stringify(warning)}::jsonb
         WHERE id = ${id}`,
  );
}

/**
 * Pages that a crawl found unchanged are up to date, whatever failed before. Pages that do not serve, and
 * those that have an unfinished run, keep their status.
 */
export async function markPagesSynched(
  manager: Executor,
  pageIds: readonly (string | null)[],
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET ${SET_SYNCHED}
         WHERE id = ANY(${pageIds}::uuid[]) AND serving_run_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM runs WHERE datasource_id = datasources.id AND ${UNFINISHED})`,
  );
}

/** A reindex has failed: the content is what it was. An error of the content itself is kept. */
export async function markReindexFailed(
  manager: Executor,
  id: string,
  warning: DatasourceError,
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET error = ${JSON.stringify(warning)}::jsonb WHERE id = ${id} AND status = 'synched'`,
  );
}

/** @param status default: `usage_limit_reached` for `USAGE_LIMIT`, else `error` */
export async function markFailed(
  manager: Executor,
  id: string,
  error: DatasourceError,
  status: DatasourceStatus = error.code === 'USAGE_LIMIT' ? 'usage_limit_reached' : 'error',
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET status = ${status}, error = ${JSON.stringify(error)}::jsonb, updated_at = now()
         WHERE id = ${id}`,
  );
}

/** The run was cancelled. The status is `synched` if an earlier run has succeeded, whatever it was before the run. */
export async function markCancelled(
  manager: Executor,
  ids: readonly string[],
  error: DatasourceError,
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET error = ${JSON.stringify(error)}::jsonb, updated_at = now(),
               status = CASE WHEN last_synch IS NULL THEN 'unsynched' ELSE 'synched' END
         WHERE id = ANY(${ids})`,
  );
}

/** Corrects the status of a datasource that serves, and is `unsynched` or `running` although it has no unfinished run. */
export async function correctStatus(manager: Executor, organizationId: string, id: string): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET status = 'synched', error = ${WARNING}, updated_at = now()
         WHERE id = ${id} AND organization_id = ${organizationId} AND serving_run_id IS NOT NULL
           AND status IN ('unsynched', 'running')
           AND NOT EXISTS (SELECT 1 FROM runs WHERE datasource_id = datasources.id AND ${UNFINISHED})`,
  );
}
