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

/** Up to this many siblings of a job hold no other organization up. More are a batch. */
export const FEW_SIBLINGS = 7;

/** Which other runs of its organization and stage may be claimed with a run. */
export interface SiblingLimits {
  readonly runs: number;
  /**
   * One of the siblings is counted as the run that takes the slot of the worker, because the delivered run has ended.
   * Default: false.
   */
  readonly takeSlot?: boolean;
  /** Characters of their texts together; bytes of their content where it is not parsed yet. */
  readonly size: number;
  /** Types of the content of all runs, including the first. Default: any. */
  readonly contentTypes?: readonly string[];
}

/** Rows as JSON: columns of the tables, instants in ISO 8601. */
type LeasedRow = Record<'run' | 'datasource' | 'serving' | 'reindexed', Record<string, unknown> | null> & {
  was_writing: boolean;
};

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
 * excludes it. Runs are taken in the order of an index, however long the backlog is.
 */
export async function claimSiblings(
  dataSource: DataSource,
  holder: LeaseHolder,
  run: RunEntity,
  limits: SiblingLimits,
  space: string | null,
): Promise<LeasedRun[]> {
  const { contentTypes = null, takeSlot = false } = limits;
  if (run.failures + run.crashes > 0 || contentTypes?.includes(run.contentType ?? '') === false) return [];
  const rows = await queryRows<LeasedRow>(
    dataSource,
    sql`WITH waiting AS (
          SELECT r.id, r.datasource_id, r.space, r.not_before, r.characters, r.content_key
            FROM runs r
           WHERE r.stage = ${run.stage} AND r.organization_id = ${run.organizationId} AND r.state = 'pending'
             AND r.not_before <= now() AND r.discovered_at IS NULL AND r.failures + r.crashes = 0
             AND NOT ${othersWait(run)}
             AND (${contentTypes}::text[] IS NULL OR r.content_type = ANY(${contentTypes}::text[]))
           ORDER BY r.not_before
           LIMIT ${limits.runs}
        ), next AS (
          SELECT w.id, w.datasource_id, w.space,
                 sum(coalesce(b.bytes, w.characters)) OVER (ORDER BY w.not_before, w.id) AS size
            FROM waiting w LEFT JOIN blobs b ON b.key = w.content_key AND w.characters = 0
        ), held AS (
          SELECT d.id, next.id AS run_id, next.space IS NOT NULL AS was_writing
            FROM datasources d JOIN next ON next.datasource_id = d.id
           WHERE next.size <= ${limits.size} FOR UPDATE OF d SKIP LOCKED
        ), leased AS (
          UPDATE runs SET ${setActive(holder, space)}, delivery = delivery + 1,
                 queued_at = CASE WHEN ${takeSlot} AND runs.id = (SELECT run_id FROM held LIMIT 1) THEN now() END
            FROM held
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
