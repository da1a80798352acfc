import type { BatchPayload } from '@citewell/contracts/jobs';
import type { DataSource, EntityManager } from 'typeorm';
import { GroupCommit } from '../../connection/group-commit.js';
import {
  execute,
  type Executor,
  hydrateOne,
  queryRow,
  queryRows,
  type Sql,
  sql,
} from '../../connection/sql.js';
import { DatasourceEntity } from '../../schema/content.entities.js';
import { RunEntity, type StageProgress } from '../../schema/ingestion.entities.js';
import { SET_RUNNING } from './datasource-status.js';
import { WAKE_DISPATCHER } from './dispatch.js';

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

/** A run, its datasource, and the proof that this worker may change them. */
export interface LeasedRun {
  run: RunEntity;
  datasource: DatasourceEntity;
  /** The run that answers queries. No other replaces it while this one is unfinished. */
  serving: RunEntity | null;
  /** The run of the last reindex; see `DatasourceEntity.reindexedRunId`. */
  reindexed: RunEntity | null;
  /** An earlier attempt may have written points: it recorded the space. */
  wasWriting: boolean;
}

/** The process that takes a lease, and how long the lease holds without a heartbeat. */
export interface LeaseHolder {
  readonly owner: string;
  readonly leaseSeconds: number;
}

/** Rows as JSON: columns of the tables, instants in ISO 8601. */
type LeasedRow = Record<'run' | 'datasource' | 'serving' | 'reindexed', Record<string, unknown> | null> & {
  was_writing: boolean;
};

/** A SET list on `runs`: a worker takes the lease. @param space that the stage will write to */
function setActive({ owner, leaseSeconds }: LeaseHolder, space: string | null): Sql {
  return sql`state = 'active',
    lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
    started_at = coalesce(started_at, now()),
    progress = CASE WHEN stage IN ('listing', 'discovering', 'parsing') THEN progress END,
    space = coalesce(space, ${space})`;
}

/** The end of a statement whose query `leased` has claimed runs. */
const SELECT_LEASED = sql`shown AS (
    UPDATE datasources SET ${SET_RUNNING} FROM leased
     WHERE datasources.id = leased.datasource_id RETURNING datasources.*
  )
  SELECT leased.was_writing, to_jsonb(leased) AS run, to_jsonb(shown) AS datasource,
         to_jsonb(serving) AS serving, to_jsonb(reindexed) AS reindexed
    FROM leased JOIN shown ON shown.id = leased.datasource_id
    LEFT JOIN runs serving ON serving.id = shown.serving_run_id
    LEFT JOIN runs reindexed ON reindexed.id = shown.reindexed_run_id`;

/** See `RunLifecycleRepository.leaseBatch`. */
export async function leaseBatch(
  dataSource: DataSource,
  holder: LeaseHolder,
  { organizationId, stage, deliveries }: BatchPayload,
  space: string | null,
): Promise<LeasedRun[]> {
  const rows = await queryRows<LeasedRow>(
    dataSource,
    sql`WITH held AS (
          SELECT d.id, r.id AS run_id, delivered.delivery, r.space IS NOT NULL AS was_writing
            FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
                   AS delivered ("runId" uuid, "datasourceId" uuid, delivery int)
            JOIN runs r ON r.id = delivered."runId"
            JOIN datasources d ON d.id = delivered."datasourceId"
           WHERE d.organization_id = ${organizationId} AND d.deleted_at IS NULL
           ORDER BY d.id FOR UPDATE OF d
        ), leased AS (
          UPDATE runs SET ${setActive(holder, space)} FROM held
           WHERE runs.id = held.run_id AND runs.delivery = held.delivery AND state = 'queued' AND stage = ${stage}
             AND organization_id = ${organizationId} AND datasource_id = held.id
          RETURNING runs.*, held.was_writing
        ), ${SELECT_LEASED}`,
  );
  return rows.map((row) => leasedRun(dataSource, row)).filter((leased) => leased !== null);
}

function leasedRun(dataSource: DataSource, row: LeasedRow): LeasedRun | null {
  const run = hydrateOne(dataSource, RunEntity, row.run);
  const datasource = hydrateOne(dataSource, DatasourceEntity, row.datasource);
  const serving = hydrateOne(dataSource, RunEntity, row.serving);
  const reindexed = hydrateOne(dataSource, RunEntity, row.reindexed);
  return run && datasource ? { run, datasource, serving, reindexed, wasWriting: row.was_writing } : null;
}

/** Locks the row, whoever owns it and whether it is deleted or not. */
export async function lockDatasource(manager: Executor, id: string): Promise<void> {
  await queryRow(manager, sql`SELECT 1 FROM datasources WHERE id = ${id} FOR UPDATE`);
}

/** Locks the datasource of a run. @throws LeaseLostError when it was deleted */
export async function lockDatasourceOf(
  manager: EntityManager,
  run: RunEntity,
  strength: 'SHARE' | 'UPDATE' = 'UPDATE',
): Promise<DatasourceEntity> {
  const row = await queryRow<Record<string, unknown>>(
    manager,
    sql`SELECT * FROM datasources
         WHERE id = ${run.datasourceId} AND organization_id = ${run.organizationId} AND deleted_at IS NULL
           FOR ${strength === 'SHARE' ? sql`SHARE` : sql`UPDATE`}`,
  );
  const datasource = hydrateOne(manager.dataSource, DatasourceEntity, row);
  if (datasource === null) throw new LeaseLostError(run.id);
  return datasource;
}

/** Locks pages in the order of their ids. @returns the ids of those that are not deleted */
export async function lockLivingPages(manager: Executor, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM datasources WHERE id = ANY(${ids}) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
  );
  return new Set(rows.map(({ id }) => id));
}

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
