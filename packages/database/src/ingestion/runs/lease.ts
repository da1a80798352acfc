import { GroupCommit } from '../../connection/group-commit.js';
import { execute, type Executor, queryRow, queryRows, type Sql, sql } from '../../connection/sql.js';
import { WAKE_DISPATCHER } from './dispatch-channels.js';
import type { LeaseHolder } from './lease-batch.js';
import type { RunEntity, StageProgress } from '../../schema/ingestion.entities.js';

/** Thrown when a process no longer holds the lease of a run: its worker stops and changes nothing. */
export class LeaseLostError extends Error {
  constructor(runId: string) {
    super(`The lease of run ${runId} is lost`);
    this.name = 'LeaseLostError';
  }
}

const SET_UNLEASED = sql`lease_owner = NULL, lease_until = NULL`;
/** A SET list on `runs`: the run has no lease and is claimed again. */
export const SET_RELEASED = sql`state = 'pending', ${SET_UNLEASED}`;

/**
 * A condition on `runs`: the process `owner` holds the lease of the run, for the delivery that the entity
 * names.
 */
export function isLeased(owner: string, run: RunEntity): Sql {
  return sql`id = ${run.id} AND lease_owner = ${owner} AND delivery = ${run.delivery} AND state = 'active'`;
}

/** A run and its delivery, of which a process holds the lease. */
type LeasedId = Pick<RunEntity, 'id' | 'delivery'>;

/**
 * The query `leased (id, delivery)`, for a WITH clause: locks those of the runs whose lease the process `owner` holds.
 * Several runs do not wait for the locks of others, because a process that holds some locks and waits for others may
 * cause a deadlock: runs that are locked are missing.
 */
export function leasedOf(owner: string, runs: readonly LeasedId[]): Sql {
  return sql`leased AS (
      SELECT r.id, r.delivery FROM runs r
        JOIN unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ delivery }) => delivery)}::int[])
               AS held (id, delivery) ON held.id = r.id AND held.delivery = r.delivery
       WHERE r.lease_owner = ${owner} AND r.state = 'active' FOR UPDATE OF r ${runs.length > 1 ? sql`SKIP LOCKED` : sql``})`;
}

/** Whether each of the runs is among those that a statement has changed. */
export function areAmong(runs: readonly LeasedId[], changed: readonly LeasedId[]): boolean[] {
  const deliveries = new Map(changed.map(({ id, delivery }) => [id, delivery]));
  return runs.map(({ id, delivery }) => deliveries.get(id) === delivery);
}

/**
 * A change of leased runs, by which several are changed in one statement.
 *
 * @returns for each run whether it was changed: false when the lease is lost, or when the run of several was locked
 */
type ChangeTogether<Change> = (changes: readonly Change[]) => Promise<boolean[]>;

/** Changes leased runs: those that are to be changed at the same moment in one statement. */
export class LeasedChanges<Change extends { readonly run: RunEntity }> {
  private readonly group: GroupCommit<Change, boolean>;

  constructor(private readonly change: ChangeTogether<Change>) {
    this.group = new GroupCommit((_, changes) => change(changes));
  }

  /** @throws {@link LeaseLostError} */
  async submit(change: Change): Promise<void> {
    if (await this.group.submit('', change)) return;
    const [isChanged] = await this.change([change]);
    if (isChanged !== true) throw new LeaseLostError(change.run.id);
  }
}

/** The renewal of a lease, with the progress to record; null keeps the recorded one. */
export interface Heartbeat {
  readonly run: RunEntity;
  readonly progress: StageProgress | null;
}

/** A lease is extended when this share of it has passed. */
const RENEWED_SHARE = 1 / 6;

/**
 * Extends leases that need it, and records progress. Most heartbeats only read: a process may hold hundreds of leases. A
 * run that is locked gets its extension with a later heartbeat.
 *
 * @returns for each run whether its lease is held
 */
export async function renewLeases(
  manager: Executor,
  { owner, leaseSeconds }: LeaseHolder,
  heartbeats: readonly Heartbeat[],
): Promise<boolean[]> {
  const runs = heartbeats.map(({ run }) => run);
  const held = await queryRows<LeasedId>(
    manager,
    sql`WITH held AS (
          SELECT r.id, r.delivery, beat.progress FROM runs r
            JOIN unnest(
                   ${runs.map(({ id }) => id)}::uuid[],
                   ${runs.map(({ delivery }) => delivery)}::int[],
                   ${heartbeats.map(({ progress }) => progress && JSON.stringify(progress))}::jsonb[]
                 ) AS beat (id, delivery, progress) ON beat.id = r.id AND beat.delivery = r.delivery
           WHERE r.lease_owner = ${owner} AND r.state = 'active'
        ), due AS (
          SELECT r.id, held.progress FROM runs r JOIN held ON held.id = r.id AND held.delivery = r.delivery
           WHERE r.lease_owner = ${owner} AND r.state = 'active' AND (held.progress IS NOT NULL
              OR r.lease_until < now() + make_interval(secs => ${leaseSeconds * (1 - RENEWED_SHARE)}))
             FOR UPDATE OF r SKIP LOCKED
        ), renewed AS (
          UPDATE runs r SET lease_until = now() + make_interval(secs => ${leaseSeconds}),
                 progress = coalesce(coalesce(r.progress, '{}') || due.progress, r.progress)
            FROM due WHERE r.id = due.id
        ) SELECT id, delivery FROM held`,
  );
  return areAmong(runs, held);
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
 * @param state `waiting` for a group whose pages or files are unfinished
 * @param set what else to change, a SET list
 * @throws {@link LeaseLostError}
 */
export async function releaseLease(
  manager: Executor,
  owner: string,
  run: RunEntity,
  state: 'pending' | 'waiting',
  set: Sql,
): Promise<void> {
  const released = await queryRow(
    manager,
    sql`WITH released AS (
          UPDATE runs SET state = ${state}, ${SET_UNLEASED}, ${set} WHERE ${isLeased(owner, run)} RETURNING id
        ) SELECT ${WAKE_DISPATCHER} FROM released`,
  );
  if (released === null) throw new LeaseLostError(run.id);
}

/** Locks the run's row against changes until the transaction ends. @throws {@link LeaseLostError} */
export async function assertLeased(manager: Executor, owner: string, run: RunEntity): Promise<void> {
  const leased = await queryRow(
    manager,
    sql`SELECT 1 FROM runs WHERE ${isLeased(owner, run)} FOR NO KEY UPDATE`,
  );
  if (leased === null) throw new LeaseLostError(run.id);
}

/**
 * Extends the lease of a run that the transaction has locked with {@link assertLeased}, unless it has released the run.
 * Heartbeats skip a locked run. So a worker that writes again and again would lose its lease otherwise.
 */
export async function renewLocked(
  manager: Executor,
  { owner, leaseSeconds }: LeaseHolder,
  run: RunEntity,
): Promise<void> {
  // The transaction may have taken longer than a lease.
  await execute(
    manager,
    sql`UPDATE runs SET lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
         WHERE ${isLeased(owner, run)}`,
  );
}
