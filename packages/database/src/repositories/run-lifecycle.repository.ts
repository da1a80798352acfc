import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import type { DatasourceError, Stage } from '@citewell/contracts/http';
import type { RunPayload } from '@citewell/contracts/jobs';
import type { DataSource, EntityManager } from 'typeorm';
import { DatasourceEntity } from '../entities/datasource.entity.js';
import { type RunCounts, RunEntity, type StageProgress, type Validators } from '../entities/run.entity.js';
import { hydrateOne } from '../hydrate.js';
import { failureLimit, pauseMs } from './failure-policy.js';
import { changeLeased, giveBackLease, GIVEN_BACK, LEASE_IS_OURS, LeaseLostError } from './lease.js';
import { lockDatasource, lockDatasourceOf } from './lock-datasource.js';
import { WAKES_DISPATCHER } from './dispatch-channels.js';
import { CRASH_LIMIT } from './run-dispatch.repository.js';
import { takeOutOfService } from './take-out-of-service.js';
import { cancelRuns, ENDED, requestPurges, UNDER_WAY } from './under-way.js';

/** A run, its datasource, and the proof that this worker may change them. */
export interface LeasedRun {
  run: RunEntity;
  datasource: DatasourceEntity;
  /** The run that answers queries; while this one is under way, no other takes its place. */
  serving: RunEntity | null;
}

/** What a stage hands to the next. Absent fields stay as they are. */
export interface StageResult {
  contentKey?: string;
  contentType?: string;
  contentName?: string;
  fingerprint?: string;
  counts?: RunCounts;
  characters?: number;
  validators?: Validators;
  textHash?: string;
}

/**
 * The one place that changes the state of a run and the status of its datasource, each change by
 * compare-and-set under the run's lease: a late or doubled job changes nothing. A lease is of one delivery to
 * one process, so a handler that slept through the loss of its lease is told apart from a later one beside it.
 *
 * Every transaction here and in `DatasourceRepository` locks the datasource first and its run after: in the
 * other order, deleting what just ends would be a deadlock.
 */
export class RunLifecycleRepository {
  /**
   * @param owner names this process; a lease carries it
   * @param leaseSeconds how long a lease holds without a heartbeat
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly owner: string,
    private readonly leaseSeconds: number,
  ) {}

  /** Takes the lease of a delivered run. Null when there is nothing to do: doubled, late, cancelled or deleted. */
  async take(payload: RunPayload): Promise<LeasedRun | null> {
    const [row] = await this.dataSource.query<Record<'run' | 'datasource' | 'serving', JsonRow | null>[]>(
      `WITH held AS (
         SELECT id FROM datasources WHERE id = $6 AND organization_id = $5 AND deleted_at IS NULL FOR UPDATE
       ), leased AS (
         UPDATE runs SET state = 'active', lease_owner = $3, lease_until = now() + make_interval(secs => $4),
                started_at = coalesce(started_at, now()),
                progress = CASE WHEN stage = 'discovering' THEN progress END
           FROM held
          WHERE runs.id = $1 AND delivery = $2 AND state = 'queued' AND organization_id = $5 AND datasource_id = held.id
         RETURNING runs.*
       ), shown AS (
         UPDATE datasources SET status = 'running', updated_at = now() FROM leased
          WHERE datasources.id = leased.datasource_id
         RETURNING datasources.*
       )
       SELECT to_jsonb(leased) AS run, to_jsonb(shown) AS datasource, to_jsonb(serving) AS serving
         FROM leased JOIN shown ON true LEFT JOIN runs serving ON serving.id = shown.serving_run_id`,
      [
        payload.runId,
        payload.delivery,
        this.owner,
        this.leaseSeconds,
        payload.organizationId,
        payload.datasourceId,
      ],
    );
    const run = hydrateOne(this.dataSource, RunEntity, row?.run);
    const datasource = hydrateOne(this.dataSource, DatasourceEntity, row?.datasource);
    const serving = hydrateOne(this.dataSource, RunEntity, row?.serving);
    return run && datasource ? { run, datasource, serving } : null;
  }

