import { JOB_CATALOG, type JobPayload, type JobsOf, type QueueName } from '@citewell/contracts/jobs';
import { type IQueueBackend, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { QueueConnection } from './queue-connection.js';
import { within } from './within.js';

/** What a handler gets beside its payload. */
export interface JobContext {
  jobId: string;
  /** Aborted when the job's time is over or the process stops. */
  signal: AbortSignal;
}

/** One handler for each job of a queue: leaving one out does not compile. */
export type JobHandlers<Queue extends QueueName> = {
  readonly [Name in JobsOf<Queue>]: (payload: JobPayload<Name>, context: JobContext) => Promise<void>;
};

export interface JobWorkerOptions {
  /** Jobs taken at once. */
  concurrency: number;
  /** Told of what a handler threw. Handlers settle their runs themselves, so this is a defect or a lost lease. */
  onError(error: unknown, job: { name: string; id: string }): void;
}

/**
 * A job whose worker died before it took the run's lease is delivered again after these two at the most. A worker that
 * is alive and slow may lose its job like this; the second delivery then finds the lease taken, and nothing happens.
 */
const LOCK_MS = 15_000;
const STALLED_INTERVAL_MS = 5_000;
/** A queue that was away is asked again after this long. BullMQ's own 15 s would leave every worker idle meanwhile. */
const RETRY_DELAY_MS = 1_000;
const CLOSE_PATIENCE_MS = 2_000;

/** Why a job was aborted, as its signal's reason. */
export class JobAbortedError extends Error {
  constructor(readonly reason: 'timeout' | 'shutdown') {
    super(reason === 'timeout' ? 'The job ran out of time' : 'The process is stopping');
    this.name = 'JobAbortedError';
  }
}

/**
 * Takes jobs of one queue. The queue delivers, nothing more: a job that stalls is delivered again, and its
 * handler finds that the run's lease is taken.
 */
export class JobWorker<Queue extends QueueName> {
  private readonly worker: Worker<unknown, void, string, IQueueBackend>;
  /** What aborts a job under way, and the end of its handler. */
  private readonly running = new Map<AbortController, Promise<void>>();

  constructor(
    queue: Queue,
    private readonly handlers: JobHandlers<Queue>,
    connection: QueueConnection,
    private readonly options: JobWorkerOptions,
  ) {
    const workerOptions: WorkerOptions = {
      connection: connection.options.connection,
      concurrency: options.concurrency,
      autorun: false,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: 1_000,
      runRetryDelay: RETRY_DELAY_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    };
    const process = (job: Job): Promise<void> => this.process(job);
    this.worker = new Worker(queue, process, workerOptions, connection.backend);
    this.worker.on('error', () => undefined);
  }

  /** Begins to take jobs. */
  async start(): Promise<void> {
    await this.worker.waitUntilReady();
    void this.worker.run();
  }

  /**
   * Stops taking jobs, gives those under way `graceMs` to end, aborts the rest and waits for their handlers. A queue
   * that is away then gets a moment to say good-bye, and no more.
   */
  async close(graceMs: number): Promise<void> {
    const abort = setTimeout(() => {
      for (const controller of this.running.keys()) controller.abort(new JobAbortedError('shutdown'));
    }, graceMs);
    const closed = this.worker.close();
    try {
      while (this.running.size > 0) await Promise.all(this.running.values());
      await within(closed, CLOSE_PATIENCE_MS);
    } catch (error) {
      this.options.onError(error, { name: 'close', id: '' });
    } finally {
      clearTimeout(abort);
    }
  }

  private async process(job: Job): Promise<void> {
    // Only the dispatcher adds jobs, and it takes their names from the catalog.
    const name = job.name as JobsOf<Queue>;
    const definition = JOB_CATALOG[name];
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new JobAbortedError('timeout')), definition.timeoutMs);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.running.set(controller, ended);
    try {
      // The schema of this name makes the payload of this name; the compiler cannot follow the two look-ups.
      const payload = definition.payload.parse(job.data) as never;
      await this.handlers[name](payload, { jobId: job.id ?? '', signal: controller.signal });
    } catch (error) {
      this.options.onError(error, { name: job.name, id: job.id ?? '' });
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
      end();
    }
  }
}
