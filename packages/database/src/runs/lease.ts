import { execute, type Executor, queryRow, type Sql, sql } from '../connection/sql.js';
import { WAKE_DISPATCHER } from './dispatch-channels.js';
import type { RunEntity } from './run.entity.js';

/** Thrown when a process no longer holds the lease of a run: its worker stops and changes nothing. */
export class LeaseLostError extends Error {
  constructor(runId: string) {
    super(`The lease of run ${runId} is lost`);
    this.name = 'LeaseLostError';
  }
}

/** A SET list on `runs`: the run has no lease and waits to be claimed again. */
export const SET_RELEASED = sql`state = 'pending', lease_owner = NULL, lease_until = NULL`;

/**
 * A condition on `runs`: the process `owner` holds the lease of the run, for the delivery that the entity
 * names.
 */
export function isLeased(owner: string, run: RunEntity): Sql {
  return sql`id = ${run.id} AND lease_owner = ${owner} AND delivery = ${run.delivery} AND state = 'active'`;
}

/**
 * Changes a run whose lease this process holds.
 *
 * @param owner name of this process
 * @param set a SET list
 * @throws {@link LeaseLostError}
 */
export async function changeLeased(
  manager: Executor,
  owner: string,
  run: RunEntity,
  set: Sql,
): Promise<void> {
  const changed = await execute(manager, sql`UPDATE runs SET ${set} WHERE ${isLeased(owner, run)}`);
  if (changed === 0) throw new LeaseLostError(run.id);
}

/**
 * Releases the lease of a run that this process holds, and wakes the dispatcher.
 *
 * @param set what else to change, a SET list
 * @throws {@link LeaseLostError}
 */
export async function releaseLease(
  manager: Executor,
  owner: string,
  run: RunEntity,
  set: Sql,
): Promise<void> {
  const released = await queryRow(
    manager,
    sql`WITH released AS (
          UPDATE runs SET ${SET_RELEASED}, ${set} WHERE ${isLeased(owner, run)} RETURNING id
        ) SELECT ${WAKE_DISPATCHER} FROM released`,
  );
  if (released === null) throw new LeaseLostError(run.id);
}

/** Locks the run's row against changes until the transaction ends. @throws {@link LeaseLostError} */
export async function assertLeased(manager: Executor, owner: string, run: RunEntity): Promise<void> {
  const leased = await queryRow(manager, sql`SELECT 1 FROM runs WHERE ${isLeased(owner, run)} FOR SHARE`);
  if (leased === null) throw new LeaseLostError(run.id);
}
