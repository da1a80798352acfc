import { type Delivery, MAX_BATCH_RUNS } from '@citewell/contracts/jobs';
import type { RunState, Stage } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { execute, type Executor, queryRow, queryRows, type Sql, sql } from '../../connection/sql.js';
import { RunEntity } from '../../schema/ingestion.entities.js';
import { WorkerEntity } from '../../schema/operations.entities.js';
import { DUE_SYNCS, slotsOf } from './dispatch.js';
import {
  type Batch,
  formBatches,
  MAX_BATCH_SIZE,
  type PendingRun,
  type PlannedBatch,
  SHORT_BATCH_RUNS,
} from './form-batches.js';
import { UNFINISHED_STATES } from './transitions.js';

/** A stage of runs, and the queue of its workers. */
export interface StageQueue {
  stage: Stage;
  queue: string;
}

/** How many batches of a stage may be in flight. */
export interface StageCapacity {
  /** Of the living workers: the most batches that one organization has in flight. */
  readonly slots: number;
  /** How many more batches may be in flight: twice the slots, less those that are. */
  readonly free: number;
}

/** Work that waits for a dispatcher. */
export interface Backlog {
  /** Of each stage that has pending runs of an organization that may have more batches in flight. */
  capacity: Map<Stage, StageCapacity>;
  purgesAreDue: boolean;
  /** Groups wait for their pages or files, or to be finished. */
  groupsAreWaiting: boolean;
  syncsAreDue: boolean;
}

interface BacklogRow extends StageCapacity {
  stage: Stage;
  purges_are_due: boolean;
  groups_are_waiting: boolean;
  syncs_are_due: boolean;
}

/** The runs of a stage that have one crash left. */
interface LastTries {
  /** Any run of the stage is in flight. */
  isAnythingInFlight: boolean;
  /** One that has one crash left is in flight. */
  isOneInFlight: boolean;
  /** Of those that are due, the one that has waited longest. */
  next: Pick<PendingRun, 'runId' | 'organizationId' | 'delivery'> | null;
  hasWaited: boolean;
}

interface ClaimedRow extends Delivery {
  organizationId: string;
  stage: Stage;
  batchId: string;
}

/** Which runs of a stage are delivered together with others. */
export interface BatchRule {
  /** Content types of small files that are parsed together. In the later stages, all small texts are processed together. */
  readonly contentTypes: readonly string[];
  /** The most batches that one organization has in flight. Default: any number. */
  readonly perOrganization?: number;
}

/** Crashes in a row after which a run is given up. */
export const CRASH_LIMIT = 20;
/** Crashes after which a run has one try left. */
const LAST_TRY = CRASH_LIMIT - 1;
/**
 * A run on its last try waits this long for a moment in which nothing is in flight; then nothing else is
 * claimed.
 */
const LAST_TRY_WAIT_SECONDS = 600;
/** First half of the advisory lock under which claims are made; the second is the stage. */
const CLAIM_LOCK = 1_918_044;
/** A queued run that no worker took for this long is delivered again. */
const DELIVERY_TIMEOUT_SECONDS = 10;

/** An aggregate over `runs`: batches that take a slot each. */
const BATCHES = sql`count(DISTINCT batch_id)::int`;

/**
 * The first or last organization with a run of the stage `s.stage` that is due. With EXISTS or without ORDER BY, Postgres
 * may read all runs; this is the order of an index.
 */
const waitingOrganization = (order: Sql): Sql => sql`(
  SELECT organization_id FROM runs WHERE stage = s.stage AND state = 'pending' AND not_before <= now()
   ORDER BY organization_id ${order} LIMIT 1)`;

/** An expression on `runs r` and the `blobs` of their content: the size of a run that may share a batch, else null. */
function smallSize(stage: Stage, contentTypes: readonly string[]): Sql {
  const ifSmall = (size: Sql): Sql => sql`(CASE WHEN ${size} <= ${MAX_BATCH_SIZE} THEN ${size} END)::float8`;
  switch (stage) {
    case 'listing':
    case 'discovering':
    case 'fetching':
      return sql`NULL::float8`;
    case 'parsing':
      return ifSmall(sql`CASE WHEN r.content_type = ANY(${contentTypes}::text[]) THEN blobs.bytes END`);
    case 'indexing':
    case 'embedding':
      return ifSmall(sql`r.characters`);
  }
}

/**
 * A query for the runs of a stage that may be claimed next, of the organizations with the fewest batches in flight. It
 * finds the first run of each organization by skipping along the index from one to the next, and reads the first
 * runs of those that are next, as many as fill the batches.
 */
