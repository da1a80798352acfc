import { isDeepStrictEqual } from 'node:util';
import { QUEUES, type QueueName } from '@citewell/contracts/jobs';
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
import { JobProducer } from './job-producer.js';
import { connectQueue, QueueConnection, type QueueLocation } from './queue-connection.js';

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