  /** Keeps the lease and tells how far the stage is. @throws {@link LeaseLostError} */
  async heartbeat(run: RunEntity, progress: StageProgress | null): Promise<void> {
    const [, changed] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE runs SET lease_until = now() + make_interval(secs => $4), progress = coalesce($5::jsonb, progress)
        WHERE ${LEASE_IS_OURS}`,
      [
        run.id,
        this.owner,
        run.delivery,
        this.leaseSeconds,
        progress === null ? null : JSON.stringify(progress),
      ],
    );
    if (changed === 0) throw new LeaseLostError(run.id);
  }

  /** Notes the vector space before the first point is written, so that points can always be found again. */
  async writingTo(run: RunEntity, space: string): Promise<void> {
    await changeLeased(this.dataSource.manager, this.owner, run, `space = $4`, [space]);
  }

  /** The stage is done; the run waits for a worker of the next one. @throws {@link LeaseLostError} */
  async advance(run: RunEntity, stage: Stage, result: StageResult): Promise<void> {
    await giveBackLease(
      this.dataSource.manager,
      this.owner,
      run,
      `stage = $4, failures = 0, crashes = 0, not_before = now(), progress = NULL, error = NULL,
       content_key = coalesce($5, content_key), content_type = coalesce($6, content_type),
       content_name = coalesce($7, content_name), fingerprint = coalesce($8, fingerprint),
       counts = coalesce($9::jsonb, counts), characters = coalesce($10, characters),
       validators = coalesce($11::jsonb, validators), text_hash = coalesce($12, text_hash)`,
      [
        stage,
        result.contentKey ?? null,
        result.contentType ?? null,
        result.contentName ?? null,
        result.fingerprint ?? null,
        result.counts ? JSON.stringify(result.counts) : null,
        result.characters ?? null,
        result.validators ? JSON.stringify(result.validators) : null,
        result.textHash ?? null,
      ],
    );
  }

  /**
   * The switch: from the commit of this transaction on, this run answers and no other of its datasource does.
   *
   * @returns the revision that it became
   * @throws {@link LeaseLostError} when the lease is no longer ours, or the datasource was deleted meanwhile
   * @throws {@link IngestionError} `USAGE_LIMIT` when the organization may not store that much
   */
  async serve(run: RunEntity, counts: RunCounts): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const datasource = await lockDatasourceOf(manager, run);
      await this.countStorage(manager, run, datasource.servingRunId);
      const [switched] = await manager.query<{ revision: number }[]>(
        `WITH served AS (
           UPDATE runs SET state = 'succeeded', ${ENDED}, error = NULL, counts = $4::jsonb,
                  revision = 1 + (SELECT coalesce(max(o.revision), 0) FROM runs o
                                   WHERE o.organization_id = runs.organization_id AND o.datasource_id = runs.datasource_id)
            WHERE ${LEASE_IS_OURS} RETURNING id, revision, space, datasource_id
         ), shown AS (
           UPDATE datasources d SET serving_run_id = served.id, status = 'synched', error = NULL, last_synch = now(), updated_at = now()
             FROM served WHERE d.id = served.datasource_id
         ), noted AS (
           UPDATE datastores s SET spaces = array_append(s.spaces, served.space) FROM served
            WHERE s.id = $5 AND served.space IS NOT NULL AND NOT s.spaces @> ARRAY[served.space]
         )
         SELECT revision, ${WAKES_DISPATCHER} FROM served`,
        [run.id, this.owner, run.delivery, JSON.stringify(counts), datasource.datastoreId],
      );
      if (!switched) throw new LeaseLostError(run.id);
      if (datasource.servingRunId) await this.purgeOldRuns(manager, run);
      return switched.revision;
    });
  }

  /** Nothing had changed: what serves goes on serving. @throws {@link LeaseLostError} */
  async keepServing(run: RunEntity): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await lockDatasourceOf(manager, run);
      await changeLeased(manager, this.owner, run, `state = 'succeeded', ${ENDED}, error = NULL`, []);
      await manager.query(
        `UPDATE datasources SET status = 'synched', error = NULL, last_synch = now(), updated_at = now() WHERE id = $1`,
        [run.datasourceId],
      );
      await this.purgeOldRuns(manager, run);
    });
  }

  /**
   * The stage failed: the error's class decides whether the run waits and is tried again, or ends.
   *
   * @throws {@link LeaseLostError}
   */
  async fail(run: RunEntity, error: IngestionError): Promise<'waits' | 'ended'> {
    return this.dataSource.transaction(async (manager) => {
      await lockDatasource(manager, run.datasourceId);
      const failures = error.failure === 'rate-limited' ? run.failures : run.failures + 1;
      if (failures >= failureLimit(error)) {
        await changeLeased(manager, this.owner, run, 'failures = $4', [failures]);
        if (error.failure === 'cancelled') await cancelRuns(manager, run.organizationId, [run.datasourceId]);
        else await this.giveUp(manager, run.id, datasourceErrorOf(error));
        return 'ended';
      }
      await changeLeased(
        manager,
        this.owner,
        run,
        `${GIVEN_BACK}, failures = $4, error = $5::jsonb,
         not_before = now() + make_interval(secs => $6::float8 / 1000)`,
        [failures, JSON.stringify(datasourceErrorOf(error)), pauseMs(error, failures)],
      );
      return 'waits';
    });
  }

  /**
   * A stopping worker gives back what it has not finished; that counts neither as failure nor as crash.
   *
   * @throws {@link LeaseLostError}
   */
  async handBack(run: RunEntity): Promise<void> {
    await giveBackLease(this.dataSource.manager, this.owner, run, 'not_before = now()', []);
  }

  /** A lease ran out. The run waits again, or is given up after too many deaths in a row. */
  async crashed(runId: string): Promise<'waits' | 'ended' | 'alive'> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT 1 FROM datasources WHERE id = (SELECT datasource_id FROM runs WHERE id = $1) FOR UPDATE`,
        [runId],
      );
      const [rows] = await manager.query<[{ crashes: number }[], number]>(
        `UPDATE runs SET ${GIVEN_BACK}, crashes = crashes + 1, not_before = now()
          WHERE id = $1 AND state = 'active' AND lease_until < now() RETURNING crashes`,
        [runId],
      );
      const crashes = rows[0]?.crashes;
      if (crashes === undefined) return 'alive';
      if (crashes < CRASH_LIMIT) return 'waits';
      await this.giveUp(manager, runId, datasourceErrorOf('WORKER_CRASHED'));
      return 'ended';
    });
  }

  private async countStorage(
    manager: EntityManager,
    run: RunEntity,
    previousRunId: string | null,
  ): Promise<void> {
    const [, counted] = await manager.query<[unknown[], number]>(
      `WITH change AS (SELECT $2::bigint - coalesce((SELECT characters FROM runs WHERE id = $3), 0) AS characters)
       UPDATE organizations o SET stored_characters = o.stored_characters + change.characters FROM change
        WHERE o.id = $1 AND (change.characters <= 0 OR o.limit_stored_characters IS NULL
                             OR o.stored_characters + change.characters <= o.limit_stored_characters)`,
      [run.organizationId, run.characters, previousRunId],
    );
    if (counted === 0) throw new IngestionError('USAGE_LIMIT');
  }

  /** Ends a run for good and says so on its datasource. What it may have written is purged. */
  private async giveUp(manager: EntityManager, runId: string, error: DatasourceError): Promise<void> {
    const [rows] = await manager.query<[Record<string, unknown>[], number]>(
      `UPDATE runs SET state = 'failed', error = $2::jsonb, ${ENDED} WHERE id = $1 AND ${UNDER_WAY} RETURNING *`,
      [runId, JSON.stringify(error)],
    );
    const run = hydrateOne(this.dataSource, RunEntity, rows[0]);
    if (!run) return;
    if (error.code === 'PAGE_GONE') await takeOutOfService(manager, run.organizationId, run.datasourceId);
    await manager.query(
      `UPDATE datasources SET status = $3, error = $2::jsonb, updated_at = now() WHERE id = $1`,
      [
        run.datasourceId,
        JSON.stringify(error),
        error.code === 'USAGE_LIMIT' ? 'usage_limit_reached' : 'error',
      ],
    );
    await this.purgeOldRuns(manager, run);
  }

  /** Everything of this datasource that does not serve and is not under way has to go. */
  private async purgeOldRuns(manager: EntityManager, run: RunEntity): Promise<void> {
    await requestPurges(manager, run.organizationId, 'runs', [run.datasourceId]);
  }

  /** Ends the run under way, if there is one. The worker that holds it finds out at its next heartbeat. */
  async cancel(organizationId: string, datasourceId: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await lockDatasource(manager, datasourceId);
      return (await cancelRuns(manager, organizationId, [datasourceId])).length > 0;
    });
  }
}

/** A row as JSON: its columns are those of the table, its instants ISO 8601. */
type JsonRow = Record<string, unknown>;