function selectPending(stage: Stage, batches: number, { contentTypes, perOrganization }: BatchRule): Sql {
  const size = smallSize(stage, contentTypes);
  const waits = sql`r.state = 'pending' AND r.stage = ${stage} AND r.crashes < ${LAST_TRY}`;
  return sql`
    WITH RECURSIVE first AS (
      (SELECT organization_id, not_before FROM runs r WHERE ${waits}
        ORDER BY organization_id, not_before LIMIT 1)
      UNION ALL
      SELECT following.* FROM first CROSS JOIN LATERAL (
        SELECT r.organization_id, r.not_before FROM runs r
         WHERE ${waits} AND r.organization_id > first.organization_id
         ORDER BY r.organization_id, r.not_before LIMIT 1) following
    ), ready AS (
      SELECT organization_id, not_before FROM first WHERE not_before <= now()
    ), in_flight AS (
      SELECT organization_id, ${BATCHES} AS batches, bool_or(state = 'queued') AS waits
        FROM runs WHERE state IN ('queued', 'active') AND stage = ${stage} GROUP BY organization_id
    ), batch AS (
      SELECT CASE WHEN count(DISTINCT organization_id) > 1 THEN ${SHORT_BATCH_RUNS} ELSE ${MAX_BATCH_RUNS} END::int AS runs
        FROM (SELECT organization_id FROM ready
              UNION ALL SELECT organization_id FROM in_flight WHERE waits) organizations
    ), next AS (
      SELECT organization_id, ready.not_before, coalesce(in_flight.batches, 0) AS batches
        FROM ready LEFT JOIN in_flight USING (organization_id)
       WHERE (coalesce(in_flight.batches, 0) < ${perOrganization ?? null}::int) IS NOT FALSE
       ORDER BY batches, ready.not_before LIMIT ${batches}
    )
    SELECT next.organization_id AS "organizationId", next.batches AS "batchesInFlight", batch.runs AS "batchRuns",
           r.id AS "runId", r.datasource_id AS "datasourceId", r.delivery, r.failures, r.crashes, ${size} AS size,
           EXISTS (SELECT 1 FROM runs r LEFT JOIN blobs ON blobs.key = r.content_key
                    WHERE r.stage = ${stage} AND r.state IN ('queued', 'active') AND r.crashes > 0
                      AND ${size} IS NOT NULL) AS "suspectIsInFlight"
      FROM next CROSS JOIN batch CROSS JOIN LATERAL (
        SELECT * FROM runs r
         WHERE ${waits} AND r.not_before <= now() AND r.organization_id = next.organization_id
         ORDER BY r.not_before LIMIT ${batches} * batch.runs) r
      LEFT JOIN blobs ON blobs.key = r.content_key
     ORDER BY next.batches, next.not_before, r.not_before, r.id`;
}

/**
 * A condition: no run of the stage is on its last try. A run that gets there at this very moment is missed:
 * if it crashes its worker again, other runs of that worker are counted a crash as well.
 */
const noRunIsOnLastTry = (stage: Stage): Sql => sql`
  NOT EXISTS (SELECT 1 FROM runs s WHERE s.stage = ${stage} AND s.crashes >= ${LAST_TRY} AND s.state = 'pending')
  AND NOT EXISTS (
    SELECT 1 FROM runs s
     WHERE s.stage = ${stage} AND s.crashes >= ${LAST_TRY} AND s.state IN ('queued', 'active'))`;

/**
 * The dispatcher's statements. They look across organizations: ids come from rows, none from a client.
 */
