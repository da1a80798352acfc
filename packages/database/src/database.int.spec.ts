import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execute, sql } from './connection/sql.js';
import { keepsSettings, openDatabase, PoolerError } from './database.js';
import { TestServer } from './fixtures/test-server.fixtures.js';

const options = { poolSize: 1, applicationName: 'citewell-test' };

/** Answers the start of a connection as PgBouncer does. */
const pooler = createServer((socket) =>
  socket.once('data', () => {
    const fields = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]));
  }),
);
afterAll(() => {
  pooler.close();
});

describe('a database', () => {
  const server = new TestServer();
  let url: string;
  beforeAll(async () => {
    url = await server.emptyDatabase();
  });
  afterAll(() => server.close());

  // With an empty setting in the URL, the driver sends none: as if a pooler had ignored it.
  const openings = (): Promise<string[]> =>
    Promise.all(
      ['', '?statement_timeout=60000', '?statement_timeout='].map((query) =>
        openDatabase({ ...options, url: url + query })
          .then((dataSource) => dataSource.destroy())
          .then(() => 'opened')
          .catch((error: unknown) => (error instanceof PoolerError ? 'refused' : String(error))),
      ),
    );

  it('is opened if it keeps the settings of its connections, and refused behind a pooler that ignores them', async () => {
    expect(await openings()).toEqual(['opened', 'opened', 'refused']);
  });

  it('is treated alike if it has a time limit of its own', async () => {
    const dataSource = await server.open(url, 1);
    await execute(
      dataSource,
      sql`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET statement_timeout = 8000', current_database()); END $$`,
    );
    expect(await openings()).toEqual(['opened', 'opened', 'refused']);
    expect(await keepsSettings(await server.open(url, 1))).toBe(true);
  });
});

it('refuses a pooler that rejects the settings', async () => {
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const { port } = pooler.address() as AddressInfo;
  const url = `postgres://citewell@127.0.0.1:${port}/citewell`;
  await expect(openDatabase({ ...options, url })).rejects.toThrow(PoolerError);
});
