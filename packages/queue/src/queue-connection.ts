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
import { withTimeout } from './with-timeout.js';

/** Where the queue is stored: in Redis, or in Postgres with `connections` for statements. */
export type QueueLocation = { redisUrl: string } | { postgresUrl: string; connections: number };

/**
 * The connections that all BullMQ objects of this process share.
 *
 * On Postgres every worker keeps one connection of the pool for LISTEN, so the size of the pool is the number
 * of workers plus `connections`.
 */
export interface QueueConnection {
  readonly options: Pick<QueueOptions, 'connection'>;
  readonly backend: BackendFactory<IQueueBackend>;
  /** @throws Error when the queue does not answer within two seconds */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the queue. @param workers number of {@link JobWorker}s of this process */
export function connectQueue(location: QueueLocation, workers: number): QueueConnection {
  return 'redisUrl' in location ? connectRedis(location.redisUrl) : connectPostgres(location, workers);
}

function connectRedis(url: string): QueueConnection {
  const redis = new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: true });
  // BullMQ and the health check report errors. Without a listener, an error would end the process.
  redis.on('error', () => undefined);
  return {
    options: { connection: redis as unknown as ConnectionOptions },
    backend: createRedisBackend,
    async ping() {
      await withTimeout(redis.ping(), 2_000);
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
    // Faster, and safe: the dispatcher delivers lost jobs again.
    options: `-c search_path=${DEFAULT_SCHEMA} -c synchronous_commit=off`,
  });
  pool.on('error', () => undefined);
  return {
    // The Postgres backend takes a pool here; the option has the type of the Redis backend.
    options: { connection: pool as unknown as ConnectionOptions },
    backend: createPostgresBackend as unknown as BackendFactory<IQueueBackend>,
    async ping() {
      await withTimeout(pool.query('SELECT 1'), 2_000);
    },
    async close() {
      await pool.end();
    },
  };
}

/** Creates or updates the queue's schema in Postgres. Redis needs none. */
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
