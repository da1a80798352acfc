import {
  type ConnectionOptions,
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  runMigrations,
  setDefaultBackendFactory,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { withTimeout } from './with-timeout.js';

/** Where the queue is stored: in Redis, or in Postgres with `connections` for statements. */
export type QueueLocation = { redisUrl: string } | { postgresUrl: string; connections: number };

/** The connections that all BullMQ objects of a process share. */
export abstract class QueueConnection {
  /** For the options of queues and workers. */
  abstract readonly connection: ConnectionOptions;
  /** @throws Error when the queue does not answer within two seconds */
  abstract ping(): Promise<void>;
  abstract close(): Promise<void>;
}

/**
 * Connects to the queue. From now on, BullMQ uses the backend of this location in the whole process.
 *
 * @param workers number of queues that this process takes jobs from
 */
export function connectQueue(location: QueueLocation, workers: number): QueueConnection {
  return 'redisUrl' in location
    ? new RedisQueueConnection(location.redisUrl)
    : new PostgresQueueConnection(location.postgresUrl, location.connections + workers);
}

class RedisQueueConnection implements QueueConnection {
  readonly connection: ConnectionOptions;
  private readonly redis: Redis;

  constructor(url: string) {
    this.redis = new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: true });
    // BullMQ and the health check report errors. Without a listener, an error would end the process.
    this.redis.on('error', () => undefined);
    this.connection = this.redis;
    setDefaultBackendFactory(createRedisBackend);
  }

  async ping(): Promise<void> {
    await withTimeout(this.redis.ping(), 2_000);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}

class PostgresQueueConnection implements QueueConnection {
  readonly connection: ConnectionOptions;
  private readonly pool: pg.Pool;

  /** @param size of the pool. Every worker keeps one connection for LISTEN */
  constructor(url: string, size: number) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: size,
      application_name: 'citewell-queue',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      // Faster, and safe: the dispatcher delivers lost jobs again.
      options: `-c search_path=${DEFAULT_SCHEMA} -c synchronous_commit=off`,
    });
    this.pool.on('error', () => undefined);
    // The Postgres backend takes a pool here; the option has the type of the Redis backend.
    this.connection = this.pool;
    setDefaultBackendFactory(createPostgresBackend);
  }

  async ping(): Promise<void> {
    await withTimeout(this.pool.query('SELECT 1'), 2_000);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
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
