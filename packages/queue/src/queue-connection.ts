import {
  type BackendFactory,
  type ConnectionOptions,
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  type IQueueBackend,
  type QueueOptions,
  runMigrations,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { within } from './within.js';

/** Where the queue lives: in Redis, or in the same Postgres as everything else. */
export type QueueLocation = { redisUrl: string } | { postgresUrl: string; connections: number };

/**
 * What BullMQ objects of this process share: one connection set, bounded.
 *
 * On Postgres every worker keeps one connection of the pool to LISTEN on, so the pool is sized as workers plus
 * `connections` for statements.
 */
export interface QueueConnection {
  readonly options: Pick<QueueOptions, 'connection'>;
  readonly backend: BackendFactory<IQueueBackend>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** @param workers how many workers of this process will listen */
export function connectQueue(location: QueueLocation, workers: number): QueueConnection {
  return 'redisUrl' in location ? connectRedis(location.redisUrl) : connectPostgres(location, workers);
}

function connectRedis(url: string): QueueConnection {
  const redis = new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: true });
  // BullMQ and the health check report what is wrong; without a listener the process would end instead.
  redis.on('error', () => undefined);
  return {
    options: { connection: redis as unknown as ConnectionOptions },
    backend: createRedisBackend,
    async ping() {
      await within(redis.ping(), 2_000);
    },
    async close() {
      redis.disconnect();
    },
  };
}

function connectPostgres(
  location: { postgresUrl: string; connections: number },
  workers: number,
): QueueConnection {
  const pool = new pg.Pool({
    connectionString: location.postgresUrl,
    max: location.connections + workers,
    application_name: 'citewell-queue',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // The queue delivers, and what it loses is delivered again: it need not wait for the disk at every step.
    options: `-c search_path=${DEFAULT_SCHEMA} -c synchronous_commit=off`,
  });
  pool.on('error', () => undefined);
  return {
    // The backend takes a pool where Redis would be; its option type is that of the default backend.
    options: { connection: pool as unknown as ConnectionOptions },
    backend: createPostgresBackend as unknown as BackendFactory<IQueueBackend>,
    async ping() {
      await within(pool.query('SELECT 1'), 2_000);
    },
    async close() {
      await pool.end();
    },
  };
}

/** Creates or updates the queue's own schema in Postgres. Redis needs none. */
export async function migrateQueue(postgresUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: postgresUrl,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
  });
  await client.connect();
  try {
    await runMigrations(client, DEFAULT_SCHEMA);
  } finally {
    await client.end();
  }
}
