import { setTimeout as sleep } from 'node:timers/promises';
import 'reflect-metadata';
import { loadConfig } from '@citewell/config';
import type { BatchPayload } from '@citewell/contracts/jobs';
import { createDataSource, type DataSource, migrate, WorkerRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME } from '@citewell/infrastructure';
import { createLogger, type Logger } from '@citewell/observability';
import {
  type JobContext,
  JobProcessor,
  JobProducer,
  migrateQueue,
  QueueModule,
  WORKER_OPTIONS,
} from '@citewell/queue';
import { createTestDatabase, type TestDatabase } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Processor } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type QueueWorker, QueueWorkers } from './queue-workers.js';

type Handle = (queue: 'parse' | 'index', jobId: string, job: JobContext) => Promise<void>;
const HANDLE = Symbol('handle');
const SLOTS = 4;

@Processor('parse', WORKER_OPTIONS)
class ParseProcessor extends JobProcessor<'parse'> {
  protected readonly handlers;
  constructor(@Inject(HANDLE) handle: Handle, @Inject(LOGGER) logger: Logger) {
    super(logger);
    this.handlers = { 'parse-document': (_: unknown, job: JobContext) => handle('parse', job.jobId, job) };
  }
}

@Processor('index', WORKER_OPTIONS)
class IndexProcessor extends JobProcessor<'index'> {
  protected readonly handlers;
  constructor(@Inject(HANDLE) handle: Handle, @Inject(LOGGER) logger: Logger) {
    super(logger);
    this.handlers = {
      'index-document': (_: unknown, job: JobContext) => handle('index', job.jobId, job),
      purge: async () => undefined,
    };
  }
}

/** Like the modules of the apps: each has a worker and waits for it on shutdown. */
@Module({ providers: [QueueWorkers, ParseProcessor] })
class ParserModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: QueueWorker;
  constructor(
    @Inject(QueueWorkers) queueWorkers: QueueWorkers,
    @Inject(ParseProcessor) processor: ParseProcessor,
  ) {
    this.worker = queueWorkers.add(processor, SLOTS);
  }
  onApplicationBootstrap = (): Promise<void> => this.worker.start();
  beforeApplicationShutdown = (): Promise<void> => this.worker.stop();
}

@Module({ providers: [QueueWorkers, IndexProcessor] })
class IndexerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: QueueWorker;
  constructor(
    @Inject(QueueWorkers) queueWorkers: QueueWorkers,
    @Inject(IndexProcessor) processor: IndexProcessor,
  ) {
    this.worker = queueWorkers.add(processor, SLOTS);
  }
  onApplicationBootstrap = (): Promise<void> => this.worker.start();
  beforeApplicationShutdown = (): Promise<void> => this.worker.stop();
}

const organizationId = '0190a5a4-0000-7000-8000-000000000001';
const deliveries = [
  {
    datasourceId: '0190a5a4-0000-7000-8000-000000000002',
    runId: '0190a5a4-0000-7000-8000-000000000003',
    delivery: 1,
  },
];
const parsing: BatchPayload = { organizationId, stage: 'parsing', deliveries };
const indexing: BatchPayload = { organizationId, stage: 'indexing', deliveries };

describe('queue workers', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { url } = database;
    dataSource = await createDataSource({ url, poolSize: 4, applicationName: 'test' }).initialize();
    await migrate(dataSource, () => migrateQueue(url));
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /**
   * Starts a Nest application with both workers.
   *
   * @param stopping resolved when all workers were told to stop
   */
  function startBoth(handle: Handle, graceMs: number, stopping: PromiseWithResolvers<void>) {
    const providers = [
      { provide: CONFIG, useValue: { ...loadConfig({}), SHUTDOWN_GRACE_MS: graceMs } },
      { provide: LOGGER, useValue: createLogger('test', 'silent') },
      { provide: PROCESS_NAME, useValue: 'test' },
      { provide: WorkerRepository, useValue: new WorkerRepository(dataSource) },
      { provide: HANDLE, useValue: handle },
    ];
    @Module({})
    class EnginesModule {}
    const engines: DynamicModule = {
      module: EnginesModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
    const queue = QueueModule.forRoot({
      location: { postgresUrl: database.url, connections: 3 },
      queues: ['parse', 'index'],
    });
    @Module({ imports: [engines, queue, ParserModule, IndexerModule] })
    class ProcessModule {
      /** Nest calls modules in the order of their distance; this one is the last. */
      onModuleDestroy(): void {
        stopping.resolve();
      }
    }
    return NestFactory.createApplicationContext(ProcessModule, { logger: false, abortOnError: false });
  }

  it('of one process all stop taking jobs before the first is waited for', async () => {
    const started = { parse: Promise.withResolvers<void>(), index: Promise.withResolvers<void>() };
    const aborted = { parse: Promise.withResolvers<void>(), index: Promise.withResolvers<void>() };
    const taken: string[] = [];
    const slow: Handle = async (queue, jobId, { signal }) => {
      taken.push(jobId);
      started[queue].resolve();
      signal.addEventListener('abort', () => aborted[queue].resolve());
      // Each job ends only after both are aborted. A shutdown that stops one worker after the other would
      // hang.
      await Promise.all([aborted.parse.promise, aborted.index.promise]);
    };
    const stopping = Promise.withResolvers<void>();
    const process = await startBoth(slow, 500, stopping);
    const producer = process.get(JobProducer);
    await producer.add('parse-document', parsing, { jobId: 'parse-slow', priority: 1 });
    await producer.add('index-document', indexing, { jobId: 'index-slow', priority: 1 });
    await Promise.all([started.parse.promise, started.index.promise]);

    const closed = process.close();
    await stopping.promise;
    // The queue may still deliver a job that it was about to hand over.
    await sleep(200);
    await producer.add('parse-document', parsing, { jobId: 'parse-late', priority: 1 });
    await producer.add('index-document', indexing, { jobId: 'index-late', priority: 1 });
    await closed;
    expect(taken.toSorted()).toEqual(['index-slow', 'parse-slow']);
  });
});
