import type { Config } from '@citewell/config';
import { WorkerRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { QueueWorker, type QueueWorkerOptions } from './queue-worker.js';

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
