import type { QueueName } from '@citewell/contracts/jobs';
import type { RunDispatchRepository } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobWorker, type QueueConnection } from '@citewell/queue';

/** Between two updates of the worker's row. A worker counts as dead after three missed updates. */
const PRESENCE_INTERVAL_MS = 5_000;

export interface WorkerHostOptions<Queue extends QueueName> {
  queue: Queue;
  handlers: JobHandlers<Queue>;
  /** Jobs processed at the same time. */
  slots: number;
  connection: QueueConnection;
  dispatch: RunDispatchRepository;
  processName: string;
  logger: Logger;
}

/** Processes jobs of one queue, and registers itself in the database, where the dispatcher counts slots. */
export class WorkerHost<Queue extends QueueName> {
  private readonly worker: JobWorker<Queue>;
  private presence: NodeJS.Timeout | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: WorkerHostOptions<Queue>) {
    this.worker = new JobWorker(options.queue, options.handlers, options.connection, {
      concurrency: options.slots,
      onError: (error, job) => options.logger.error({ err: error, job: job.name }, 'job threw'),
    });
  }

  async start(): Promise<void> {
    await this.worker.start();
    await this.announce();
    this.presence = setInterval(() => void this.announce(), PRESENCE_INTERVAL_MS);
  }

  /**
   * Stops taking jobs and resolves when all running jobs have ended. Those still running after `graceMs` are
   * aborted. A job that the queue is just delivering is still processed. Further calls wait for the first
   * one. Never rejects.
   */
  stop(graceMs: number): Promise<void> {
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  private async end(graceMs: number): Promise<void> {
    clearInterval(this.presence);
    await this.worker.close(graceMs);
    await this.options.dispatch.removeWorker(this.options.processName).catch(() => undefined);
  }

  private async announce(): Promise<void> {
    const { dispatch, processName, queue, slots, logger } = this.options;
    await dispatch.workerHeartbeat(processName, queue, slots).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not record worker presence');
    });
  }
}
