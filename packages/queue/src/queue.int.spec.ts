import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName, BatchPayload } from '@citewell/contracts/jobs';
import { createTestDatabase, RedisServer } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Processor } from '@nestjs/bullmq';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { JobAbortedError, JobProcessor, WORKER_OPTIONS } from './job-processor.js';
import { JobProducer, QueueModule } from './queue.module.js';
import { connectQueue, migrateQueue, QueueConnection, type QueueLocation } from './queue-connection.js';

const organizationId = '0190a5a4-0000-7000-8000-000000000001';
const delivery = {
  datasourceId: '0190a5a4-0000-7000-8000-000000000002',
  runId: '0190a5a4-0000-7000-8000-000000000003',
  delivery: 1,
};
const payload: BatchPayload = { organizationId, stage: 'parsing', deliveries: [delivery] };

function numbered(number: number): BatchPayload {
  return { ...payload, deliveries: [{ ...delivery, delivery: number }] };
}

/** A process with a worker of the queue `parse`, and a producer. */
class TestWorker {
  private constructor(
    readonly app: INestApplicationContext,
    readonly processor: JobProcessor<'parse'>,
    readonly errors: unknown[],
    private readonly concurrency: number,
  ) {}

  static async create(
    location: QueueLocation,
    handler: (payload: BatchPayload, signal: AbortSignal) => Promise<void>,
    concurrency: number,
  ): Promise<TestWorker> {
    const errors: unknown[] = [];
    @Processor('parse', WORKER_OPTIONS)
    class ParseProcessor extends JobProcessor<'parse'> {
      protected readonly handlers = {
        'parse-document': (job: BatchPayload, { signal }: { signal: AbortSignal }) => handler(job, signal),
      };
      constructor() {
        super({ error: (fields) => errors.push(fields) });
      }
    }
    const app = await startProcess(location, ['parse'], [ParseProcessor]);
    return new TestWorker(app, app.get(ParseProcessor), errors, concurrency);
  }

  start(): Promise<void> {
    return this.processor.start(this.concurrency);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.processor.stop(0);
    await this.app.close();
  }
}

function startProcess(
  location: QueueLocation,
  queues: readonly QueueName[],
  providers: readonly Type[],
): Promise<INestApplicationContext> {
  @Module({
    imports: [QueueModule.forRoot({ location, queues })],
    providers: [...providers],
  })
  class ProcessModule {}
  return NestFactory.createApplicationContext(ProcessModule, { logger: false, abortOnError: false });
}

