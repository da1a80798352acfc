import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresServer } from '@citewell/database/embedded';
import pg from 'pg';

/** A temporary Postgres server. `stop()` deletes its data. */
export interface ThrowAwayPostgres {
  /** Of the database `postgres`. */
  readonly url: string;
  /** Creates an empty database. @returns its connection URL */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Creates a data directory of the product that only contains a database.
 *
 * @param migrate gets the URL of the database
 * @returns the path of the directory
 */
export async function createDataDirectory(migrate: (url: string) => Promise<void>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-data-'));
  const server = await PostgresServer.start({ directory, fsync: false });
  try {
    await migrate(server.url);
  } finally {
    await server.stop();
  }
  return directory;
}

/**
 * Fills a data directory of the product with an empty database that has the current schema. Creating it takes half of
 * the time of a first start.
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  const prepared = process.env['TEST_DATA_DIRECTORY'];
  if (prepared === undefined) throw new Error('TEST_DATA_DIRECTORY is not set: run the test with `npm test`');
  await copyDirectory(prepared, directory);
}

async function copyDirectory(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  // Unlike `cp` of `node:fs`, the program keeps the owner. Postgres requires it.
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

/**
 * Starts the embedded Postgres, without fsync, on a free port of the loopback interface.
 *
 * @param dataDirectory of {@link createDataDirectory}; the server uses a copy. Without it the start takes a second longer
 */
export async function startPostgres(dataDirectory?: string): Promise<ThrowAwayPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-postgres-'));
  if (dataDirectory !== undefined) await copyDirectory(dataDirectory, directory);
  const server = await PostgresServer.start({ directory, fsync: false, maxConnections: 400 });
  const url = server.urlOf('postgres');
  return {
    url,
    createDatabase: () => createDatabase(url),
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A database of its own for a test file. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database on the Postgres of the test run, which `scripts/jest/setup.mjs` has started.
 *
 * @param options.migrated with the current schema; otherwise it is empty
 */
export async function createTestDatabase({ migrated = false } = {}): Promise<TestDatabase> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (server === undefined) throw new Error('TEST_POSTGRES_URL is not set: run the test with `npm test`');
  const url = await createDatabase(server, migrated ? process.env['TEST_POSTGRES_TEMPLATE'] : undefined);
  return { url, drop: () => execute(server, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`) };
}

async function createDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Returns a port of the loopback interface on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
