import type { RunPayload } from '@citewell/contracts/jobs';
import type { DataSource } from 'typeorm';
import { hydrateOne } from '../connection/hydrate.js';
import { queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import { SET_RUNNING } from '../datasources/datasource-status.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';
import { RunEntity } from './run.entity.js';

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

/** How many siblings may be claimed with a run, and how many characters they may have together. */
export interface SiblingLimits {
  readonly runs: number;
  readonly characters: number;
}

/** Rows as JSON: columns of the tables, instants in ISO 8601. */
type LeasedRow = Record<'run' | 'datasource' | 'serving' | 'reindexed', Record<string, unknown> | null> & {
  was_writing: boolean;
};

/** Pending runs that are searched for siblings. */
const SEARCHED_RUNS = 100;

/** A SET list on `runs`: a worker takes the lease. @param space that the stage will write to */
function setActive({ owner, leaseSeconds }: LeaseHolder, space: string | null): Sql {
  return sql`state = 'active',
    lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
    started_at = coalesce(started_at, now()), progress = CASE WHEN stage = 'discovering' THEN progress END,
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

/** Whether another organization waits for a worker of the run's stage: four short index lookups. */
function othersWait({ stage, organizationId }: RunEntity): Sql {
  const waits = (others: Sql): Sql => sql`(
    EXISTS (SELECT 1 FROM runs o WHERE o.stage = ${stage} AND ${others} AND o.state = 'queued')
    OR EXISTS (SELECT 1 FROM runs o
                WHERE o.stage = ${stage} AND ${others} AND o.state = 'pending' AND o.not_before <= now()
                  AND o.discovered_at IS NULL))`;
  const before = sql`o.organization_id < ${organizationId}`;
  const after = sql`o.organization_id > ${organizationId}`;
  return sql`(${waits(before)} OR ${waits(after)})`;
}

/** See `RunLifecycleRepository.claimDelivered`. */
export async function claimDelivered(
  dataSource: DataSource,
  holder: LeaseHolder,
  { organizationId, datasourceId, runId, delivery }: RunPayload,
  space: string | null,
): Promise<LeasedRun | null> {
  const row = await queryRow<LeasedRow>(
    dataSource,
    sql`WITH held AS (
          SELECT d.id, r.space IS NOT NULL AS was_writing FROM datasources d JOIN runs r ON r.id = ${runId}
           WHERE d.id = ${datasourceId} AND d.organization_id = ${organizationId} AND d.deleted_at IS NULL
             FOR UPDATE OF d
        ), leased AS (
          UPDATE runs SET ${setActive(holder, space)} FROM held
           WHERE runs.id = ${runId} AND delivery = ${delivery} AND state = 'queued'
             AND organization_id = ${organizationId} AND datasource_id = held.id
          RETURNING runs.*, held.was_writing
        ), ${SELECT_LEASED}`,
  );
  return row && leasedRun(dataSource, row);
}

/**
 * See `RunLifecycleRepository.claimSiblings`. A deleted datasource has no pending run, so no other condition
 * excludes it.
 */
export async function claimSiblings(
  dataSource: DataSource,
  holder: LeaseHolder,
  run: RunEntity,
  limits: SiblingLimits,
  space: string | null,
): Promise<LeasedRun[]> {
  if (run.groupId === null || run.failures + run.crashes > 0) return [];
  const rows = await queryRows<LeasedRow>(
    dataSource,
    sql`WITH waiting AS (
          SELECT id, datasource_id, group_id, created_at, characters, space, failures + crashes AS attempts
            FROM runs
           WHERE stage = ${run.stage} AND organization_id = ${run.organizationId} AND state = 'pending'
             AND not_before <= now() AND NOT ${othersWait(run)}
           ORDER BY created_at LIMIT ${SEARCHED_RUNS}
        ), next AS (
          SELECT id, datasource_id, space, sum(characters) OVER (ORDER BY created_at, id) AS characters
            FROM waiting WHERE group_id = ${run.groupId} AND attempts = 0
           ORDER BY created_at, id LIMIT ${limits.runs}
        ), held AS (
          SELECT d.id, next.id AS run_id, next.space IS NOT NULL AS was_writing
            FROM datasources d JOIN next ON next.datasource_id = d.id
           WHERE next.characters <= ${limits.characters} FOR UPDATE OF d SKIP LOCKED
        ), leased AS (
          UPDATE runs SET ${setActive(holder, space)}, delivery = delivery + 1, queued_at = NULL FROM held
           WHERE runs.id = held.run_id AND state = 'pending' RETURNING runs.*, held.was_writing
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