/** The tests that every backend must pass. */
function queueConformance(
  name: string,
  start: () => Promise<{ location: QueueLocation; stop: () => Promise<void> }>,
): void {
  describe(`queue on ${name}`, () => {
    let location: QueueLocation;
    let stop: () => Promise<void>;
    beforeAll(async () => {
      ({ location, stop } = await start());
    });
    afterAll(() => stop());

    async function withWorker(
      handler: (payload: BatchPayload, signal: AbortSignal) => Promise<void>,
      test: (producer: JobProducer, worker: TestWorker, errors: unknown[]) => Promise<void>,
      concurrency = 2,
    ): Promise<void> {
      await using worker = await TestWorker.create(location, handler, concurrency);
      await test(worker.app.get(JobProducer), worker, worker.errors);
    }

    it('delivers jobs added before and after the worker started', async () => {
      const delivered: number[] = [];
      await withWorker(
        async ({ deliveries }) => void delivered.push(...deliveries.map((one) => one.delivery)),
        async (producer, worker) => {
          await producer.add('parse-document', payload, { jobId: 'a-1', priority: 1 });
          await worker.start();
          await producer.add('parse-document', numbered(2), { jobId: 'a-2', priority: 1 });
          await until(() => delivered.length === 2);
          expect(delivered.toSorted()).toEqual([1, 2]);
          await untilAsync(async () => (await producer.depths()).parse === 0);
        },
      );
    });

    it('ignores a second job with the same id until the first has run', async () => {
      let runs = 0;
      await withWorker(
        async () => void (runs += 1),
        async (producer, worker) => {
          await producer.add('parse-document', payload, { jobId: 'same', priority: 1 });
          await producer.add('parse-document', payload, { jobId: 'same', priority: 1 });
          await worker.start();
          await until(() => runs === 1);
          await untilAsync(async () => (await producer.depths()).parse === 0);
          await producer.add('parse-document', payload, { jobId: 'same', priority: 1 });
          await until(() => runs === 2);
        },
      );
    });

    it('processes a lower priority number first', async () => {
      const delivered: number[] = [];
      await withWorker(
        async ({ deliveries }) => void delivered.push(...deliveries.map((one) => one.delivery)),
        async (producer, worker) => {
          for (const priority of [5, 3, 1, 4, 2]) {
            await producer.add('parse-document', numbered(priority), { jobId: `p-${priority}`, priority });
          }
          await worker.start();
          await until(() => delivered.length === 5);
          expect(delivered).toEqual([1, 2, 3, 4, 5]);
        },
        // Two jobs processed at the same time may start in either order.
        1,
      );
    });

    it('reports an error of a handler and processes the next job', async () => {
      let runs = 0;
      await withWorker(
        async () => {
          runs += 1;
          if (runs === 1) throw new Error('broken');
        },
        async (producer, worker, errors) => {
          await worker.start();
          await producer.add('parse-document', payload, { jobId: 'x-1', priority: 1 });
          await producer.add('parse-document', payload, { jobId: 'x-2', priority: 1 });
          await until(() => runs === 2);
          expect(errors).toHaveLength(1);
          await untilAsync(async () => (await producer.depths()).parse === 0);
        },
      );
    });

    it('reports a payload that does not match the catalog, as that of an earlier release, and does not retry it', async () => {
      let runs = 0;
      await withWorker(
        async () => void (runs += 1),
        async (producer, worker, errors) => {
          await worker.start();
          const earlier = { organizationId, ...delivery } as unknown as BatchPayload;
          await producer.add('parse-document', earlier, { jobId: 'earlier', priority: 1 });
          await producer.add(
            'parse-document',
            { ...payload, organizationId: 'no id' },
            { jobId: 'bad', priority: 1 },
          );
          await until(() => errors.length === 2);
          await untilAsync(async () => (await producer.depths()).parse === 0);
          expect([runs, errors.length]).toEqual([0, 2]);
        },
      );
    });

    it('processes as many jobs at the same time as its concurrency', async () => {
      let running = 0;
      let maxRunning = 0;
      let done = 0;
      await withWorker(
        async () => {
          running += 1;
          maxRunning = Math.max(maxRunning, running);
          await sleep(30);
          running -= 1;
          done += 1;
        },
        async (producer, worker) => {
          for (let n = 0; n < 6; n += 1)
            await producer.add('parse-document', payload, { jobId: `s-${n}`, priority: 1 });
          expect((await producer.depths()).parse).toBe(6);
          await worker.start();
          await until(() => done === 6);
          expect(maxRunning).toBe(2);
        },
      );
    });

    it('lets a job finish that ends within the grace period', async () => {
      let aborted: boolean | undefined;
      await withWorker(
        async (_, signal) => {
          await sleep(150);
          aborted = signal.aborted;
        },
        async (producer, worker) => {
          await worker.start();
          await producer.add('parse-document', payload, { jobId: 'short', priority: 1 });
          await untilAsync(async () => (await producer.depths()).parse === 1);
          await sleep(50);
          await worker.processor.stop(5_000);
          expect(aborted).toBe(false);
        },
      );
    });

    it('answers a ping, and rejects it when closed', async () => {
      const app = await startProcess(location, [], []);
      const connection = app.get(QueueConnection);
      await connection.ping();
      await app.close();
      await expect(connection.ping()).rejects.toThrow();
    });

    it('aborts running jobs after the grace period', async () => {
      let reason: unknown;
      await withWorker(
        (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              resolve();
            });
          }),
        async (producer, worker) => {
          await worker.start();
          await producer.add('parse-document', payload, { jobId: 'slow', priority: 1 });
          await sleep(200);
          await worker.processor.stop(50);
          expect(reason).toEqual(new JobAbortedError('shutdown'));
        },
      );
    });
  });
}

queueConformance('Redis', async () => {
  const redis = await RedisServer.start();
  return { location: { redisUrl: redis.url }, stop: () => redis.stop() };
});

queueConformance('Postgres', async () => {
  const { url: postgresUrl, drop } = await createTestDatabase();
  await migrateQueue(postgresUrl);
  await migrateQueue(postgresUrl);
  return { location: { postgresUrl, connections: 3 }, stop: drop };
});