export class RunDispatchRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Everything that there may be to do, in one statement: dispatchers are woken many times a second. */
  async backlog(stages: readonly StageQueue[], minimumSlots: number): Promise<Backlog> {
    const rows = await queryRows<BacklogRow>(
      this.dataSource,
      sql`SELECT s.stage,
                 slots,
                 CASE WHEN first_waits IS NULL OR (first_waits = last_waits AND in_flight_of_first >= slots) THEN 0
                      ELSE 2 * slots - in_flight END AS free,
                 EXISTS (SELECT 1 FROM purges WHERE not_before <= now()) AS purges_are_due,
                 EXISTS (SELECT 1 FROM runs
                          WHERE state = 'waiting') AS groups_are_waiting,
                 EXISTS (${DUE_SYNCS}) AS syncs_are_due
            FROM unnest(
                   ${stages.map(({ stage }) => stage)}::text[],
                   ${stages.map(({ queue }) => queue)}::text[]
                 ) AS s (stage, queue)
           CROSS JOIN LATERAL (
             SELECT greatest(${slotsOf(sql`s.queue`)}, ${minimumSlots}) AS slots,
                    ${waitingOrganization(sql`ASC`)} AS first_waits, ${waitingOrganization(sql`DESC`)} AS last_waits
           ) waiting
           CROSS JOIN LATERAL (
             SELECT ${BATCHES} AS in_flight,
                    (count(DISTINCT batch_id) FILTER (WHERE organization_id = first_waits))::int AS in_flight_of_first
               FROM runs WHERE stage = s.stage AND state IN ('queued', 'active')) flying`,
    );
    return {
      capacity: new Map(
        rows.filter(({ free }) => free > 0).map(({ stage, slots, free }) => [stage, { slots, free }]),
      ),
      purgesAreDue: rows.some((row) => row.purges_are_due),
      groupsAreWaiting: rows.some((row) => row.groups_are_waiting),
      syncsAreDue: rows.some((row) => row.syncs_are_due),
    };
  }

  /**
   * Claims pending runs of a stage, in batches: those of the organizations with the fewest batches in flight first, and
   * of an organization those that have waited longest, so that a site that has had a time slice comes after those that
   * have not. Reads a bounded number of runs of each organization, however long the backlog is.
   *
   * An organization has at most `rule.perOrganization` batches in flight, so that its backlog does not hold every slot.
   * Small runs are delivered together; while another organization waits, fewer of them. Runs that have failed or crashed
   * a worker are delivered alone, and small ones that crashed one after the other: a run which crashes its worker costs
   * each other run of its batch one crash.
   *
   * A run that has one crash left is claimed alone: only while nothing of its stage is in flight, and nothing
   * else is claimed until it has ended. After ten minutes of waiting nothing else is claimed until what is in
   * flight has ended.
   *
   * @param limit batches
   */
  async claim(stage: Stage, limit: number, rule: BatchRule = { contentTypes: [] }): Promise<Batch[]> {
    const pending = await queryRows<PendingRun & { batchRuns: number; suspectIsInFlight: boolean }>(
      this.dataSource,
      selectPending(stage, limit, rule),
    );
    const [first] = pending;
    const batches = formBatches(pending, {
      batches: limit,
      runs: first?.batchRuns ?? 1,
      perOrganization: rule.perOrganization ?? Infinity,
      suspects: first?.suspectIsInFlight === true ? 0 : 1,
    });
    const claimed = await this.claimBatches(this.dataSource, stage, batches, noRunIsOnLastTry(stage));
    if (claimed.length > 0) return claimed;
    if (await queryRow(this.dataSource, sql`SELECT 1 WHERE ${noRunIsOnLastTry(stage)}`)) return [];
    return this.dataSource.transaction(async (manager) => {
      // One dispatcher at a time: what one decides about runs on their last try must hold for the next.
      await queryRow(manager, sql`SELECT pg_advisory_xact_lock(${CLAIM_LOCK}, hashtext(${stage}))`);
      const { isOneInFlight, isAnythingInFlight, hasWaited, next } = await this.lastTries(manager, stage);
      if (isOneInFlight) return [];
      if (next === null) return this.claimBatches(manager, stage, batches);
      if (!isAnythingInFlight) {
        const { organizationId } = next;
        return this.claimBatches(manager, stage, [
          { id: newId(), organizationId, priority: 1, runs: [next] },
        ]);
      }
      return hasWaited ? [] : this.claimBatches(manager, stage, batches);
    });
  }

  private async lastTries(manager: Executor, stage: Stage): Promise<LastTries> {
    const row = await queryRow<LastTries>(
      manager,
      sql`SELECT in_flight.*, to_jsonb(next) AS next,
                 coalesce(next.not_before < now() - make_interval(secs => ${LAST_TRY_WAIT_SECONDS}), false)
                   AS "hasWaited"
            FROM (SELECT count(*) > 0 AS "isAnythingInFlight",
                         coalesce(bool_or(crashes >= ${LAST_TRY}), false) AS "isOneInFlight"
                    FROM runs WHERE stage = ${stage} AND state IN ('queued', 'active')) in_flight
            LEFT JOIN LATERAL (SELECT id AS "runId", organization_id AS "organizationId", datasource_id AS "datasourceId",
                                      delivery, not_before
                                 FROM runs
                                WHERE stage = ${stage} AND state = 'pending'
                                  AND crashes >= ${LAST_TRY} AND not_before <= now()
                                ORDER BY not_before LIMIT 1) next ON true`,
    );
    if (!row) throw new Error('An aggregate without groups has one row');
    return row;
  }

  /**
   * Claims what is still pending of these batches.
   *
   * @param condition for claiming anything, for a caller that does not hold the lock
   */
  private async claimBatches(
    manager: Executor,
    stage: Stage,
    batches: readonly PlannedBatch[],
    condition: Sql = sql`true`,
  ): Promise<Batch[]> {
    if (batches.length === 0) return [];
    const planned = batches.flatMap(({ id, runs }) =>
      runs.map(({ runId, delivery }) => ({ run_id: runId, delivery, batch_id: id })),
    );
    const rows = await queryRows<ClaimedRow>(
      manager,
      sql`WITH claimed AS (
            SELECT r.id, planned.batch_id
              FROM jsonb_to_recordset(${JSON.stringify(planned)}::jsonb)
                     AS planned (run_id uuid, delivery int, batch_id uuid)
              JOIN runs r ON r.id = planned.run_id AND r.delivery = planned.delivery
             WHERE r.state = 'pending' AND ${condition} FOR UPDATE OF r SKIP LOCKED
          )
          UPDATE runs r SET state = 'queued', delivery = r.delivery + 1, queued_at = now(), batch_id = claimed.batch_id
            FROM claimed WHERE r.id = claimed.id
          RETURNING ${CLAIMED_COLUMNS}`,
    );
    const priorities = new Map(batches.map(({ id, priority }) => [id, priority]));
    return toBatches(rows, priorities).toSorted((a, b) => a.priority - b.priority);
  }

  /**
   * Batches of queued runs that no worker took in time, to be delivered again: the queue may have lost them. They are not
   * returned again before they are late again.
   *
   * @param limit runs
   */
  async takeLostDeliveries(limit: number): Promise<Batch[]> {
    const rows = await queryRows<ClaimedRow>(
      this.dataSource,
      sql`UPDATE runs r SET queued_at = now() WHERE id IN (
            SELECT id FROM runs
             WHERE state = 'queued' AND queued_at < now() - make_interval(secs => ${DELIVERY_TIMEOUT_SECONDS})
             ORDER BY queued_at, batch_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING ${CLAIMED_COLUMNS}`,
    );
    return toBatches(rows);
  }

  /** Ids of runs whose lease has expired: their worker is dead, or cannot reach the database. */
  async expiredLeases(limit: number): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT id FROM runs WHERE state = 'active' AND lease_until < now() ORDER BY lease_until LIMIT ${limit}`,
    );
    return rows.map((row) => row.id);
  }

  /**
   * Expires every lease, takes back queued runs, and makes purges due. Only for a process that knows that no
   * worker is alive: the standalone at its start.
   */
  async takeBackAllWork(): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE runs SET lease_until = now() - interval '1 second' WHERE state = 'active'`,
    );
    // Their jobs may be lost, or were taken by a dead worker. A job that arrives after all has an old
    // delivery number.
    await this.dataSource.manager.update(RunEntity, { state: 'queued' }, { state: 'pending' });
    // Those in flight have no worker any more, and there are no late writes that a second round would
    // wait for.
    await execute(
      this.dataSource,
      sql`UPDATE purges SET not_before = now(), batch_id = NULL WHERE not_before > now()`,
    );
    await this.dataSource.manager.deleteAll(WorkerEntity);
  }

  /**
   * Unfinished runs by stage and state, for metrics. `waitSeconds` is the time since the oldest of them that waits for
   * a dispatcher or a worker could have started; 0 if none waits.
   */
  async runsByStage(): Promise<{ stage: Stage; state: RunState; runs: number; waitSeconds: number }[]> {
    return queryRows(
      this.dataSource,
      sql`SELECT stage, state, count(*)::int AS runs,
                 coalesce(extract(epoch FROM now() - min(not_before) FILTER (
                   WHERE state IN ('pending', 'queued') AND not_before <= now()
                 )), 0)::float8 AS "waitSeconds"
            FROM runs WHERE state IN ${UNFINISHED_STATES} GROUP BY stage, state`,
    );
  }
}

const CLAIMED_COLUMNS = sql`r.id AS "runId", r.organization_id AS "organizationId", r.datasource_id AS "datasourceId",
  r.delivery, r.stage, coalesce(r.batch_id, r.id) AS "batchId"`;

function toBatches(
  rows: readonly ClaimedRow[],
  priorities: ReadonlyMap<string, number> = new Map(),
): Batch[] {
  const batches = Map.groupBy(rows, ({ batchId }) => batchId);
  return [...batches].flatMap(([id, runs]) => {
    const [first] = runs;
    if (first === undefined) return [];
    const { organizationId, stage } = first;
    const deliveries = runs.map(({ runId, datasourceId, delivery }) => ({ runId, datasourceId, delivery }));
    return { id, organizationId, stage, deliveries, priority: priorities.get(id) ?? 1 };
  });
}
