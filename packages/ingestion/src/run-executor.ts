import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
} from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { BatchPayload } from '@citewell/contracts/jobs';
import {
  isDatabaseFull,
  isDatabaseUnavailable,
  type LeasedRun,
  LeaseLostError,
  RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import { FullStorage, type Logger, Metrics, withLogContext, withRunSpan } from '@citewell/observability';
import { JobAbortedError, type JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { Heartbeat } from './heartbeat.js';
import { RetryLaterError } from './retry-later.error.js';
import { retryWhileDatabaseIsDown } from './retry-while-database-is-down.js';

/** The input of a stage: one leased run. */
export interface StageWork extends LeasedRun {
  /** Aborted when the lease is lost, the job times out or the process stops. */
  signal: AbortSignal;
  /** Sets the progress of the stage; recorded with the next heartbeat. */
  report(progress: StageProgress): void;
}

/**
 * Executes one stage of the runs of a batch. Takes their leases, or returns when it cannot. Renews the leases while the
 * stage works, and turns an error of the stage into the next state of its run. A stage records its success itself,
 * through the lifecycle.
 */
@Injectable()
export class RunExecutor {
  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(FullStorage) private readonly storage: FullStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Executes the stage for all runs at once. Resolves when the outcomes of all are recorded.
   *
   * @param space the vector space that the stage writes to; see `RunLifecycleRepository.leaseBatch`
   */
  async execute(
    batch: BatchPayload,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
    space?: string,
  ): Promise<void> {
    const runs = await retryWhileDatabaseIsDown(() => this.lifecycle.leaseBatch(batch, space), job.signal);
    await Promise.all(
      runs.map((leased) => {
        const { id: runId, organizationId, datasourceId, stage: name } = leased.run;
        const ids = { organizationId, datasourceId, runId, stage: name };
        return withLogContext(ids, () =>
          withRunSpan(runId, name, ids, async (span) => {
            span.setAttribute('outcome', await this.executeStage(leased, job, stage));
          }),
        );
      }),
    );
  }

  /** @returns the outcome: `done`, an error code, or why the run was given back */
  private async executeStage(
    leased: LeasedRun,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
  ): Promise<string> {
    const started = performance.now();
    const heartbeat = new Heartbeat(this.lifecycle, leased.run);
    const signal = AbortSignal.any([job.signal, heartbeat.signal]);
    let outcome = 'done';
    try {
      await stage({ ...leased, signal, report: (progress) => heartbeat.report(progress) });
    } catch (error) {
      // After an abort, the reason of the signal counts, and not the error of the aborted call.
      outcome = await this.recordFailure(leased, job.signal, signal.aborted ? signal.reason : error);
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
  private async recordFailure({ run }: LeasedRun, stopping: AbortSignal, error: unknown): Promise<string> {
    try {
      if (error instanceof LeaseLostError) return 'lease-lost';
      if (error instanceof JobAbortedError && error.reason === 'shutdown') {
        await retryWhileDatabaseIsDown(() => this.lifecycle.release(run), stopping);
        return 'handed-back';
      }
      if (error instanceof RetryLaterError) {
        await retryWhileDatabaseIsDown(() => this.lifecycle.release(run, error.retryAfterMs), stopping);
        return 'retry-later';
      }
      const failure = toIngestionError(error);
      if (failure.code === 'STORAGE_FULL') this.storage.report();
      const nextState = await retryWhileDatabaseIsDown(() => this.lifecycle.fail(run, failure), stopping);
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
