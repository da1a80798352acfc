import type { Config } from '@citewell/config';
import type { QueueName } from '@citewell/contracts/jobs';
import { RunDispatchRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME, QUEUE_CONNECTION } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import type { JobHandlers, QueueConnection } from '@citewell/queue';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { WorkerHost } from './worker-host.js';

/** A worker that takes jobs. */
export interface HostedWorker {
  start(): Promise<void>;
  /** Resolves when no job is under way any more, which takes the configured grace time at the most. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Makes workers of this process: one for each queue that it takes jobs from.
 *
 * A process with several of them stops them at the same time. Nest calls `onModuleDestroy` everywhere before it calls
 * `beforeApplicationShutdown` anywhere: here every worker stops taking jobs and its grace time begins; there the
 * modules wait, one after the other, for what has been ending all along.
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

  /** @param slots jobs taken at once */
  host<Queue extends QueueName>(queue: Queue, slots: number, handlers: JobHandlers<Queue>): HostedWorker {
    const { connection, dispatch, processName, logger } = this;
    const host = new WorkerHost({ queue, handlers, slots, connection, dispatch, processName, logger });
    const hosted = { start: () => host.start(), stop: () => host.stop(this.config.SHUTDOWN_GRACE_MS) };
    this.hosted.push(hosted);
    return hosted;
  }

  /** Begins and does not wait: the next module's workers have to be told, too. */
  onModuleDestroy(): void {
    for (const worker of this.hosted) void worker.stop();
  }
}
