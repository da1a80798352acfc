import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { environment } from '../fixtures/test-server.fixtures.js';
import { openDatabase, PoolerError } from './database.js';

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

it('opens a database that keeps the settings of its connections', async () => {
  const dataSource = await openDatabase({ ...options, url: environment('TEST_POSTGRES_URL') });
  await dataSource.destroy();
});

it('refuses a pooler that ignores the settings', async () => {
  const url = `${environment('TEST_POSTGRES_URL')}?statement_timeout=0`;
  await expect(openDatabase({ ...options, url })).rejects.toThrow(PoolerError);
});

it('refuses a pooler that rejects the settings', async () => {
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const { port } = pooler.address() as AddressInfo;
  const url = `postgres://citewell@127.0.0.1:${port}/citewell`;
  await expect(openDatabase({ ...options, url })).rejects.toThrow(PoolerError);
});
