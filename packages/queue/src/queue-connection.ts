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

/** Where the queue is stored: in Redis, or in Postgres with `connections` for statements. */
export type QueueLocation = { redisUrl: string } | { postgresUrl: string; connections: number };

/** The connections that all BullMQ objects of a process share. */
export abstract class QueueConnection {
  /** For the options of queues and workers. */
  abstract readonly connection: ConnectionOptions;
  /** @throws Error when the queue does not answer within two seconds, or is stored where jobs may get lost */
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

/** Thrown by a ping to a Redis server that cannot carry the queue. */
class UnusableRedisError extends Error {
  /** @param reason may be shown */
  constructor(readonly reason: string) {
    super(`Redis ${reason}`);
    this.name = 'UnusableRedisError';
  }
}

/** Lines of `INFO` of a server that cannot carry the queue, and why. */
const UNUSABLE_REDIS: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^redis_mode:cluster/m, 'is a Redis Cluster, which is not supported: REDIS_URL needs a single server'],
  [
    /^redis_mode:sentinel/m,
    'is a Sentinel, which is not supported: REDIS_URL needs the address of the primary',
  ],
  [/^role:slave/m, 'is a read-only replica: REDIS_URL needs the address of the primary'],
  [/^maxmemory_policy:allkeys/m, 'evicts jobs: set maxmemory-policy to noeviction'],
];

/** Answer to ioredis: reconnect, and send the command again. */
const RECONNECT_AND_REPEAT = 2;
/**
 * Time without an answer after which a connection is given up, because the network has lost it. More than the 10 s for
 * which BullMQ lets Redis wait for a job.
 */
const SILENCE_LIMIT_MS = 15_000;

class RedisQueueConnection implements QueueConnection {
  readonly connection: ConnectionOptions;
  private readonly redis: Redis;

  constructor(url: string) {
    this.redis = new Redis(url, {
      maxRetriesPerRequest: null,
      enableReadyCheck: true,
      socketTimeout: SILENCE_LIMIT_MS,
      // After a failover, the address is that of another server, and this connection to a replica, which refuses to write.
      reconnectOnError: (error) => (isReadOnly(error) ? RECONNECT_AND_REPEAT : false),
    });
    // BullMQ and the health check report errors. Without a listener, an error would end the process.
    this.redis.on('error', () => undefined);
    this.connection = this.redis;
    setDefaultBackendFactory(createRedisBackend);
  }

  async ping(): Promise<void> {
    const info = await withTimeout(this.redis.info(), 2_000);
    const problem = UNUSABLE_REDIS.find(([line]) => line.test(info));
    if (problem !== undefined) throw new UnusableRedisError(problem[1]);
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

/**
 * Whether Redis has refused to write, because the server is a replica. An error begins with its code; Redis before 7 says
 * first in which script the command was.
 */
export function isReadOnly({ message }: Error): boolean {
  return /^(?:ERR .* -)?READONLY /.test(message);
}

/**
 * Waits for a promise for a limited time. The work behind the promise is not cancelled.
 *
 * @throws Error after `timeoutMs`; the rejection reason of the promise
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The queue did not answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
