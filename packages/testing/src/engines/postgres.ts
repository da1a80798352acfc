import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '@citewell/database/embedded';
import pg from 'pg';

/** A temporary Postgres server. `stop()` deletes its data. */
export interface ThrowAwayPostgres {
  /** Creates an empty database. @returns its connection URL */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the embedded Postgres, without fsync, on a free port of the loopback interface. Takes about a
 * second.
 */
export async function startPostgres(): Promise<ThrowAwayPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-postgres-'));
  const server = await PostgresServer.start({ directory, fsync: false, maxConnections: 200 });
  let databases = 0;
  return {
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      const client = new pg.Client({ connectionString: server.urlOf('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return server.urlOf(name);
    },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
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
