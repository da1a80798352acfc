import type { QueueName } from '@citewell/contracts/jobs';
import type { RunDispatchRepository } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobWorker, type QueueConnection } from '@citewell/queue';

/** How often a worker says that it is alive; it counts as gone after three of them. */
const PRESENCE_INTERVAL_MS = 5_000;

export interface WorkerHostOptions<Queue extends QueueName> {
  queue: Queue;
  handlers: JobHandlers<Queue>;
  /** Jobs taken at once. */
  slots: number;
  connection: QueueConnection;
  dispatch: RunDispatchRepository;
  processName: string;
  logger: Logger;
}

/** Takes jobs of one queue and says so in the database, where the dispatcher looks how much is wanted. */
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
   * Stops taking jobs, but for one that the queue is just handing over, and resolves when those under way have ended: by
   * themselves, or aborted when `graceMs` are over. Further calls wait for the first one. Never rejects.
   */
  stop(graceMs: number): Promise<void> {
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  private async end(graceMs: number): Promise<void> {
    clearInterval(this.presence);
    await this.worker.close(graceMs);
    await this.options.dispatch.workerLeft(this.options.processName).catch(() => undefined);
  }

  private async announce(): Promise<void> {
    const { dispatch, processName, queue, slots, logger } = this.options;
    await dispatch.sawWorker(processName, queue, slots).catch((error: unknown) => {
      logger.warn({ err: error }, 'presence not written');
    });
  }
}
