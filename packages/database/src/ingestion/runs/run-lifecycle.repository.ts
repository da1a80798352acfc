import { datasourceErrorOf, type IngestionError } from '@citewell/contracts/errors';
import type { BatchPayload } from '@citewell/contracts/jobs';
import type { DatasourceError, Stage } from '@citewell/contracts/schemas';
import type { DataSource, EntityManager } from 'typeorm';
import { GroupCommit } from '../../connection/group-commit.js';
import { execute, type Executor, jsonOfRows, queryRow, queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import {
  type RunCounts,
  RunEntity,
  type RunTrigger,
  type StageProgress,
  type Validators,
} from '../../schema/ingestion.entities.js';
import { markFailed, markReindexFailed, markSynched } from './datasource-status.js';
import { WAKE_DISPATCHER } from './dispatch.js';
import { failureLimit, pauseMs } from './failure-policy.js';
import {
  areAmong,
  changeLeased,
  type Heartbeat,
  leaseBatch,
  LeasedChanges,
  leasedOf,
  type LeasedRun,
  type LeaseHolder,
  lockDatasource,
  lockDatasourceOf,
  releaseLease,
  renewLeases,
  SET_RELEASED,
} from './lease.js';
import { cancelRuns, requestPurges, SET_FINISHED, takeOutOfService } from './out-of-service.js';
import { CRASH_LIMIT } from './run-dispatch.repository.js';
import { serveRuns, type Switch } from './serve-runs.js';
import { deleteReplacedFiles } from './site-and-archive-runs.js';
import { UNFINISHED_STATES } from './transitions.js';

/**
 * What workers do to their runs; and {@link RunLifecycleRepository.endExpiredLease} of the dispatcher, and `cancel` of the
 * API. Each change of a worker is a compare-and-set under the run's lease, so that a late or repeated job changes nothing. A lease belongs to one delivery to one process: a handler that has lost its
 * lease cannot write with the lease of a later handler in the same process.
 *
 * Every transaction here and in `DatasourceRepository` locks the datasource first and its run after. In the
 * other order, deleting a datasource whose run is ending would deadlock.
 */
export class RunLifecycleRepository {
  private readonly heartbeats = new LeasedChanges<Heartbeat>((heartbeats) =>
    renewLeases(this.dataSource, this.holder, heartbeats),
  );
  private readonly advances = new LeasedChanges<Advance>((advances) =>
    advanceRuns(this.dataSource, this.owner, advances),
  );
  private readonly switches = new GroupCommit<Switch, number>((organizationId, switches) =>
    this.dataSource.transaction((manager) => serveRuns(manager, this.owner, organizationId, switches)),
  );

  /**
   * @param owner name of this process, the owner of its leases
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
   * Takes the leases of the runs of a batch, in one statement. A run is missing when there is nothing to do: its delivery
   * is repeated or late, or the run was cancelled or deleted.
   *
   * @param space the vector space that the stage will write to. It is recorded before the first point is
   * written, so that points can always be found again. A space that an earlier attempt recorded stays.
   */
  async leaseBatch(batch: BatchPayload, space: string | null = null): Promise<LeasedRun[]> {
    return leaseBatch(this.dataSource, this.holder, batch, space);
  }

  /** Extends the lease and records the progress of the stage. @throws LeaseLostError */
  async heartbeat(run: RunEntity, progress: StageProgress | null): Promise<void> {
    await this.heartbeats.submit({ run, progress });
  }

  /** Records the vector space that the run writes to. @throws LeaseLostError */
  async recordSpace(run: RunEntity, space: string): Promise<void> {
    await changeLeased(this.dataSource, this.owner, run, sql`space = ${space}`);
  }

  /** The stage is done, and the run waits for a worker of the next one. @throws LeaseLostError */
  async advance(run: RunEntity, stage: Stage, result: StageResult): Promise<void> {
    await this.advances.submit({ run, stage, result });
  }

  /**
   * The switch: after this transaction, queries are answered from this run and from no other of its
   * datasource.
   *
   * @param options.blobs that the run has written and nothing refers to yet
   * @param options.warning see {@link Switch}
   * @param options.changed see {@link Switch}
   * @param options.isEmbeddedLater starts a reindex, which embeds the text
   * @returns the run's revision
   * @throws LeaseLostError also when the datasource was deleted meanwhile
   * @throws {@link IngestionError} `USAGE_LIMIT` when the organization may not store that much
   */
  async serve(
    run: RunEntity,
    counts: RunCounts,
    {
      blobs = [],
      isEmbeddedLater = false,
      warning = null,
      changed = null,
    }: Partial<Pick<Switch, 'blobs' | 'changed' | 'isEmbeddedLater' | 'warning'>> = {},
  ): Promise<number> {
    return this.switches.submit(run.organizationId, {
      run,
      counts,
      blobs,
      isEmbeddedLater,
      warning,
      changed,
    });
  }

  /**
   * Ends a run that found nothing new: the serving run goes on serving.
   *
   * @param fingerprint new one of the serving run, whose source changed without a change of its text
   * @throws LeaseLostError
   */
  async keepServing(run: RunEntity, fingerprint: string | null = null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { servingRunId, contentKey } = await lockDatasourceOf(manager, run);
      await changeLeased(manager, this.owner, run, sql`state = 'succeeded', ${SET_FINISHED}, error = NULL`);
      const changed = {
        ...(fingerprint === null ? {} : { fingerprint }),
        // The bytes are the same, and the former ones are deleted.
        ...(contentKey !== null && contentKey === run.contentKey ? { contentKey } : {}),
      };
      if (servingRunId !== null && Object.keys(changed).length > 0)
        await manager.update(RunEntity, { id: servingRunId }, changed);
      await markSynched(manager, run.datasourceId);
      await deleteReplacedFiles(manager, run.organizationId, [run]);
      await requestPurges(manager, run.organizationId, 'runs', [run.datasourceId]);
    });
  }

  /**
   * The stage failed: the error's class decides whether the run is tried again later, or ends.
   *
   * @throws LeaseLostError
   */
  async fail(run: RunEntity, error: IngestionError): Promise<'pending' | 'ended'> {
    return this.dataSource.transaction(async (manager) => {
      await lockDatasource(manager, run.datasourceId);
      const failures = error.failure === 'rate-limited' ? run.failures : run.failures + 1;
      if (failures >= failureLimit(error)) {
        await changeLeased(manager, this.owner, run, sql`failures = ${failures}`);
        if (error.failure === 'cancelled' && run.trigger !== 'reindex')
          await cancelRuns(manager, run.organizationId, [run.datasourceId]);
        else await this.giveUp(manager, run.id, datasourceErrorOf(error));
        return 'ended';
      }
      await changeLeased(
        manager,
        this.owner,
        run,
        sql`${SET_RELEASED}, failures = ${failures}, error = ${JSON.stringify(datasourceErrorOf(error))}::jsonb,
            not_before = now() + make_interval(secs => ${pauseMs(error, failures)}::float8 / 1000)`,
      );
      return 'pending';
    });
  }

  /**
   * Releases a run that the worker has not finished, because it stops or has no slot for the run. That counts
   * neither as a failure nor as a crash.
   *
   * @param pauseMs how long the run is not dispatched again
   * @throws LeaseLostError
   */
  async release(run: RunEntity, pauseMs = 0): Promise<void> {
    const set = sql`not_before = now() + make_interval(secs => ${pauseMs}::float8 / 1000)`;
    await releaseLease(this.dataSource, this.owner, run, 'pending', set);
  }

  /**
   * Ends a lease that has expired. The run is pending again, or is given up after {@link CRASH_LIMIT} crashes in a
   * row.
   */
  async endExpiredLease(runId: string): Promise<'pending' | 'ended' | 'alive'> {
    return this.dataSource.transaction(async (manager) => {
      await queryRow(
        manager,
        sql`SELECT 1 FROM datasources WHERE id = (SELECT datasource_id FROM runs WHERE id = ${runId}) FOR UPDATE`,
      );
      const expired = await queryRow<{ crashes: number }>(
        manager,
        sql`UPDATE runs SET crashes = crashes + 1
             WHERE id = ${runId} AND state = 'active' AND lease_until < now() RETURNING crashes`,
      );
      if (expired === null) return 'alive';
      if (expired.crashes < CRASH_LIMIT) {
        await execute(manager, sql`UPDATE runs SET ${SET_RELEASED}, not_before = now() WHERE id = ${runId}`);
        return 'pending';
      }
      await this.giveUp(manager, runId, datasourceErrorOf('WORKER_CRASHED'));
      return 'ended';
    });
  }

  /** Ends a run for good, sets the error of its datasource, and has what the run has written purged. */
  private async giveUp(manager: EntityManager, runId: string, error: DatasourceError): Promise<void> {
    const run = await queryRow<{ organization_id: string; datasource_id: string; trigger: RunTrigger }>(
      manager,
      sql`UPDATE runs SET state = 'failed', error = ${JSON.stringify(error)}::jsonb, ${SET_FINISHED}
           WHERE id = ${runId} AND state IN ${UNFINISHED_STATES} RETURNING organization_id, datasource_id, trigger`,
    );
    if (run === null) return;
    if (error.code === 'PAGE_GONE' || error.code === 'NOINDEX')
      await takeOutOfService(manager, run.organization_id, run.datasource_id);
    if (run.trigger === 'reindex') await markReindexFailed(manager, run.datasource_id, error);
    else await markFailed(manager, run.datasource_id, error);
    await requestPurges(manager, run.organization_id, 'runs', [run.datasource_id]);
  }

  /**
   * Ends the unfinished run of a datasource. Its worker notices at the next heartbeat.
   *
   * @returns whether there was one
   */
  async cancel({ organizationId }: TenantScope, datasourceId: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await lockDatasource(manager, datasourceId);
      return (await cancelRuns(manager, organizationId, [datasourceId])).length > 0;
    });
  }
}

