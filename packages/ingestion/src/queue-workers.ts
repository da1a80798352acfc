import type { Config } from '@citewell/config';
import type { QueueName } from '@citewell/contracts/jobs';
import { WorkerRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import type { JobProcessor } from '@citewell/queue';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Between two updates of the worker's row. A worker counts as dead after three missed updates. */
const PRESENCE_INTERVAL_MS = 5_000;

/**
 * Jobs that a worker takes beyond its slots: one organization has at most as many batches in flight as there are slots, and
 * the first batch of another one need not wait for the end of one of them.
 */
const SPARE_SLOTS = 1;

/**
 * The workers of a module, one for each of its queues.
 *
 * Several workers of one process stop at the same time. Nest calls `onModuleDestroy` of all modules before
 * the first `beforeApplicationShutdown`. In the former, every worker stops taking jobs and its grace period
 * starts. In the latter, modules wait for their workers, one after the other.
 */
@Injectable()
export class QueueWorkers implements OnModuleDestroy {
  private readonly added: QueueWorker[] = [];

  constructor(
    @Inject(WorkerRepository) private readonly workers: WorkerRepository,
    @Inject(PROCESS_NAME) private readonly processName: string,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Adds the worker of a queue. It takes jobs after `start()`. @param slots see {@link QueueWorkerOptions} */
  add(processor: QueueWorkerOptions['processor'], slots: number): QueueWorker {
    const { workers, processName, logger } = this;
    const graceMs = this.config.SHUTDOWN_GRACE_MS;
    const worker = new QueueWorker({ processor, slots, workers, processName, graceMs, logger });
    this.added.push(worker);
    return worker;
  }

  /** Does not wait: the workers of the other modules must stop at the same time. */
  onModuleDestroy(): void {
    for (const worker of this.added) void worker.stop();
  }
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

interface QueueWorkerOptions {
  processor: Pick<JobProcessor<QueueName>, 'queue' | 'start' | 'stop'>;
  /** Jobs of one organization that are processed at the same time. */
  slots: number;
  workers: Pick<WorkerRepository, 'announce' | 'remove'>;
  processName: string;
  /** From `stop()` on, jobs may run for this time. */
  graceMs: number;
  logger: Pick<Logger, 'warn'>;
}
