import { datasourceErrorOf, type IngestionError } from '@citewell/contracts/errors';
import type { DatasourceError, Stage } from '@citewell/contracts/http';
import type { RunPayload } from '@citewell/contracts/jobs';
import type { DataSource, EntityManager } from 'typeorm';
import { type RunCounts, RunEntity, type StageProgress, type Validators } from './run.entity.js';
import { GroupCommit } from '../connection/group-commit.js';
import { hydrateOne } from '../connection/hydrate.js';
import type { WrittenBlob } from '../blobs/blob.repository.js';
import { failureLimit, pauseMs } from './failure-policy.js';
import { changeLeased, giveBackLease, GIVEN_BACK, LEASE_IS_OURS, LeaseLostError } from './lease.js';
import { lockDatasource, lockDatasourceOf } from '../datasources/lock-datasource.js';
import { CRASH_LIMIT } from './run-dispatch.repository.js';
import { serveRuns, type Switch } from './serve-runs.js';
import { takeOutOfService } from '../datasources/take-out-of-service.js';
import { type AlongLimits, type LeasedRun, type LeaseHolder, takeAlong, takeRun } from './take-runs.js';
import { cancelRuns, ENDED, requestPurges, UNDER_WAY } from './under-way.js';

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
  private readonly switches = new GroupCommit<Switch, number>((organizationId, switches) =>
    this.dataSource.transaction((manager) => serveRuns(manager, this.owner, organizationId, switches)),
  );

  /**
   * @param owner names this process; a lease carries it
   * @param leaseSeconds how long a lease holds without a heartbeat
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly owner: string,
    private readonly leaseSeconds: number,
  ) {}

  private get holder(): LeaseHolder {
    return { owner: this.owner, leaseSeconds: this.leaseSeconds };
  }

  /**
   * Takes the lease of a delivered run. Null when there is nothing to do: doubled, late, cancelled or deleted.
   *
   * @param space the vector space that the stage is about to write to: noted before the first point is, so that points
   * can always be found again; where an earlier attempt noted another, that one stays
   */
  async take(payload: RunPayload, space: string | null = null): Promise<LeasedRun | null> {
    return takeRun(this.dataSource, this.holder, payload, space);
  }

  /**
   * Takes further pages of the same web site that wait for the same stage: a page is little work, and bringing each to
   * a worker would be more. None while another organization waits for a worker, and none that has failed or killed one.
   *
   * @param run holds its lease
   * @param most runs, and characters of them all together
   * @param space as of {@link take}
   */
  async takeAlong(run: RunEntity, most: AlongLimits, space: string | null = null): Promise<LeasedRun[]> {
    return takeAlong(this.dataSource, this.holder, run, most, space);
  }

  /** Keeps the lease and tells how far the stage is. @throws {@link LeaseLostError} */
  async heartbeat(run: RunEntity, progress: StageProgress | null): Promise<void> {
    const [, changed] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE runs SET lease_until = now() + make_interval(secs => $4), progress = coalesce(coalesce(progress, '{}') || $5::jsonb, progress)
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

  /** Notes that another vector space is written to than before. */
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
   * @param blobs what the run has written and nothing refers to yet
   * @returns the revision that it became
   * @throws {@link LeaseLostError} when the lease is no longer ours, or the datasource was deleted meanwhile
   * @throws {@link IngestionError} `USAGE_LIMIT` when the organization may not store that much
   */
  async serve(run: RunEntity, counts: RunCounts, blobs: readonly WrittenBlob[] = []): Promise<number> {
    return this.switches.ask(run.organizationId, { run, counts, blobs });
  }

  /**
   * Nothing had changed: what serves goes on serving.
   *
   * @param fingerprint of what serves, where it was read anew and says the same
   * @throws {@link LeaseLostError}
   */
  async keepServing(run: RunEntity, fingerprint: string | null = null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await lockDatasourceOf(manager, run);
      await changeLeased(manager, this.owner, run, `state = 'succeeded', ${ENDED}, error = NULL`, []);
      if (fingerprint !== null)
        await manager.query(
          'UPDATE runs SET fingerprint = $2 FROM datasources d WHERE d.id = $1 AND runs.id = d.serving_run_id',
          [run.datasourceId, fingerprint],
        );
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
   * A worker gives back what it has not finished, because it stops or has no place for it; that counts neither as
   * failure nor as crash.
   *
   * @param pauseMs how long it is left alone
   * @throws {@link LeaseLostError}
   */
  async handBack(run: RunEntity, pauseMs = 0): Promise<void> {
    const set = 'not_before = now() + make_interval(secs => $4::float8 / 1000)';
    await giveBackLease(this.dataSource.manager, this.owner, run, set, [pauseMs]);
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

  /** Ends a run for good and says so on its datasource. What it may have written is purged. */
  private async giveUp(manager: EntityManager, runId: string, error: DatasourceError): Promise<void> {
    const [rows] = await manager.query<[Record<string, unknown>[], number]>(
      `UPDATE runs SET state = 'failed', error = $2::jsonb, ${ENDED} WHERE id = $1 AND ${UNDER_WAY} RETURNING *`,
      [runId, JSON.stringify(error)],
    );
    const run = hydrateOne(this.dataSource, RunEntity, rows[0]);
    if (!run) return;
    if (error.code === 'PAGE_GONE' || error.code === 'NOINDEX')
      await takeOutOfService(manager, run.organizationId, run.datasourceId);
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
