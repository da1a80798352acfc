import type { Config } from '@citewell/config';
import { WorkerRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { WorkerHost, type WorkerHostOptions } from './worker-host.js';

/** The worker of one queue. */
export interface HostedWorker {
  start(): Promise<void>;
  /** Resolves when all jobs have ended, at the latest after `SHUTDOWN_GRACE_MS`. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Hosts the processors of this process, one for each queue.
 *
 * Several workers of one process stop at the same time. Nest calls `onModuleDestroy` of all modules before
 * the first `beforeApplicationShutdown`. In the former, every worker stops taking jobs and its grace period
 * starts. In the latter, modules wait for their workers, one after the other.
 */
@Injectable()
export class WorkerHosts implements OnModuleDestroy {
  private readonly hosted: HostedWorker[] = [];

  constructor(
    @Inject(WorkerRepository) private readonly workers: WorkerRepository,
    @Inject(PROCESS_NAME) private readonly processName: string,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Hosts a processor; it takes jobs after `start()`. @param slots jobs processed at the same time */
  host(processor: WorkerHostOptions['processor'], slots: number): HostedWorker {
    const { workers, processName, logger } = this;
    const host = new WorkerHost({ processor, slots, workers, processName, logger });
    const hosted = { start: () => host.start(), stop: () => host.stop(this.config.SHUTDOWN_GRACE_MS) };
    this.hosted.push(hosted);
    return hosted;
  }

  /** Does not wait: the workers of the other modules must stop at the same time. */
  onModuleDestroy(): void {
    for (const worker of this.hosted) void worker.stop();
  }
}
