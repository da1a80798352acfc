import type { Config } from '@citewell/config';
import type { QueueName } from '@citewell/contracts/jobs';
import { RunDispatchRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME, QUEUE_CONNECTION } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import type { JobHandlers, QueueConnection } from '@citewell/queue';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { WorkerHost } from './worker-host.js';

/** A worker of one queue. */
export interface HostedWorker {
  start(): Promise<void>;
  /** Resolves when all jobs have ended, at the latest after `SHUTDOWN_GRACE_MS`. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Creates the workers of this process, one for each queue.
 *
 * Several workers of one process stop at the same time. Nest calls `onModuleDestroy` of all modules before
 * the first `beforeApplicationShutdown`. In the former, every worker stops taking jobs and its grace period
 * starts. In the latter, modules wait for their workers, one after the other.
 */
@Injectable()
export class WorkerHosts implements OnModuleDestroy {
  private readonly hosted: HostedWorker[] = [];

  constructor(
    @Inject(QUEUE_CONNECTION) private readonly connection: QueueConnection,
    @Inject(RunDispatchRepository) private readonly dispatch: RunDispatchRepository,
    @Inject(PROCESS_NAME) private readonly processName: string,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Creates a worker; it takes jobs after `start()`. @param slots jobs processed at the same time */
  host<Queue extends QueueName>(queue: Queue, slots: number, handlers: JobHandlers<Queue>): HostedWorker {
    const { connection, dispatch, processName, logger } = this;
    const host = new WorkerHost({ queue, handlers, slots, connection, dispatch, processName, logger });
    const hosted = { start: () => host.start(), stop: () => host.stop(this.config.SHUTDOWN_GRACE_MS) };
    this.hosted.push(hosted);
    return hosted;
  }

  /** Does not wait: the workers of the other modules must stop at the same time. */
  onModuleDestroy(): void {
    for (const worker of this.hosted) void worker.stop();
  }
}
