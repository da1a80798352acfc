import { JOB_CATALOG, type JobPayload, type JobsOf, type QueueName } from '@citewell/contracts/jobs';
import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { Job, WorkerOptions } from 'bullmq';
import { withTimeout } from './queue-connection.js';

/** The second argument of a handler. */
export interface JobContext {
  jobId: string;
  /** Aborted with a {@link JobAbortedError} when the job times out or the process stops. */
  signal: AbortSignal;
}

/** One handler for each job of a queue. A missing handler is a compile error. */
export type JobHandlers<Queue extends QueueName> = {
  readonly [Name in JobsOf<Queue>]: (payload: JobPayload<Name>, context: JobContext) => Promise<void>;
};

/**
 * A job whose worker died before it took the run's lease is delivered again after at most the sum of these
 * two. A slow worker may lose its job in the same way. The handler of the second delivery then finds the
 * lease taken and returns.
 */
const LOCK_MS = 15_000;
const STALLED_INTERVAL_MS = 5_000;
/**
 * Pause before an unavailable queue is polled again. BullMQ's default of 15 s would leave all workers idle.
 */
const RETRY_DELAY_MS = 1_000;
/** Longest wait for the queue's own shutdown, after all handlers have ended. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The second argument of `@Processor` for every {@link JobProcessor}. */
export const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  // Jobs are taken from `start()` on, when the whole process is ready.
  autorun: false,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_INTERVAL_MS,
  maxStalledCount: 1_000,
  runRetryDelay: RETRY_DELAY_MS,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

/** The reason of a job's aborted signal. */
export class JobAbortedError extends Error {
  constructor(readonly reason: 'timeout' | 'shutdown') {
    super(reason === 'timeout' ? 'The job timed out' : 'The process is stopping');
    this.name = 'JobAbortedError';
  }
}

/**
 * Processes the jobs of one queue. Subclasses carry `@Processor(queue, WORKER_OPTIONS)`. A job may be delivered more
 * than once, so handlers must be idempotent: they return when the run's lease is taken. A failed job is not retried by
 * the queue.
 */
export abstract class JobProcessor<Queue extends QueueName> extends WorkerHost {
  protected abstract readonly handlers: JobHandlers<Queue>;
  /** For each running job: the controller that aborts it, and the end of its handler. */
  private readonly running = new Map<AbortController, Promise<void>>();

  /** @param logger gets the errors of handlers and of the queue. Handlers record failures of runs themselves */
  constructor(private readonly logger: { error(fields: object, message: string): void }) {
    super();
  }

  /** The queue that the decorator names. Known when Nest has initialized the modules. */
  get queue(): Queue {
    return this.worker.name as Queue;
  }

  /** Starts to take jobs. @param concurrency jobs processed at the same time */
  async start(concurrency: number): Promise<void> {
    this.worker.concurrency = concurrency;
    await this.worker.waitUntilReady();
    void this.worker.run();
  }

  /**
   * Stops taking jobs and waits for the running ones. Those still running after `graceMs` are aborted, and
   * their handlers are awaited. Never rejects.
   */
  async stop(graceMs: number): Promise<void> {
    const abort = setTimeout(() => {
      for (const controller of this.running.keys()) controller.abort(new JobAbortedError('shutdown'));
    }, graceMs);
    const paused = this.worker.pause();
    try {
      while (this.running.size > 0) await Promise.all(this.running.values());
      await withTimeout(paused, CLOSE_TIMEOUT_MS);
    } catch (error) {
      this.logger.error({ err: error, queue: this.queue }, 'the queue did not close');
    } finally {
      clearTimeout(abort);
      // No job is left. Without force, an unavailable queue would be awaited without limit, here and by Nest.
      await this.worker.close(true);
    }
  }

  /** BullMQ reports a lost connection again and again; readiness shows it. Without a listener, BullMQ prints it. */
  @OnWorkerEvent('error')
  ignoreConnectionErrors(): void {
    // Nothing to do: BullMQ connects again.
  }

  /** Called by BullMQ. Never rejects: BullMQ would keep the job as failed. */
  override async process(job: Job): Promise<void> {
    // Only the dispatcher adds jobs, with names from the catalog.
    const name = job.name as JobsOf<Queue>;
    const definition = JOB_CATALOG[name];
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new JobAbortedError('timeout')), definition.timeoutMs);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.running.set(controller, ended);
    try {
      // Schema and handler have the same name; the compiler cannot relate the two lookups.
      const payload = definition.payload.parse(job.data) as never;
      await this.handlers[name](payload, { jobId: job.id ?? '', signal: controller.signal });
    } catch (error) {
      this.logger.error({ err: error, job: job.name }, 'job threw');
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
      end();
    }
  }
}
