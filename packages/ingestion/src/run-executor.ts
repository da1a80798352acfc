import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
} from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import {
  FEW_SIBLINGS,
  type SiblingLimits,
  isDatabaseFull,
  isDatabaseUnavailable,
  type LeasedRun,
  LeaseLostError,
  type RunEntity,
  RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import { FullStorage, type Logger, Metrics, withLogContext } from '@citewell/observability';
import { JobAbortedError, type JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { Heartbeat } from './heartbeat.js';
import { RetryLaterError } from './retry-later.error.js';
import { retryWhileDatabaseIsDown } from './retry-while-database-is-down.js';

export interface ExecuteOptions {
  /** The vector space that the stage writes to; see `RunLifecycleRepository.take`. */
  readonly space?: string;
  /** Limits for further runs of the same organization to process in the same job. Default: no siblings. */
  readonly siblings?: Omit<SiblingLimits, 'takeSlot'>;
}

/** How long a job goes on claiming siblings. With one slot, other jobs of its queue, such as purges, wait meanwhile. */
const TIME_SLICE_MS = 5_000;
const DONE = 'done';

/** The input of a stage: one leased run. */
export interface StageWork extends LeasedRun {
  /** Aborted when the lease is lost, the job times out or the process stops. */
  signal: AbortSignal;
  /** Sets the progress of the stage; recorded with the next heartbeat. */
  report(progress: StageProgress): void;
}

/**
 * Executes one stage of a run. Takes the lease, or returns when it cannot. Renews the lease while the stage
 * works, and turns an error of the stage into the next state of the run. A stage records its success itself,
 * through the lifecycle.
 */
@Injectable()
export class RunExecutor {
  /** Organization and stage of each job that processes batches of siblings. */
  private readonly batching = new Set<string>();

  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(FullStorage) private readonly storage: FullStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Processes the run together with its siblings. While all runs succeed and more siblings wait, processes further
   * batches of them for {@link TIME_SLICE_MS}: one statement claims a batch, a delivery takes several. Two batches are
   * in progress at once: while one waits for a model or for Postgres, the other uses the processor. Of the jobs of
   * an organization, only one at a time does so. The others have {@link FEW_SIBLINGS}, so that their slots are free
   * soon for another organization. Resolves when the outcomes of all runs are recorded.
   */
  async execute(
    payload: RunPayload,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
    { space, siblings: limits }: ExecuteOptions = {},
  ): Promise<void> {
    const leased = await retryWhileDatabaseIsDown(() => this.lifecycle.claimDelivered(payload, space));
    if (!leased) return;
    if (limits === undefined) await this.executeBatch([leased], job, stage);
    else await this.executeWithSiblings(leased, job, stage, { space, siblings: limits });
  }

  private async executeWithSiblings(
    leased: LeasedRun,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
    { space, siblings: limits }: { space: string | undefined; siblings: Omit<SiblingLimits, 'takeSlot'> },
  ): Promise<void> {
    const key = `${leased.run.organizationId} ${leased.run.stage}`;
    if (this.batching.has(key)) {
      const few = { ...limits, runs: Math.min(limits.runs, FEW_SIBLINGS) };
      const siblings = await this.claimSiblings(leased.run, few, space);
      await this.executeBatch([leased, ...siblings], job, stage);
      return;
    }
    this.batching.add(key);
    const siblings = await this.claimSiblings(leased.run, limits, space);
    if (siblings.length === 0) {
      this.batching.delete(key);
      await this.executeBatch([leased], job, stage);
      return;
    }
    const endsAt = performance.now() + TIME_SLICE_MS;
    let goesOn = true;
    const executeNext = async (batch: readonly LeasedRun[]): Promise<void> => {
      const haveSucceeded = await this.executeBatch(batch, job, stage);
      if (!haveSucceeded || job.signal.aborted || performance.now() >= endsAt) goesOn = false;
    };
    const executeFurther = async (takeSlot: boolean): Promise<void> => {
      while (goesOn) {
        const batch = await this.claimSiblings(leased.run, { ...limits, takeSlot }, space);
        if (batch.length === 0) return;
        await executeNext(batch);
      }
    };
    // The job takes one slot of the worker: that of the delivered run, then that of a run of each next batch.
    await Promise.all([
      executeNext([leased, ...siblings]).then(() => executeFurther(true)),
      executeFurther(false),
    ]);
    this.batching.delete(key);
  }

  /** @returns whether all runs have succeeded */
  private async executeBatch(
    batch: readonly LeasedRun[],
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
  ): Promise<boolean> {
    const outcomes = await Promise.all(
      batch.map((leased) => {
        const { id: runId, organizationId, datasourceId, stage: name } = leased.run;
        return withLogContext({ organizationId, datasourceId, runId, stage: name }, () =>
          this.executeStage(leased, job, stage),
        );
      }),
    );
    return outcomes.every((outcome) => outcome === DONE);
  }

  /**
   * Claims further runs. A failure is only logged: unclaimed siblings are delivered by the
   * dispatcher.
   */
  private async claimSiblings(run: RunEntity, limits: SiblingLimits, space?: string): Promise<LeasedRun[]> {
    try {
      return await this.lifecycle.claimSiblings(run, limits, space);
    } catch (error) {
      this.logger.warn({ err: error, runId: run.id }, 'could not claim siblings');
      return [];
    }
  }

  private async executeStage(
    leased: LeasedRun,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
  ): Promise<string> {
    const started = performance.now();
    const heartbeat = new Heartbeat(this.lifecycle, leased.run);
    const signal = AbortSignal.any([job.signal, heartbeat.signal]);
    let outcome = DONE;
    try {
      await stage({ ...leased, signal, report: (progress) => heartbeat.report(progress) });
    } catch (error) {
      // After an abort, the reason of the signal counts, and not the error of the aborted call.
      outcome = await this.recordFailure(leased, signal.aborted ? signal.reason : error);
    } finally {
      heartbeat.stop();
      const seconds = (performance.now() - started) / 1_000;
      this.metrics.stages.observe({ stage: leased.run.stage, outcome }, seconds);
      // Not 'info': a run may be released like this many times.
      const level = outcome === 'retry-later' ? 'debug' : 'info';
      this.logger[level]({ outcome, durationMs: Math.round(seconds * 1_000) }, 'stage ended');
    }
    return outcome;
  }

  /** @returns the outcome, for metrics and log */
  private async recordFailure({ run }: LeasedRun, error: unknown): Promise<string> {
    try {
      if (error instanceof LeaseLostError) return 'lease-lost';
      if (error instanceof JobAbortedError && error.reason === 'shutdown') {
        await retryWhileDatabaseIsDown(() => this.lifecycle.release(run));
        return 'handed-back';
      }
      if (error instanceof RetryLaterError) {
        await retryWhileDatabaseIsDown(() => this.lifecycle.release(run, error.retryAfterMs));
        return 'retry-later';
      }
      const failure = toIngestionError(error);
      if (failure.code === 'STORAGE_FULL') this.storage.report();
      const nextState = await retryWhileDatabaseIsDown(() => this.lifecycle.fail(run, failure));
      this.logger[failure.failure === 'permanent' ? 'info' : 'warn'](
        { err: error, code: failure.code },
        `stage failed, run ${nextState}`,
      );
      return failure.code;
    } catch (recordError) {
      // The lease runs out, and the run is delivered again.
      if (!(recordError instanceof LeaseLostError))
        this.logger.error({ err: recordError }, 'could not record the outcome');
      return 'not-recorded';
    }
  }
}

/**
 * Converts any thrown value to the error that the retry decision and the user get. `INTERNAL` unless an error
 * code, a timeout or a dependency explains it.
 */
export function toIngestionError(error: unknown): IngestionError {
  if (error instanceof IngestionError) return error;
  if (error instanceof JobAbortedError) return new IngestionError('TOO_COMPLEX', { cause: error });
  if (error instanceof BlobStoreFullError || isDatabaseFull(error))
    return new IngestionError('STORAGE_FULL', { cause: error });
  if (error instanceof BlobDamagedError) return new IngestionError('CONTENT_DAMAGED', { cause: error });
  if (
    error instanceof BlobNotFoundError ||
    error instanceof BlobStoreUnavailableError ||
    isDatabaseUnavailable(error)
  ) {
    return new IngestionError('DEPENDENCY_UNAVAILABLE', { cause: error });
  }
  return new IngestionError('INTERNAL', { cause: error });
}
