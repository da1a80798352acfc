import type { Stage } from '@citewell/contracts/http';
import type { DataSource, EntityManager } from 'typeorm';
import { hydrate } from '../connection/hydrate.js';
import { PurgeEntity } from '../purging/purge.entity.js';
import { DUE_SYNCS } from '../datasources/due-syncs.js';
import { UNDER_WAY } from './under-way.js';

/** A run that was claimed for delivery. */
export interface ClaimedRun {
  runId: string;
  organizationId: string;
  datasourceId: string;
  delivery: number;
  stage: Stage;
  /** 1 for the first run that its organization has in flight, 2 for the second, …: the queue's priority. */
  turn: number;
}

interface ClaimedRow {
  id: string;
  organization_id: string;
  datasource_id: string;
  delivery: number;
  stage: Stage;
  turn: number;
}

/** A stage of runs, and the queue of the workers that carry it out. */
export interface StageQueue {
  stage: Stage;
  queue: string;
}

/** What there is to do for a dispatcher. */
export interface Outlook {
  /**
   * How many more runs of a stage may be in flight: twice the slots of the workers that are alive, less what is. Of
   * stages that have no room, or that no run waits for, there is none.
   */
  room: Map<Stage, number>;
  purgesAreDue: boolean;
  /** Crawls are over, and wait for their pages or for being ended. */
  sitesAreDiscovered: boolean;
  /** Datasources are to be brought up to date again. */
  syncsAreDue: boolean;
}

interface OutlookRow {
  stage: Stage;
  room: number;
  purges_are_due: boolean;
  sites_are_discovered: boolean;
  syncs_are_due: boolean;
}

/** How runs on their last try stand in a stage. */
interface LastTries {
  /** Anything is in flight. */
  busy: boolean;
  /** One of them is. */
  under_way: boolean;
  /** The one that is due for longest. */
  next_id: string | null;
  has_waited: boolean;
}

/** Deaths of workers in a row after which a run is given up. */
export const CRASH_LIMIT = 20;
/** Such a run has one try left. */
const LAST_TRY = CRASH_LIMIT - 1;
/** So long a run on its last try waits for the others to leave it alone before it makes them. */
const LAST_TRY_PATIENCE_SECONDS = 600;
/** First half of the advisory lock under which claims are made; the second is the stage. */
const CLAIM_LOCK = 1_918_044;
/** A worker that was not seen for this long no longer counts. */
const WORKER_SILENCE_SECONDS = 15;
/** A queued run that nobody took for this long is handed to the queue again. */
const DELIVERY_PATIENCE_SECONDS = 10;
/** Jobs that the living workers of a queue take at once. @param queue an expression */
const slotsOf = (queue: string): string =>
  `(SELECT coalesce(sum(slots), 0)::int FROM workers
     WHERE workers.queue = ${queue} AND seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS}))`;

/** What takes a worker's slot: pages that a worker takes along with another of their site were never delivered. */
const DELIVERED = `state IN ('queued', 'active') AND queued_at IS NOT NULL`;

/**
 * Finds the organizations that have pending runs by hopping along the index from one to the next, takes the
 * first of each, and orders them by how many their organization would then have in flight.
 */
const claimInTurnIf = (condition: string): string => `
  WITH RECURSIVE waiting AS (
    (SELECT organization_id FROM runs WHERE state = 'pending' AND stage = $1 ORDER BY organization_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.organization_id FROM runs r
             WHERE r.state = 'pending' AND r.stage = $1 AND r.organization_id > w.organization_id
             ORDER BY r.organization_id LIMIT 1)
      FROM waiting w WHERE w.organization_id IS NOT NULL
  ), in_flight AS (
    SELECT organization_id, count(*)::int AS runs FROM runs
     WHERE ${DELIVERED} AND stage = $1 GROUP BY organization_id
  ), candidates AS (
    SELECT next.id, next.not_before, (coalesce(in_flight.runs, 0) + next.place)::int AS turn
      FROM waiting
     CROSS JOIN LATERAL (
       SELECT first.id, first.not_before, row_number() OVER (ORDER BY first.not_before, first.id) AS place
         FROM (SELECT r.id, r.not_before FROM runs r
                WHERE r.state = 'pending' AND r.stage = $1 AND r.organization_id = waiting.organization_id
                  AND r.not_before <= now() AND r.discovered_at IS NULL AND r.crashes < ${LAST_TRY}
                ORDER BY r.not_before LIMIT $2) first
     ) next
      LEFT JOIN in_flight USING (organization_id)
     ORDER BY turn, next.not_before
     LIMIT $2
  ), claimed AS (
    SELECT r.id, candidates.turn FROM runs r JOIN candidates USING (id)
     WHERE r.state = 'pending' AND ${condition} FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE runs r SET state = 'queued', delivery = r.delivery + 1, queued_at = now()
    FROM claimed WHERE r.id = claimed.id
  RETURNING r.id, r.organization_id, r.datasource_id, r.delivery, r.stage, claimed.turn`;

