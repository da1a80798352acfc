import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPayload } from '@citewell/contracts/jobs';
import { createTestDatabase, startRedis } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { JobProducer } from './job-producer.js';
import { JobAbortedError, JobWorker } from './job-worker.js';
import { connectQueue, migrateQueue, type QueueLocation } from './queue-connection.js';

const payload: RunPayload = {
  organizationId: '0190a5a4-0000-7000-8000-000000000001',
  datasourceId: '0190a5a4-0000-7000-8000-000000000002',
  runId: '0190a5a4-0000-7000-8000-000000000003',
  delivery: 1,
};

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
      handler: (payload: RunPayload, signal: AbortSignal) => Promise<void>,
      test: (producer: JobProducer, worker: JobWorker<'parse'>, errors: unknown[]) => Promise<void>,
      concurrency = 2,
    ): Promise<void> {
      const connection = connectQueue(location, 1);
      const producer = new JobProducer(connection);
      const errors: unknown[] = [];
      const handlers = {
        'parse-document': (p: RunPayload, { signal }: { signal: AbortSignal }) => handler(p, signal),
      };
      const worker = new JobWorker('parse', handlers, connection, {
        concurrency,
        onError: (error) => errors.push(error),
      });
      try {
        await test(producer, worker, errors);
      } finally {
        await worker.close(0);
        await producer.close();
        await connection.close();
      }
    }

    it('delivers jobs added before and after the worker started', async () => {
      const delivered: number[] = [];
      await withWorker(
        async ({ delivery }) => void delivered.push(delivery),
        async (producer, worker) => {
          await producer.add('parse-document', payload, { jobId: 'a-1', priority: 1 });
          await worker.start();
          await producer.add('parse-document', { ...payload, delivery: 2 }, { jobId: 'a-2', priority: 1 });
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
        async ({ delivery }) => void delivered.push(delivery),
        async (producer, worker) => {
          for (const priority of [5, 3, 1, 4, 2]) {
            await producer.add(
              'parse-document',
              { ...payload, delivery: priority },
              { jobId: `p-${priority}`, priority },
            );
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

    it('reports a payload that does not match the catalog, and does not retry it', async () => {
      let runs = 0;
      await withWorker(
        async () => void (runs += 1),
        async (producer, worker, errors) => {
          await worker.start();
          await producer.add('parse-document', { ...payload, runId: 'no id' }, { jobId: 'bad', priority: 1 });
          await until(() => errors.length === 1);
          await untilAsync(async () => (await producer.depths()).parse === 0);
          expect([runs, errors.length]).toEqual([0, 1]);
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
          await worker.close(5_000);
          expect(aborted).toBe(false);
        },
      );
    });

    it('answers a ping, and rejects it when closed', async () => {
      const connection = connectQueue(location, 1);
      await connection.ping();
      await connection.close();
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
          await worker.close(50);
          expect(reason instanceof JobAbortedError && reason.reason === 'shutdown').toBe(true);
        },
      );
    });
  });
}

queueConformance('Redis', async () => {
  const redis = await startRedis();
  return { location: { redisUrl: redis.url }, stop: () => redis.stop() };
});

queueConformance('Postgres', async () => {
  const { url: postgresUrl, drop } = await createTestDatabase();
  await migrateQueue(postgresUrl);
  await migrateQueue(postgresUrl);
  return { location: { postgresUrl, connections: 3 }, stop: drop };
});

describe('queue connections on Postgres', () => {
  it('are limited to statements plus workers', async () => {
    const database = await createTestDatabase();
    const postgresUrl = database.url;
    await migrateQueue(postgresUrl);
    const connection = connectQueue({ postgresUrl, connections: 2 }, 1);
    const producer = new JobProducer(connection);
    const handlers = { 'parse-document': async () => sleep(5) };
    const worker = new JobWorker('parse', handlers, connection, { concurrency: 4, onError: () => undefined });
    const watcher = new pg.Client({ connectionString: postgresUrl });
    await watcher.connect();
    try {
      await worker.start();
      let maxConnections = 0;
      const jobs = Array.from({ length: 40 }, (_, n) =>
        producer.add('parse-document', payload, { jobId: `c-${n}`, priority: 1 }),
      );
      const added = Promise.all(jobs);
      await untilAsync(async () => {
        const { rows } = await watcher.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'citewell-queue'`,
        );
        maxConnections = Math.max(maxConnections, rows[0]?.n ?? 0);
        return (await producer.depths()).parse === 0;
      });
      await added;
      expect(maxConnections).toBeGreaterThanOrEqual(1);
      expect(maxConnections).toBeLessThanOrEqual(3);
    } finally {
      await worker.close(0);
      await producer.close();
      await connection.close();
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
