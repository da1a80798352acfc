import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { redisCommand } from '@citewell/testing';
import { type Dependency, HAS_SMALL_DISKS } from '../../deployments/dependency.js';
import type { FaultyDeployment } from './faulty.deployment.js';

/** Something that happens to a dependency, and its end. */
export interface Fault {
  readonly name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const LATENCY_MS = 100;
/** Fewer than a file, a prompt or a page of results has. */
const TORN_BYTES = 6_000;

/** Every fault of the soak test, in the order of its table. */
export function faultsOf(deployment: FaultyDeployment): Fault[] {
  const { postgres, redis, s3, qdrant, model } = deployment.dependencies;
  const all = Object.values(deployment.dependencies);
  return [
    ...all.flatMap((dependency) => faultsOfServer(dependency, dependency !== qdrant || deployment.hasQdrant)),
    // As a bucket behind a balancer that closes connections in the middle of a transfer, or a stream that ends early.
    ...[s3, model].map((dependency) => ({
      name: `${dependency.name}: connections are reset after ${TORN_BYTES} bytes`,
      begin: async () => dependency.gate.resetAfter(TORN_BYTES),
      end: async () => dependency.gate.resetAfter(Infinity),
    })),
    demotedPrimary(postgres),
    // As during a failover: writes are refused, and blocked clients are released with an error.
    {
      name: 'redis: becomes a replica',
      begin: () => redisCommand(redis.gate.enginePort, 'REPLICAOF 127.0.0.1 1'),
      end: () => redisCommand(redis.gate.enginePort, 'REPLICAOF NO ONE'),
    },
    {
      name: 'redis: has no memory left',
      begin: () => redisCommand(redis.gate.enginePort, 'CONFIG SET maxmemory 1'),
      end: () => redisCommand(redis.gate.enginePort, 'CONFIG SET maxmemory 0'),
    },
    ...(HAS_SMALL_DISKS
      ? all
          .filter((dependency) => dependency !== model && (dependency !== qdrant || deployment.hasQdrant))
          .map((dependency) => ({
            name: `${dependency.name}: its disk is full`,
            begin: () => dependency.fillDisk(),
            end: () => dependency.emptyDisk(),
          }))
      : []),
    ...(deployment.clockFile === null ? [] : clockFaults(deployment.clockFile)),
  ];
}

function faultsOfServer(dependency: Dependency, keepsData: boolean): Fault[] {
  const { name, gate } = dependency;
  const faults = [
    {
      name: `${name}: paused`,
      begin: () => dependency.signal('SIGSTOP'),
      end: () => dependency.signal('SIGCONT'),
    },
    { name: `${name}: slow`, begin: async () => gate.delay(LATENCY_MS), end: async () => gate.delay(0) },
    { name: `${name}: cut`, begin: () => gate.close(), end: () => gate.open() },
    {
      name: `${name}: packets are lost`,
      begin: async () => gate.silence(true),
      end: async () => gate.silence(false),
    },
  ];
  const killed = { name: `${name}: killed`, begin: () => dependency.kill(), end: () => dependency.restart() };
  return keepsData ? [killed, ...faults] : faults;
}

/**
 * As after a failover whose old primary stays up as a standby: open connections read and cannot write, and stay so. New
 * ones reach the new primary when the fault ends.
 */
function demotedPrimary({ name, url: databaseUrl }: Dependency): Fault {
  const database = new URL(databaseUrl).pathname.slice(1);
  return {
    name: `${name}: is a standby`,
    begin: () =>
      execute(databaseUrl, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'),
    end: () =>
      execute(
        databaseUrl,
        'BEGIN READ WRITE',
        `ALTER DATABASE ${database} SET default_transaction_read_only = off`,
        'COMMIT',
      ),
  };
}

/** The clock of one worker of each kind jumps, and jumps back. */
function clockFaults(file: string): Fault[] {
  return (['+3600', '-3600'] as const).map((offset) => ({
    name: `one worker of each kind: its clock jumps by ${offset} s`,
    begin: () => writeFile(file, offset),
    end: () => writeFile(file, '+0'),
  }));
}

async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
