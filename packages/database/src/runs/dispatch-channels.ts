import type { EntityManager } from 'typeorm';

/** The channel that wakes dispatchers. */
export const DISPATCH_CHANNEL = 'citewell_dispatch';

/** The channel that tells of runs that begin: for workers that have something to load before the run comes to them. */
export const NEW_RUN_CHANNEL = 'citewell_new_run';

/** Wakes every dispatcher when the surrounding transaction commits; to be selected. */
export const WAKES_DISPATCHER = `pg_notify('${DISPATCH_CHANNEL}', '')`;

/** Tells workers, and dispatchers, that a run begins when the surrounding transaction commits. */
export async function announceRun(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT pg_notify('${NEW_RUN_CHANNEL}', ''), ${WAKES_DISPATCHER}`);
}
