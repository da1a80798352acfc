import type { EntityManager } from 'typeorm';
import type { RunEntity } from './run.entity.js';
import { WAKES_DISPATCHER } from './dispatch-channels.js';

/** Thrown when a worker finds that its lease is no longer its own: it stops and changes nothing. */
export class LeaseLostError extends Error {
  constructor(runId: string) {
    super(`The lease of run ${runId} is lost`);
    this.name = 'LeaseLostError';
  }
}

/** A condition on `runs`: `$1` is the run, `$2` the process that holds its lease, `$3` the delivery that it was given for. */
export const LEASE_IS_OURS = `id = $1 AND lease_owner = $2 AND delivery = $3 AND state = 'active'`;

/** As {@link LEASE_IS_OURS}, of the runs in `ours (id, delivery)`: `$1` is the process. */
export const LEASES_ARE_OURS = `runs.id = ours.id AND runs.delivery = ours.delivery AND lease_owner = $1 AND state = 'active'`;

/** What giving a run's lease back sets: it waits to be claimed again. */
export const GIVEN_BACK = `state = 'pending', lease_owner = NULL, lease_until = NULL`;

/**
 * Changes a run that this process holds.
 *
 * @param owner names this process
 * @param set what to change; its parameters start at `$4`
 * @throws {@link LeaseLostError}
 */
export async function changeLeased(
  manager: EntityManager,
  owner: string,
  run: RunEntity,
  set: string,
  values: readonly unknown[],
): Promise<void> {
  const [, changed] = await manager.query<[unknown[], number]>(
    `UPDATE runs SET ${set} WHERE ${LEASE_IS_OURS}`,
    [run.id, owner, run.delivery, ...values],
  );
  if (changed === 0) throw new LeaseLostError(run.id);
}

/**
 * Gives back the lease of a run that this process holds, and wakes the dispatcher.
 *
 * @param set what else to change, as of {@link changeLeased}
 * @throws {@link LeaseLostError}
 */
export async function giveBackLease(
  manager: EntityManager,
  owner: string,
  run: RunEntity,
  set: string,
  values: readonly unknown[],
): Promise<void> {
  const changed = await manager.query<unknown[]>(
    `WITH changed AS (
       UPDATE runs SET ${GIVEN_BACK}, ${set} WHERE ${LEASE_IS_OURS} RETURNING id
     ) SELECT ${WAKES_DISPATCHER} FROM changed`,
    [run.id, owner, run.delivery, ...values],
  );
  if (changed.length === 0) throw new LeaseLostError(run.id);
}

/** Holds the lease's row until the transaction ends. @throws {@link LeaseLostError} */
export async function assertLeased(manager: EntityManager, owner: string, run: RunEntity): Promise<void> {
  const rows = await manager.query<unknown[]>(`SELECT 1 FROM runs WHERE ${LEASE_IS_OURS} FOR SHARE`, [
    run.id,
    owner,
    run.delivery,
  ]);
  if (rows.length === 0) throw new LeaseLostError(run.id);
}
