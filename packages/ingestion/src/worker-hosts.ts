import type { Config } from '@citewell/config';
import type { QueueName } from '@citewell/contracts/jobs';
import { RunDispatchRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME, QUEUE_CONNECTION } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import type { JobHandlers, QueueConnection } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { WorkerHost } from './worker-host.js';

/** A worker that takes jobs; stopping it uses the configured grace time. */
export interface HostedWorker {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes workers of this process: one for each queue that it takes jobs from. */
@Injectable()
export class WorkerHosts {
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
    return { start: () => host.start(), stop: () => host.stop(this.config.SHUTDOWN_GRACE_MS) };
  }
}
