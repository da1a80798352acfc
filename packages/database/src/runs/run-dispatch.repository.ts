import type { RunState, Stage } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { hydrate } from '../connection/hydrate.js';
import { PurgeEntity } from '../purging/purge.entity.js';
import { PURGE_CLAIM_SECONDS } from '../purging/purge.repository.js';
import { DUE_SYNCS } from '../datasources/due-syncs.js';
import { FEW_SIBLINGS } from './claim-runs.js';
import { RunEntity } from './run.entity.js';
import { WorkerEntity } from './worker.entity.js';
import { UNFINISHED_STATES } from './unfinished.js';
import { execute, type Executor, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';

/** A run that was claimed for delivery. */
export interface ClaimedRun {
  runId: string;
  organizationId: string;
  datasourceId: string;
  delivery: number;
  stage: Stage;
  /** The queue's: 1 for the first run that its organization has in flight, 2 for the second, and so on. */
  priority: number;
}

interface ClaimedRow {
  id: string;
  organization_id: string;
  datasource_id: string;
  delivery: number;
  stage: Stage;
  priority: number;
}

/** A stage of runs, and the queue of its workers. */
export interface StageQueue {
  stage: Stage;
  queue: string;
}

export interface StageCapacity {
  /** How many more runs may be in flight: twice the slots of the living workers, less the runs in flight. */
  readonly runs: number;
  /** Living worker processes, or 1. */
  readonly workers: number;
}

/** Work that waits for a dispatcher. */
export interface Backlog {
  /** Only stages that have capacity and pending runs. */
  capacity: Map<Stage, StageCapacity>;
  purgesAreDue: boolean;
  /** Sites whose crawl is over wait for their pages, or to be finished. */
  crawledSitesAreWaiting: boolean;
  syncsAreDue: boolean;
}

interface BacklogRow {
  stage: Stage;
  capacity: number;
  workers: number;
  purges_are_due: boolean;
  crawled_sites_are_waiting: boolean;
  syncs_are_due: boolean;
}

/** The runs of a stage that have one crash left. */
interface LastTries {
  /** Any run of the stage is in flight. */
  is_anything_in_flight: boolean;
  /** One that has one crash left is in flight. */
  is_one_in_flight: boolean;
  /** Of those that are due, the one that has waited longest. */
  next_id: string | null;
  has_waited: boolean;
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
/** A worker that was not seen for this long no longer counts. */
const WORKER_SILENCE_SECONDS = 15;
/** A queued run that no worker took for this long is delivered again. */
const DELIVERY_TIMEOUT_SECONDS = 10;

/** Rows of `workers`; further conditions may follow. */
const LIVING_WORKERS = sql`workers WHERE seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS})`;

/** The living workers of a queue. @param queue an expression */
const workersOf = (queue: Sql): Sql => sql`${LIVING_WORKERS} AND workers.queue = ${queue}`;

/** An expression: jobs that the living workers of a queue work on at once. @param queue an expression */
const slotsOf = (queue: Sql): Sql => sql`(SELECT coalesce(sum(slots), 0)::int FROM ${workersOf(queue)})`;

/**
 * A condition on `runs`: the run takes a slot of a worker. Siblings that a worker claimed with another run do
 * not.
 */
const DELIVERED = sql`state IN ('queued', 'active') AND queued_at IS NOT NULL`;

/** A condition on `runs r`: the run may be claimed beside others. */
const CLAIMABLE = sql`r.state = 'pending' AND r.not_before <= now() AND r.discovered_at IS NULL
  AND r.crashes < ${LAST_TRY}`;

/**
 * A statement that claims runs of a stage, of the organizations with the fewest runs in flight first. It
 * finds the organizations that have pending runs by skipping along the index from one to the next, takes the
 * first runs of each, and orders them by how many runs their organization would then have in flight.
 *
 * An organization with a batch of siblings in flight gets about one job for each worker, so that slots stay free for
 * others.
 *
 * @param condition without which nothing is claimed
 */
function claimFairly(stage: Stage, { runs: limit, workers }: StageCapacity, condition: Sql): Sql {
  return sql`
    WITH RECURSIVE waiting AS (
      (SELECT organization_id FROM runs WHERE state = 'pending' AND stage = ${stage}
        ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.organization_id FROM runs r
               WHERE r.state = 'pending' AND r.stage = ${stage} AND r.organization_id > w.organization_id
               ORDER BY r.organization_id LIMIT 1)
        FROM waiting w WHERE w.organization_id IS NOT NULL
    ), in_flight AS (
      -- Siblings take no slot: their queued_at is null. Those of a dead worker do not count.
      SELECT organization_id, count(queued_at)::int AS runs,
             count(*) FILTER (WHERE queued_at IS NULL AND lease_owner IN (SELECT id FROM ${LIVING_WORKERS}))
               > ${FEW_SIBLINGS * workers} AS has_batch
        FROM runs WHERE state IN ('queued', 'active') AND stage = ${stage} GROUP BY organization_id
    ), candidates AS (
      SELECT next.id, next.not_before, (coalesce(in_flight.runs, 0) + next.rank)::int AS priority
        FROM waiting
       CROSS JOIN LATERAL (
         SELECT first.id, first.not_before, row_number() OVER (ORDER BY first.not_before, first.id) AS rank
           FROM (SELECT r.id, r.not_before FROM runs r
                  WHERE ${CLAIMABLE} AND r.stage = ${stage} AND r.organization_id = waiting.organization_id
                  ORDER BY r.not_before LIMIT ${limit}) first
       ) next
        LEFT JOIN in_flight USING (organization_id)
       WHERE in_flight.has_batch IS NOT TRUE OR in_flight.runs + next.rank <= ${workers}
       ORDER BY priority, next.not_before
       LIMIT ${limit}
    ), claimed AS (
      SELECT r.id, candidates.priority FROM runs r JOIN candidates USING (id)
       WHERE r.state = 'pending' AND ${condition} FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE runs r SET state = 'queued', delivery = r.delivery + 1, queued_at = now()
      FROM claimed WHERE r.id = claimed.id
    RETURNING r.id, r.organization_id, r.datasource_id, r.delivery, r.stage, claimed.priority`;
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
                 CASE WHEN is_wanted THEN 2 * greatest(slots, ${minimumSlots}) - in_flight ELSE 0 END AS capacity,
                 (SELECT greatest(count(*), 1)::int FROM ${workersOf(sql`s.queue`)}) AS workers,
                 EXISTS (SELECT 1 FROM purges WHERE not_before <= now()) AS purges_are_due,
                 EXISTS (SELECT 1 FROM runs
                          WHERE state = 'pending' AND discovered_at IS NOT NULL) AS crawled_sites_are_waiting,
                 EXISTS (${DUE_SYNCS}) AS syncs_are_due
            FROM unnest(
                   ${stages.map(({ stage }) => stage)}::text[],
                   ${stages.map(({ queue }) => queue)}::text[]
                 ) AS s (stage, queue)
           CROSS JOIN LATERAL (
             SELECT ${slotsOf(sql`s.queue`)} AS slots,
                    (SELECT count(*)::int FROM runs WHERE stage = s.stage AND ${DELIVERED}) AS in_flight,
                    -- With EXISTS, Postgres reads all pending runs of all stages at once.
                    coalesce((SELECT true FROM runs WHERE stage = s.stage AND state = 'pending'
                                 AND not_before <= now() AND discovered_at IS NULL LIMIT 1), false)
                      AS is_wanted) situation`,
    );
    return {
      capacity: new Map(
        rows
          .filter(({ capacity }) => capacity > 0)
          .map(({ stage, capacity, workers }) => [stage, { runs: capacity, workers }]),
      ),
      purgesAreDue: rows.some((row) => row.purges_are_due),
      crawledSitesAreWaiting: rows.some((row) => row.crawled_sites_are_waiting),
      syncsAreDue: rows.some((row) => row.syncs_are_due),
    };
  }

  /**
   * Claims pending runs of a stage: those of the organizations with the fewest runs in flight first, and of
   * an organization those that have waited longest, so that a site that has had a time slice comes after
   * those that have not. Reads at most the first `limit` runs of each organization, however long the backlog
   * is.
   *
   * A run that has one crash left is claimed alone: only while nothing of its stage is in flight, and nothing
   * else is claimed until it has ended. After ten minutes of waiting nothing else is claimed until what is in
   * flight has ended.
   *
   * @param workers living worker processes of the stage
   */
  async claim(stage: Stage, limit: number, workers = 1): Promise<ClaimedRun[]> {
    const capacity = { runs: limit, workers };
    const claimed = await this.claimRuns(this.dataSource, stage, capacity, noRunIsOnLastTry(stage));
    if (claimed.length > 0) return claimed;
    const isOrdinary = sql`SELECT ${noRunIsOnLastTry(stage)} AS "isOrdinary"`;
    if ((await queryRow<{ isOrdinary: boolean }>(this.dataSource, isOrdinary))?.isOrdinary) return [];
    return this.dataSource.transaction(async (manager) => {
      // One dispatcher at a time: what one decides about runs on their last try must hold for the next.
      await queryRow(manager, sql`SELECT pg_advisory_xact_lock(${CLAIM_LOCK}, hashtext(${stage}))`);
      const lastTries = await this.lastTries(manager, stage);
      if (lastTries.is_one_in_flight) return [];
      if (lastTries.next_id === null) return this.claimRuns(manager, stage, capacity);
      if (!lastTries.is_anything_in_flight) return this.claimOne(manager, lastTries.next_id);
      return lastTries.has_waited ? [] : this.claimRuns(manager, stage, capacity);
    });
  }

  private async lastTries(manager: Executor, stage: Stage): Promise<LastTries> {
    const row = await queryRow<LastTries>(
      manager,
      sql`SELECT in_flight.is_anything_in_flight, in_flight.is_one_in_flight, next.id AS next_id,
                 coalesce(next.not_before < now() - make_interval(secs => ${LAST_TRY_WAIT_SECONDS}), false)
                   AS has_waited
            FROM (SELECT count(*) > 0 AS is_anything_in_flight,
                         coalesce(bool_or(crashes >= ${LAST_TRY}), false) AS is_one_in_flight
                    FROM runs WHERE stage = ${stage} AND state IN ('queued', 'active')) in_flight
            LEFT JOIN LATERAL (SELECT id, not_before FROM runs
                                WHERE stage = ${stage} AND state = 'pending' AND discovered_at IS NULL
                                  AND crashes >= ${LAST_TRY} AND not_before <= now()
                                ORDER BY not_before LIMIT 1) next ON true`,
    );
    if (!row) throw new Error('An aggregate without groups has one row');
    return row;
  }

  private async claimOne(manager: Executor, runId: string): Promise<ClaimedRun[]> {
    const rows = await queryRows<ClaimedRow>(
      manager,
      sql`UPDATE runs SET state = 'queued', delivery = delivery + 1, queued_at = now()
           WHERE id = ${runId} AND state = 'pending'
          RETURNING id, organization_id, datasource_id, delivery, stage, 1 AS priority`,
    );
    return rows.map(toClaimedRun);
  }

  /** @param condition for claiming anything, for a caller that does not hold the lock */
  private async claimRuns(
    manager: Executor,
    stage: Stage,
    capacity: StageCapacity,
    condition: Sql = sql`true`,
  ): Promise<ClaimedRun[]> {
    const rows = await queryRows<ClaimedRow>(manager, claimFairly(stage, capacity, condition));
    return rows.map(toClaimedRun).sort((a, b) => a.priority - b.priority);
  }

  /** Queued runs that no worker took in time, to be delivered again: the queue may have lost them. */
  async lostDeliveries(limit: number): Promise<ClaimedRun[]> {
    const rows = await queryRows<ClaimedRow>(
      this.dataSource,
      sql`UPDATE runs SET queued_at = now() WHERE id IN (
            SELECT id FROM runs
             WHERE state = 'queued' AND queued_at < now() - make_interval(secs => ${DELIVERY_TIMEOUT_SECONDS})
             ORDER BY queued_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING id, organization_id, datasource_id, delivery, stage, 1 AS priority`,
    );
    return rows.map(toClaimedRun);
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
  async endAllLeases(): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE runs SET lease_until = now() - interval '1 second' WHERE state = 'active'`,
    );
    // Their jobs may be lost, or were taken by a dead worker. A job that arrives after all has an old
    // delivery number.
    await this.dataSource.manager.update(RunEntity, { state: 'queued' }, { state: 'pending' });
    // Those in flight have no worker any more, and there are no late writes that a second round would
    // wait for.
    await execute(this.dataSource, sql`UPDATE purges SET not_before = now() WHERE not_before > now()`);
    await this.dataSource.manager.deleteAll(WorkerEntity);
  }

  /**
   * Claims purges that are due, those of datastores first, as they free what counts against limits. At most
   * twice the slots of the queue's workers are in flight. A claimed purge is hidden from others for
   * {@link PURGE_CLAIM_SECONDS}.
   */
  async claimPurges(queue: string, minimumSlots: number): Promise<PurgeEntity[]> {
    const rows = await queryRows<Record<string, unknown>>(
      this.dataSource,
      sql`WITH capacity AS (
            SELECT greatest(0, 2 * greatest(${slotsOf(sql`${queue}`)}, ${minimumSlots}) -
                     (SELECT count(*) FROM purges WHERE attempts > 0 AND not_before > now())) AS purges
          ), of_datastores AS (
            SELECT id FROM purges WHERE kind = 'datastore' AND not_before <= now()
             ORDER BY not_before LIMIT (SELECT purges FROM capacity) FOR UPDATE SKIP LOCKED
          ), others AS (
            SELECT id FROM purges WHERE kind <> 'datastore' AND not_before <= now()
             ORDER BY not_before LIMIT (SELECT purges - (SELECT count(*) FROM of_datastores) FROM capacity)
               FOR UPDATE SKIP LOCKED
          )
          UPDATE purges
             SET attempts = attempts + 1, not_before = now() + make_interval(secs => ${PURGE_CLAIM_SECONDS})
           WHERE id IN (SELECT id FROM of_datastores UNION ALL SELECT id FROM others)
          RETURNING *`,
    );
    return hydrate(this.dataSource, PurgeEntity, rows);
  }

  /** A worker is alive. */
  async workerHeartbeat(id: string, queue: string, slots: number): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`INSERT INTO workers (id, queue, slots, seen_at) VALUES (${id}, ${queue}, ${slots}, now())
          ON CONFLICT (id, queue) DO UPDATE SET slots = excluded.slots, seen_at = now()`,
    );
  }

  /** Removes a worker that has stopped, and those that have been silent for an hour. */
  async removeWorker(id: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`DELETE FROM workers
           WHERE id = ${id} OR seen_at < now() - make_interval(secs => ${WORKER_SILENCE_SECONDS * 240})`,
    );
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
                   WHERE state IN ('pending', 'queued') AND discovered_at IS NULL AND not_before <= now()
                 )), 0)::float8 AS "waitSeconds"
            FROM runs WHERE state IN ${UNFINISHED_STATES} GROUP BY stage, state`,
    );
  }
}

function toClaimedRun(row: ClaimedRow): ClaimedRun {
  return {
    runId: row.id,
    organizationId: row.organization_id,
    datasourceId: row.datasource_id,
    delivery: row.delivery,
    stage: row.stage,
    priority: row.priority,
  };
}