describe('a process', () => {
  @Processor('parse', WORKER_OPTIONS)
  class ParseProcessor extends JobProcessor<'parse'> {
    protected readonly handlers = { 'parse-document': async () => undefined };
    constructor() {
      super({ error: () => undefined });
    }
  }
  @Processor('parse', WORKER_OPTIONS)
  class SecondProcessor extends ParseProcessor {}

  for (const [what, queues, processors] of [
    ['a queue without a processor', ['parse', 'index'], [ParseProcessor]],
    ['a queue with two processors', ['parse'], [ParseProcessor, SecondProcessor]],
    ['a processor of another queue', [], [ParseProcessor]],
  ] as const) {
    it(`does not start with ${what}`, async () => {
      const redis = await RedisServer.start();
      await expect(startProcess({ redisUrl: redis.url }, queues, processors)).rejects.toThrow(
        /takes jobs from the queues .*, but has processors of/,
      );
      await redis.stop();
    });
  }

  it('stops within seconds when Redis is away', async () => {
    const redis = await RedisServer.start();
    const worker = await TestWorker.create({ redisUrl: redis.url }, async () => undefined, 1);
    await worker.start();
    await redis.stop();
    await worker[Symbol.asyncDispose]();
    // The queue's own shutdown would wait for Redis without limit.
    expect(worker.errors).toEqual([expect.objectContaining({ queue: 'parse' })]);
  });
});

describe('queue connections on Postgres', () => {
  it('are limited to statements plus workers', async () => {
    const database = await createTestDatabase();
    const postgresUrl = database.url;
    await migrateQueue(postgresUrl);
    const watcher = new pg.Client({ connectionString: postgresUrl });
    await watcher.connect();
    try {
      await using worker = await TestWorker.create({ postgresUrl, connections: 2 }, async () => sleep(5), 4);
      const producer = worker.app.get(JobProducer);
      await worker.start();
      let maxConnections = 0;
      const jobs = Array.from({ length: 40 }, (_, n) =>
        producer.add('parse-document', payload, { jobId: `c-${n}`, priority: 1 }),
      );
      const added = Promise.all(jobs);
      await untilAsync(async () => {
        const { rows } = await watcher.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity 
            WHERE application_name = 'citewell-queue' AND datname = current_database()`,
        );
        maxConnections = Math.max(maxConnections, rows[0]?.n ?? 0);
        return (await producer.depths()).parse === 0;
      });
      await added;
      expect(maxConnections).toBeGreaterThanOrEqual(1);
      expect(maxConnections).toBeLessThanOrEqual(3);
    } finally {
      await watcher.end();
      await database.drop();
    }
  });
});

async function until(done: () => boolean): Promise<void> {
  await untilAsync(async () => done());
}

async function untilAsync(done: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await done())) {
    expect(Date.now()).toBeLessThan(deadline);
    await sleep(10);
  }
}

describe('a Redis server that cannot carry the queue', () => {
  for (const [what, settings, reason] of [
    ['a node of a cluster', { 'cluster-enabled': 'yes' }, 'is a Redis Cluster'],
    ['a replica', { replicaof: '127.0.0.1 1' }, 'is a read-only replica'],
    ['a server that evicts jobs', { 'maxmemory-policy': 'allkeys-lru' }, 'evicts jobs'],
  ] as const)
    it(`is named by a ping: ${what}`, async () => {
      const redis = await RedisServer.start(settings);
      const connection = connectQueue({ redisUrl: redis.url }, 0);
      await expect(connection.ping()).rejects.toMatchObject({ reason: expect.stringContaining(reason) });
      await connection.close();
      await redis.stop();
    });
});

it('continues on the new primary after a failover of Redis', async () => {
  const [first, second] = [await RedisServer.start(), await RedisServer.start()];
  let primary = first;
  // The address of the primary, such as a DNS name. Connections stay when it changes.
  const address = createServer((socket) => {
    const server = connect(Number(new URL(primary.url).port), '127.0.0.1');
    void pipeline(socket, server, socket).catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(address, 'listening');
  const { port } = address.address() as AddressInfo;
  const delivered: number[] = [];
  {
    await using worker = await TestWorker.create(
      { redisUrl: `redis://127.0.0.1:${port}` },
      async ({ deliveries }) => void delivered.push(...deliveries.map((one) => one.delivery)),
      1,
    );
    await worker.start();
    const producer = worker.app.get(JobProducer);
    await producer.add('parse-document', payload, { jobId: 'before', priority: 1 });
    await until(() => delivered.length === 1);

    primary = second;
    await first.command('REPLICAOF 127.0.0.1 1');
    await producer.add('parse-document', numbered(2), { jobId: 'after', priority: 1 });
    await until(() => delivered.length === 2);
  }
  expect(delivered).toEqual([1, 2]);
  address.close();
  await Promise.all([first.stop(), second.stop()]);
});
