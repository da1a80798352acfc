import { execute, type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';
import { SET_RELEASED } from './lease.js';

/**
 * A condition on `runs`: a living dispatcher would have handled the expired lease or the lost delivery by
 * now.
 */
const isStuck = (timeoutSeconds: number): Sql => sql`(
  (state = 'active' AND coalesce(lease_until, '-infinity') < now() - make_interval(secs => ${timeoutSeconds}))
  OR (state = 'queued' AND coalesce(queued_at, '-infinity') < now() - make_interval(secs => ${timeoutSeconds})))`;

/**
 * Runs whose lease has expired, or which are queued, for longer than the timeout.
 *
 * @param condition on `runs`
 */
export async function selectStuckRuns(
  manager: Executor,
  condition: Sql,
  timeoutSeconds: number,
): Promise<{ id: string; organization_id: string }[]> {
  return queryRows(
    manager,
    sql`SELECT id, organization_id FROM runs WHERE ${isStuck(timeoutSeconds)} AND ${condition} ORDER BY id`,
  );
}

/**
 * Those of the runs that are stuck wait to be claimed again. A worker that still holds one notices at its
 * next heartbeat.
 */
export async function releaseStuckRuns(
  manager: Executor,
  ids: readonly string[],
  timeoutSeconds: number,
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE runs SET ${SET_RELEASED}, not_before = now()
         WHERE id = ANY(${ids}) AND ${isStuck(timeoutSeconds)}`,
  );
}
