import type { QueueName } from '@citewell/contracts/jobs';
import type { WorkerRepository } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import type { JobProcessor } from '@citewell/queue';

/** Between two updates of the worker's row. A worker counts as dead after three missed updates. */
const PRESENCE_INTERVAL_MS = 5_000;

/**
 * Jobs that a worker takes beyond its slots: one organization has at most as many batches in flight as there are slots, and
 * the first batch of another one need not wait for the end of one of them.
 */
const SPARE_SLOTS = 1;

export interface QueueWorkerOptions {
  processor: Pick<JobProcessor<QueueName>, 'queue' | 'start' | 'stop'>;
  /** Jobs of one organization that are processed at the same time. */
  slots: number;
  workers: Pick<WorkerRepository, 'announce' | 'remove'>;
  processName: string;
  /** From `stop()` on, jobs may run for this time. */
  graceMs: number;
  logger: Pick<Logger, 'warn'>;
}

/** Runs a processor, and registers it in the database, where the dispatcher counts slots. */
export class QueueWorker {
  private presence: NodeJS.Timeout | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: QueueWorkerOptions) {}

  async start(): Promise<void> {
    await this.options.processor.start(this.options.slots + SPARE_SLOTS);
    await this.announce();
    this.presence = setInterval(() => void this.announce(), PRESENCE_INTERVAL_MS);
  }

  /**
   * Stops taking jobs and resolves when all running jobs have ended. Those still running after the grace period are
   * aborted. A job that the queue is just delivering is still processed. Further calls wait for the first
   * one. Never rejects.
   */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    clearInterval(this.presence);
    await this.options.processor.stop(this.options.graceMs);
    await this.options.workers.remove(this.options.processName).catch(() => undefined);
  }

  private async announce(): Promise<void> {
    const { workers, processName, processor, slots, logger } = this.options;
    await workers.announce(processName, processor.queue, slots).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not record worker presence');
    });
  }
}
