import { setTimeout as sleep } from 'node:timers/promises';
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
  type RunEntity,
  RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import { ModelError } from '@citewell/models';
import { FullStorage, type Logger, Metrics, withLogContext, withRunSpan } from '@citewell/observability';
import { JobAbortedError, type JobContext } from '@citewell/queue';
import { VectorStoreUnavailableError } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

/** A lease is several times as long. */
const HEARTBEAT_INTERVAL_MS = 1_000;

/** Shorter than a lease lasts without a heartbeat: until then, the run belongs to this process. */
const DATABASE_RETRY_TIMEOUT_MS = 45_000;
/** For a process that stops. */
const DATABASE_RETRY_STOP_TIMEOUT_MS = 10_000;
const DATABASE_RETRY_PAUSE_MS = 200;

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
  if (error instanceof VectorStoreUnavailableError)
    return new IngestionError(
      error.reason === 'has a full disk' ? 'STORAGE_FULL' : 'DEPENDENCY_UNAVAILABLE',
      {
        cause: error,
      },
    );
  if (error instanceof ModelError) return ofModel(error);
  return new IngestionError('INTERNAL', { cause: error });
}

function ofModel(cause: ModelError): IngestionError {
  switch (cause.kind) {
    case 'rate-limited': {
      const { retryAfterMs } = cause;
      return new IngestionError('RATE_LIMITED', {
        cause,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      });
    }
    case 'transient':
      return new IngestionError('DEPENDENCY_UNAVAILABLE', { cause });
    case 'permanent':
      return new IngestionError('MODEL_REFUSED', { cause });
  }
}

/** Renews the lease of a run and records its progress while a stage works. */
export class Heartbeat {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private progress: StageProgress | null = null;
  private beating = false;

  /** Starts the heartbeat. @param intervalMs default 1,000 */
  constructor(
    private readonly lifecycle: Pick<RunLifecycleRepository, 'heartbeat'>,
    private readonly run: RunEntity,
    intervalMs = HEARTBEAT_INTERVAL_MS,
  ) {
    this.timer = setInterval(() => void this.beat(), intervalMs);
  }

  /** Aborted with a {@link LeaseLostError} when this process no longer holds the lease. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sets the progress that the next heartbeat records. */
  report(progress: StageProgress): void {
    this.progress = progress;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    const { progress } = this;
    this.progress = null;
    try {
      await this.lifecycle.heartbeat(this.run, progress);
    } catch (error) {
      this.progress ??= progress;
      // Other errors are ignored: the lease outlasts a database that is down for a few beats.
      if (error instanceof LeaseLostError) {
        this.stop();
        this.controller.abort(error);
      }
    } finally {
      this.beating = false;
    }
  }
}

/**
 * A stage cannot run now, for a reason outside the run, such as a busy host. The run is released and
 * delivered again later. That counts neither as a failure nor as a success.
 */
export class RetryLaterError extends Error {
  /** @param retryAfterMs milliseconds until the run may be delivered again */
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
    this.name = 'RetryLaterError';
  }
}

/** Times in ms; defaults are 45,000, 10,000 and 200. */
interface RetryTimes {
  readonly timeoutMs?: number;
  /** Instead of `timeoutMs`, once the signal is aborted. */
  readonly stopTimeoutMs?: number;
  /** Between two attempts. */
  readonly pauseMs?: number;
}

/**
 * Repeats `work` while the database cannot be reached. Used where giving up at once would leave a run until
 * its lease runs out: when the lease is taken, and when the outcome is recorded. `work` must be idempotent.
 *
 * @param signal aborted when the process stops
 * @throws any other error of `work` at once; the connection error when the time is over
 */
export async function retryWhileDatabaseIsDown<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  {
    timeoutMs = DATABASE_RETRY_TIMEOUT_MS,
    stopTimeoutMs = DATABASE_RETRY_STOP_TIMEOUT_MS,
    pauseMs = DATABASE_RETRY_PAUSE_MS,
  }: RetryTimes = {},
): Promise<Result> {
  const started = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const limitMs = signal.aborted ? stopTimeoutMs : timeoutMs;
      if (!isDatabaseUnavailable(error) || performance.now() > started + limitMs) throw error;
    }
    await sleep(pauseMs);
  }
}
