import { BlobNotFoundError, BlobStoreFullError, BlobStoreUnavailableError } from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import {
  type AlongLimits,
  isDatabaseUnavailable,
  type LeasedRun,
  LeaseLostError,
  type RunEntity,
  RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics, withLogContext } from '@citewell/observability';
import { JobAbortedError, type JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { whileDatabaseIsAway } from './database-patience.js';
import { Heartbeat } from './heartbeat.js';
import { NotNowError } from './not-now.error.js';

/** How the runs of a stage are taken. */
export interface TakeOptions {
  /** The vector space that the stage writes to; see `RunLifecycleRepository.take`. */
  readonly space?: string;
  /** How many pages of the same web site are carried out beside one; none, if not given. */
  readonly along?: AlongLimits;
}

/** What a stage works with. */
export interface StageWork extends LeasedRun {
  /** Aborted when the lease is lost, the time is over or the process stops. */
  signal: AbortSignal;
  /** Notes how far the stage is; written with the next heartbeat. */
  report(progress: StageProgress): void;
}

/**
 * Carries out one stage of a run: takes the lease or returns, keeps it alive while the stage works, and turns
 * what the stage throws into the run's next state. A stage settles its success itself, through the lifecycle.
 */
@Injectable()
export class RunExecutor {
  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when the run, and those taken along with it, are settled. */
  async execute(
    payload: RunPayload,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
    { space, along }: TakeOptions = {},
  ): Promise<void> {
    const leased = await whileDatabaseIsAway(() => this.lifecycle.take(payload, space));
    if (!leased) return;
    const others = along === undefined ? [] : await this.takeAlong(leased.run, along, space);
    await Promise.all(
      [leased, ...others].map((one) => {
        const { id: runId, organizationId, datasourceId, stage: name } = one.run;
        return withLogContext({ organizationId, datasourceId, runId, stage: name }, () =>
          this.work(one, job, stage),
        );
      }),
    );
  }

  /** The run in hand does not suffer from it: what cannot be taken along comes by itself. */
  private async takeAlong(run: RunEntity, most: AlongLimits, space?: string): Promise<LeasedRun[]> {
    try {
      return await this.lifecycle.takeAlong(run, most, space);
    } catch (error) {
      this.logger.warn({ err: error, runId: run.id }, 'no pages taken along');
      return [];
    }
  }

  private async work(
    leased: LeasedRun,
    job: JobContext,
    stage: (work: StageWork) => Promise<void>,
  ): Promise<void> {
    const started = performance.now();
    const heartbeat = new Heartbeat(this.lifecycle, leased.run);
    const signal = AbortSignal.any([job.signal, heartbeat.signal]);
    let outcome = 'done';
    try {
      await stage({ ...leased, signal, report: (progress) => heartbeat.report(progress) });
    } catch (error) {
      // An abort surfaces as whatever the aborted call throws; its reason says what happened.
      outcome = await this.settle(leased, signal.aborted ? signal.reason : error);
    } finally {
      heartbeat.stop();
      const seconds = (performance.now() - started) / 1_000;
      this.metrics.stages.observe({ stage: leased.run.stage, outcome }, seconds);
      // Runs that wait for a place come again and again.
      const level = outcome === 'not-now' ? 'debug' : 'info';
      this.logger[level]({ outcome, durationMs: Math.round(seconds * 1_000) }, 'stage ended');
    }
  }

  private async settle({ run }: LeasedRun, error: unknown): Promise<string> {
    try {
      if (error instanceof LeaseLostError) return 'lease-lost';
      if (error instanceof JobAbortedError && error.reason === 'shutdown') {
        await whileDatabaseIsAway(() => this.lifecycle.handBack(run));
        return 'handed-back';
      }
      if (error instanceof NotNowError) {
        await whileDatabaseIsAway(() => this.lifecycle.handBack(run, error.retryAfterMs));
        return 'not-now';
      }
      const failure = toIngestionError(error);
      const settled = await whileDatabaseIsAway(() => this.lifecycle.fail(run, failure));
      this.logger[failure.failure === 'permanent' ? 'info' : 'warn'](
        { err: error, code: failure.code },
        `stage failed, run ${settled}`,
      );
      return failure.code;
    } catch (unsettled) {
      // The lease runs out and the run is taken up again; nothing else can be done from here.
      if (!(unsettled instanceof LeaseLostError))
        this.logger.error({ err: unsettled }, 'outcome not written');
      return 'unsettled';
    }
  }
}

/**
 * The reason that a user and the retry decision get, for whatever was thrown: `INTERNAL` when it is a defect of ours and
 * nothing that we depend on is to blame.
 */
export function toIngestionError(error: unknown): IngestionError {
  if (error instanceof IngestionError) return error;
  if (error instanceof JobAbortedError) return new IngestionError('TOO_COMPLEX', { cause: error });
  if (error instanceof BlobStoreFullError) return new IngestionError('STORAGE_FULL', { cause: error });
  if (
    error instanceof BlobNotFoundError ||
    error instanceof BlobStoreUnavailableError ||
    isDatabaseUnavailable(error)
  ) {
    return new IngestionError('DEPENDENCY_UNAVAILABLE', { cause: error });
  }
  return new IngestionError('INTERNAL', { cause: error });
}