/** A run that comes to its last try in this very moment is not seen: then one more crash may be counted against another. */
const NOBODY_IS_ON_LAST_TRY = `NOT EXISTS (
    SELECT 1 FROM runs s WHERE s.stage = $1 AND s.crashes >= ${LAST_TRY} AND s.state = 'pending')
  AND NOT EXISTS (
    SELECT 1 FROM runs s WHERE s.stage = $1 AND s.crashes >= ${LAST_TRY} AND s.state IN ('queued', 'active'))`;

/**
 * What the dispatcher asks of the database. It is the one place that looks across organizations: everything
 * here takes ids from rows, none from a client.
 */
export class RunDispatchRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Everything that there may be to do, in one look: dispatchers are woken many times a second. */
  async outlook(stages: readonly StageQueue[], minimumSlots: number): Promise<Outlook> {
    const rows = await this.dataSource.query<OutlookRow[]>(
      `SELECT s.stage, CASE WHEN is_wanted THEN 2 * greatest(slots, $3) - in_flight ELSE 0 END AS room,
              EXISTS (SELECT 1 FROM purges WHERE not_before <= now()) AS purges_are_due,
              EXISTS (SELECT 1 FROM runs WHERE state = 'pending' AND discovered_at IS NOT NULL) AS sites_are_discovered,
              EXISTS (${DUE_SYNCS}) AS syncs_are_due
         FROM unnest($1::text[], $2::text[]) AS s (stage, queue)
        CROSS JOIN LATERAL (
          SELECT ${slotsOf('s.queue')} AS slots,
                 (SELECT count(*)::int FROM runs WHERE stage = s.stage AND ${DELIVERED}) AS in_flight,
                 EXISTS (SELECT 1 FROM runs WHERE stage = s.stage AND state = 'pending' AND not_before <= now()
                            AND discovered_at IS NULL) AS is_wanted) situation`,
      [stages.map(({ stage }) => stage), stages.map(({ queue }) => queue), minimumSlots],
    );
    return {
      room: new Map(rows.filter(({ room }) => room > 0).map(({ stage, room }) => [stage, room])),
      purgesAreDue: rows.some((row) => row.purges_are_due),
      sitesAreDiscovered: rows.some((row) => row.sites_are_discovered),
      syncsAreDue: rows.some((row) => row.syncs_are_due),
    };
  }

  /**
   * Claims pending runs of a stage, organization by organization: whoever has the fewest in flight comes first, then who
   * has waited longest, so that a site that has had its turn comes after those that have not. Costs a look at the first
   * `limit` runs of each organization that has any, however long the backlog is.
   *
   * A run that killed as many workers as it may but one is claimed alone: with nothing of its stage in flight,
   * and nothing claimed beside it until it has ended. It waits for a quiet moment, and after ten minutes it gets
   * one: nothing else is claimed until what is in flight has ended.
   */
  async claim(stage: Stage, limit: number): Promise<ClaimedRun[]> {
    const claimed = await this.claimInTurn(this.dataSource.manager, stage, limit, NOBODY_IS_ON_LAST_TRY);
    if (claimed.length > 0) return claimed;
    return this.dataSource.transaction(async (manager) => {
      // Dispatchers take turns: what one decides about runs on their last try must hold for the next.
      await manager.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CLAIM_LOCK, stage]);
      const situation = await this.lastTries(manager, stage);
      if (situation.under_way) return [];
      if (situation.next_id === null) return this.claimInTurn(manager, stage, limit);
      if (!situation.busy) return this.claimOne(manager, situation.next_id);
      return situation.has_waited ? [] : this.claimInTurn(manager, stage, limit);
    });
  }

  private async lastTries(manager: EntityManager, stage: Stage): Promise<LastTries> {
    const [row] = await manager.query<LastTries[]>(
      `SELECT in_flight.busy, in_flight.under_way, next.id AS next_id,
              coalesce(next.not_before < now() - make_interval(secs => $2), false) AS has_waited
         FROM (SELECT count(*) > 0 AS busy, coalesce(bool_or(crashes >= ${LAST_TRY}), false) AS under_way
                 FROM runs WHERE stage = $1 AND state IN ('queued', 'active')) in_flight
         LEFT JOIN LATERAL (SELECT id, not_before FROM runs
                             WHERE stage = $1 AND state = 'pending' AND discovered_at IS NULL
                               AND crashes >= ${LAST_TRY} AND not_before <= now()
                             ORDER BY not_before LIMIT 1) next ON true`,
      [stage, LAST_TRY_PATIENCE_SECONDS],
    );
    if (!row) throw new Error('An aggregate without groups has one row');
    return row;
  }

  private async claimOne(manager: EntityManager, runId: string): Promise<ClaimedRun[]> {
    const [rows] = await manager.query<[ClaimedRow[], number]>(
      `UPDATE runs SET state = 'queued', delivery = delivery + 1, queued_at = now()
        WHERE id = $1 AND state = 'pending'
       RETURNING id, organization_id, datasource_id, delivery, stage, 1 AS turn`,
      [runId],
    );
    return rows.map(toClaimedRun);
  }

  /** @param condition on the whole, for claims that hold no lock */
  private async claimInTurn(
    manager: EntityManager,
    stage: Stage,
    limit: number,
    condition = 'true',
  ): Promise<ClaimedRun[]> {
    const [rows] = await manager.query<[ClaimedRow[], number]>(claimInTurnIf(condition), [stage, limit]);
    return rows.map(toClaimedRun).sort((a, b) => a.turn - b.turn);
  }

  /** Runs that were handed to a queue and not taken: the queue may have lost them. Delivering again is harmless. */
  async lostDeliveries(limit: number): Promise<ClaimedRun[]> {
    const rows = await this.dataSource.query<[ClaimedRow[], number]>(
      `UPDATE runs SET queued_at = now() WHERE id IN (
         SELECT id FROM runs WHERE state = 'queued' AND queued_at < now() - make_interval(secs => $1)
          ORDER BY queued_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id, organization_id, datasource_id, delivery, stage, 1 AS turn`,
      [DELIVERY_PATIENCE_SECONDS, limit],
    );
    return rows[0].map(toClaimedRun);
  }

  /** Ids of runs whose lease ran out: their worker is dead, or cannot reach the database. */
  async expiredLeases(limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM runs WHERE state = 'active' AND lease_until < now() ORDER BY lease_until LIMIT $1`,
      [limit],
    );
    return rows.map((row) => row.id);
  }

  /**
   * Ends every lease at once, takes back what was delivered and not taken, and makes purges due. Only for a process
   * that knows all workers to be dead: the standalone at its start.
   */
  async endAllLeases(): Promise<void> {
    await this.dataSource.query(
      `UPDATE runs SET lease_until = now() - interval '1 second' WHERE state = 'active'`,
    );
    // Their jobs may be lost, or in the hands of a dead worker. One that comes after all has an old delivery.
    await this.dataSource.query(`UPDATE runs SET state = 'pending' WHERE state = 'queued'`);
    // Nobody carries them out, and nobody is left who could write late.
    await this.dataSource.query('UPDATE purges SET not_before = now() WHERE not_before > now()');
    await this.dataSource.query('DELETE FROM workers');
  }

  /**
   * Takes purges that are due, those of datastores first, since they let go of what counts against limits; so many that twice as many are in flight as the queue's workers have slots; each is
   * hidden from others for `visibilitySeconds`, or until it is settled.
   */
  async claimPurges(queue: string, minimumSlots: number, visibilitySeconds: number): Promise<PurgeEntity[]> {
    const rows = await this.dataSource.query<[Record<string, unknown>[], number]>(
      `WITH room AS (
         SELECT greatest(0, 2 * greatest(${slotsOf('$1')}, $2) -
                  (SELECT count(*) FROM purges WHERE attempts > 0 AND not_before > now())) AS purges
       ), of_datastores AS (
         SELECT id FROM purges WHERE kind = 'datastore' AND not_before <= now()
          ORDER BY not_before LIMIT (SELECT purges FROM room) FOR UPDATE SKIP LOCKED
       ), others AS (
         SELECT id FROM purges WHERE kind <> 'datastore' AND not_before <= now()
          ORDER BY not_before LIMIT (SELECT purges - (SELECT count(*) FROM of_datastores) FROM room) FOR UPDATE SKIP LOCKED
       )
       UPDATE purges SET attempts = attempts + 1, not_before = now() + make_interval(secs => $3)
        WHERE id IN (SELECT id FROM of_datastores UNION ALL SELECT id FROM others)
       RETURNING *`,
      [queue, minimumSlots, visibilitySeconds],
    );
    return hydrate(this.dataSource, PurgeEntity, rows[0]);
  }

  /** A worker says that it is alive. */
  async sawWorker(id: string, queue: string, slots: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO workers (id, queue, slots, seen_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (id, queue) DO UPDATE SET slots = excluded.slots, seen_at = now()`,
      [id, queue, slots],
    );
  }

  async workerLeft(id: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workers WHERE id = $1 OR seen_at < now() - make_interval(secs => $2 * 240)`,
      [id, WORKER_SILENCE_SECONDS],
    );
  }

  /** Waiting and running work by stage, for metrics. */
  async backlog(): Promise<{ stage: Stage; state: string; runs: number }[]> {
    return this.dataSource.query(
      `SELECT stage, state, count(*)::int AS runs FROM runs
        WHERE ${UNDER_WAY} GROUP BY stage, state`,
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
    turn: row.turn,
  };
}