/** What a stage passes to the next one. Absent fields keep their value. */
export interface StageResult {
  contentKey?: string;
  contentType?: string;
  contentName?: string;
  fingerprint?: string;
  counts?: RunCounts;
  characters?: number;
  validators?: Validators;
  textHash?: string;
  /** See `RunEntity.warning`. */
  warning?: DatasourceError | null;
}

/** A run whose stage is done, and the stage that it waits for. */
export interface Advance {
  readonly run: RunEntity;
  readonly stage: Stage;
  readonly result: StageResult;
}

/**
 * The runs wait for a worker of their next stage; see `RunLifecycleRepository.advance`.
 *
 * @param owner of their leases
 * @returns for each run whether it was changed; see `LeasedChanges`
 */
export async function advanceRuns(
  manager: Executor,
  owner: string,
  advances: readonly Advance[],
): Promise<boolean[]> {
  const runs = advances.map(({ run }) => run);
  const rows = advances.map(({ run: { id }, stage, result }) => ({ ...result, id, stage }));
  const released = await queryRows<Pick<RunEntity, 'id' | 'delivery'>>(
    manager,
    sql`WITH ${leasedOf(owner, runs)}, done AS (
          SELECT * FROM jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS done (
            id uuid, stage text, "contentKey" text, "contentType" text, "contentName" text, fingerprint text, counts jsonb,
            characters bigint, validators jsonb, "textHash" text, warning jsonb)
        ), released AS (
          UPDATE runs r SET ${SET_RELEASED}, stage = done.stage, failures = 0, crashes = 0, not_before = now(),
                 progress = NULL, error = NULL,
                 content_key = coalesce(done."contentKey", r.content_key),
                 content_type = coalesce(done."contentType", r.content_type),
                 content_name = coalesce(done."contentName", r.content_name),
                 fingerprint = coalesce(done.fingerprint, r.fingerprint),
                 counts = coalesce(done.counts, r.counts), characters = coalesce(done.characters, r.characters),
                 validators = coalesce(done.validators, r.validators),
                 text_hash = coalesce(done."textHash", r.text_hash), warning = coalesce(done.warning, r.warning)
            FROM done JOIN leased USING (id) WHERE r.id = done.id RETURNING r.id, r.delivery
        ) SELECT id, delivery, ${WAKE_DISPATCHER} FROM released`,
  );
  return areAmong(runs, released);
}
