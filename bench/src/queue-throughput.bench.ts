// Measures jobs that do nothing: added and processed per second, on Redis and on Postgres, through packages/queue and
// through BullMQ alone with the same settings.
//
//   node dist/queue-throughput.bench.js [jobs=5000] [--rounds 3]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { BatchPayload } from '@citewell/contracts/jobs';
import {
  type JobHandlers,
  JobProcessor,
  JobProducer,
  migrateQueue,
  QueueConnection,
  type QueueLocation,
  QueueModule,
  WORKER_OPTIONS,
} from '@citewell/queue';
import { startPostgres, RedisServer } from '@citewell/testing';
import { Processor } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { round } from './product/timings.js';

const CONCURRENCY = 8;
/** Jobs that are added at the same time. */
const ADDED_AT_ONCE = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const jobs = Number(positionals[0] ?? 5_000);
const payload: BatchPayload = {
  organizationId: randomUUID(),
  stage: 'parsing',
  deliveries: [{ datasourceId: randomUUID(), runId: randomUUID(), delivery: 1 }],
};

type Add = (jobId: string) => Promise<unknown>;
/** Starts a worker that calls `onJob` for each job. */
type Start = (
  location: QueueLocation,
  onJob: () => void,
) => Promise<{ add: Add; start: () => Promise<void>; stop: () => Promise<void> }>;

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** Adds all jobs before the first is taken. */
async function measure(location: QueueLocation, begin: Start): Promise<{ added: number; processed: number }> {
  let done = 0;
  const all = Promise.withResolvers<void>();
  const { add, start, stop } = await begin(location, () => {
    done += 1;
    if (done === jobs) all.resolve();
  });
  const adding = performance.now();
  for (let n = 0; n < jobs; n += ADDED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(ADDED_AT_ONCE, jobs - n) }, (_, m) => add(`job-${n + m}`)),
    );
  const processing = performance.now();
  await start();
  await all.promise;
  const ended = performance.now();
  await stop();
  return { added: (jobs * 1_000) / (processing - adding), processed: (jobs * 1_000) / (ended - processing) };
}

const throughPackage: Start = async (location, onJob) => {
  @Processor('parse', WORKER_OPTIONS)
  class NoOpProcessor extends JobProcessor<'parse'> {
    protected readonly handlers: JobHandlers<'parse'> = { 'parse-document': async () => onJob() };
    constructor() {
      super({ error: (fields) => console.error(fields) });
    }
  }
  @Module({ imports: [QueueModule.forRoot({ location, queues: ['parse'] })], providers: [NoOpProcessor] })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false, abortOnError: false });
  const processor = app.get(NoOpProcessor);
  return {
    add: (jobId) => app.get(JobProducer).add('parse-document', payload, { jobId, priority: 1 }),
    start: () => processor.start(CONCURRENCY),
    async stop() {
      await processor.stop(0);
      await app.close();
    },
  };
};

/** Uses the connection of a module without processors, so that both have the same pool and backend. */
const throughBullMq: Start = async (location, onJob) => {
  @Module({ imports: [QueueModule.forRoot({ location, queues: [] })] })
  class ConnectionModule {}
  const app = await NestFactory.createApplicationContext(ConnectionModule, { logger: false });
  const connection: ConnectionOptions = app.get(QueueConnection).connection;
  const queue = new Queue('raw', { connection });
  const worker = new Worker('raw', async () => onJob(), {
    ...WORKER_OPTIONS,
    connection,
    concurrency: CONCURRENCY,
  });
  const options = { attempts: 1, removeOnComplete: true, removeOnFail: true, priority: 1 };
  return {
    add: (jobId) => queue.add('parse-document', payload, { ...options, jobId }),
    async start() {
      await worker.waitUntilReady();
      void worker.run();
    },
    async stop() {
      await worker.close();
      await queue.close();
      await app.close();
    },
  };
};

const redis = await RedisServer.start();
const postgres = await startPostgres();
const postgresUrl = await postgres.createDatabase();
await migrateQueue(postgresUrl);
const locations: Record<string, QueueLocation> = {
  Redis: { redisUrl: redis.url },
  Postgres: { postgresUrl, connections: 4 },
};
try {
  for (const [name, location] of Object.entries(locations)) {
    const results = { 'packages/queue': [] as number[], BullMQ: [] as number[] };
    const adding = { 'packages/queue': [] as number[], BullMQ: [] as number[] };
    for (let n = 0; n < Number(values.rounds); n += 1)
      for (const [way, begin] of [
        ['packages/queue', throughPackage],
        ['BullMQ', throughBullMq],
      ] as const) {
        const { added, processed } = await measure(location, begin);
        adding[way].push(added);
        results[way].push(processed);
      }
    console.log(`${name}: ${jobs} jobs, median of ${values.rounds} rounds, jobs per second`);
    console.table(
      Object.fromEntries(
        (['packages/queue', 'BullMQ'] as const).map((way) => [
          way,
          { added: round(median(adding[way])), processed: round(median(results[way])) },
        ]),
      ),
    );
  }
} finally {
  await redis.stop();
  await postgres.stop();
}
