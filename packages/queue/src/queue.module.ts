import { isDeepStrictEqual } from 'node:util';
import { JOB_CATALOG, type JobName, type JobPayload, type QueueName, QUEUES } from '@citewell/contracts/jobs';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { JobProcessor } from './job-processor.js';
import { connectQueue, QueueConnection, type QueueLocation, withTimeout } from './queue-connection.js';

const PROCESSED_QUEUES = Symbol('ProcessedQueues');

export interface QueueModuleOptions {
  location: QueueLocation;
  /** The queues that this process takes jobs from. */
  queues: readonly QueueName[];
}

/** Connects a process to the queue, and provides the {@link JobProducer}. */
@Module({})
export class QueueModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(PROCESSED_QUEUES) private readonly queues: readonly QueueName[],
    @Inject(QueueConnection) private readonly connection: QueueConnection,
  ) {}

  static forRoot({ location, queues }: QueueModuleOptions): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      imports: [
        DiscoveryModule,
        BullModule.forRootAsync({
          useFactory: ({ connection }: QueueConnection) => ({ connection }),
          inject: [QueueConnection],
        }),
        BullModule.registerQueue(...QUEUES.map((name) => ({ name }))),
      ],
      providers: [
        { provide: QueueConnection, useFactory: () => connectQueue(location, queues.length) },
        { provide: PROCESSED_QUEUES, useValue: queues },
        {
          provide: JobProducer,
          useFactory: (...registered: Queue[]) => new JobProducer(registered),
          inject: QUEUES.map((name) => getQueueToken(name)),
        },
      ],
      exports: [QueueConnection, JobProducer],
    };
  }

  /** @throws Error unless each queue of this process has one processor */
  async onApplicationBootstrap(): Promise<void> {
    const processors = this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof JobProcessor ? [instance] : []));
    const processed = processors.map(({ queue }) => queue);
    if (isDeepStrictEqual(processed.toSorted(), this.queues.toSorted())) return;
    await Promise.all(processors.map((processor) => processor.stop(0)));
    await this.connection.close();
    throw new Error(
      `This process takes jobs from the queues [${this.queues.join()}], but has processors of [${processed.join()}]`,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }
}

/**
 * BullMQ waits for an unavailable queue without limit. After this time the dispatcher delivers the run again
 * later.
 */
const ADD_TIMEOUT_MS = 3_000;

/** Adds jobs to their queues. Only the dispatcher uses it. */
export class JobProducer {
  /** @param queues those of the catalog */
  constructor(private readonly queues: readonly Queue[]) {
    // BullMQ reports a lost connection again and again; readiness shows it.
    for (const queue of queues) queue.on('error', () => undefined);
  }

  /**
   * Adds a job. Does nothing when a job with the same id waits or runs. Finished jobs are deleted, so their
   * ids can be used again.
   *
   * @param options.jobId must not contain `:`, which BullMQ uses in its keys
   * @param options.priority 1 is the highest; jobs with equal priority are processed in order
   * @throws Error when the queue does not answer within three seconds
   */
  async add<Name extends JobName>(
    name: Name,
    payload: JobPayload<Name>,
    options: { jobId: string; priority: number },
  ): Promise<void> {
    const queue = this.queues.find((one) => one.name === JOB_CATALOG[name].queue);
    if (!queue) throw new Error(`There is no queue for ${name}`);
    const job = { ...options, attempts: 1, removeOnComplete: true, removeOnFail: true };
    await withTimeout(queue.add(name, payload, job), ADD_TIMEOUT_MS);
  }

  /** Calls the listener whenever this process has added a job to a queue. */
  onAdded(name: QueueName, listener: () => void): void {
    this.queues.find((queue) => queue.name === name)?.on('waiting', listener);
  }

  /** Number of waiting and running jobs by queue. */
  async depths(): Promise<Record<QueueName, number>> {
    const entries = await Promise.all(
      this.queues.map(async (queue) => {
        const counts = await queue.getJobCounts('waiting', 'active', 'prioritized', 'delayed');
        return [queue.name, Object.values(counts).reduce((sum, count) => sum + count, 0)] as const;
      }),
    );
    // The queues are exactly those of the catalog.
    return Object.fromEntries(entries) as Record<QueueName, number>;
  }
}
