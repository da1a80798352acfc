import { execute, type Executor, queryRow, type Sql, sql } from '../connection/sql.js';
import { WAKE_DISPATCHER } from './dispatch-channels.js';
import type { LeaseHolder } from './claim-runs.js';
import type { RunEntity, StageProgress } from './run.entity.js';

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
 * The query `leased (id)`, for a WITH clause: locks the runs, if the process `owner` holds all their leases; else it has
 * no rows. Several runs do not wait for the locks of others, because a process that holds some locks and waits for
 * others may cause a deadlock.
 */
export function leasedOf(owner: string, runs: readonly RunEntity[]): Sql {
  return sql`locked AS (
      SELECT r.id FROM runs r
        JOIN unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ delivery }) => delivery)}::int[])
               AS held (id, delivery) ON held.id = r.id AND held.delivery = r.delivery
       WHERE r.lease_owner = ${owner} AND r.state = 'active' FOR UPDATE OF r ${runs.length > 1 ? sql`SKIP LOCKED` : sql``}
    ), leased AS (
      SELECT id FROM locked WHERE (SELECT count(*) FROM locked) = ${runs.length}
    )`;
}

/** The renewal of a lease, with the progress to record; null keeps the recorded one. */
export interface Heartbeat {
  readonly run: RunEntity;
  readonly progress: StageProgress | null;
}

/**
 * Extends leases and records progress, all or none.
 *
 * @throws {@link LeaseLostError} of the first run, when the holder has lost a lease
 */
export async function renewLeases(
  manager: Executor,
  { owner, leaseSeconds }: LeaseHolder,
  heartbeats: readonly Heartbeat[],
): Promise<void> {
  const runs = heartbeats.map(({ run }) => run);
  const [first] = runs;
  if (first === undefined) return;
  const renewed = await execute(
    manager,
    sql`WITH ${leasedOf(owner, runs)}
        UPDATE runs r SET lease_until = now() + make_interval(secs => ${leaseSeconds}),
               progress = coalesce(coalesce(r.progress, '{}') || beat.progress, r.progress)
          FROM leased JOIN unnest(
                 ${runs.map(({ id }) => id)}::uuid[],
                 ${heartbeats.map(({ progress }) => progress && JSON.stringify(progress))}::jsonb[]
               ) AS beat (id, progress) USING (id)
         WHERE r.id = leased.id`,
  );
  if (renewed === 0) throw new LeaseLostError(first.id);
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
