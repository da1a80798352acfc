import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import {
  isDatabaseDamaged,
  isDatabaseFull,
  isDatabaseUnavailable,
  isReferenceGone,
  isUnstorableText,
  NoConnectionError,
} from './database-unavailable.js';
import { listen } from './listen.js';
import { liftTimeLimits } from './watched-client.js';

describe('an error of the database', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await server.database();
  });
  afterAll(() => server.close());

  const errorOf = (statement: Promise<unknown>): Promise<unknown> =>
    statement.then(
      () => assert.fail('the statement succeeds'),
      (error: unknown) => error,
    );

  /** A data source with one connection, through a server that forwards to the database. */
  const behind = async (proxy: Server, extra: object = {}): Promise<DataSource> => {
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    assert.ok(typeof address === 'object' && address !== null);
    const options = dataSource.options as { url: string; extra: object };
    const url = Object.assign(new URL(options.url), { port: `${address.port}` }).href;
    return new DataSource({
      ...dataSource.options,
      url,
      poolSize: 1,
      extra: { ...options.extra, ...extra },
    } as typeof dataSource.options).initialize();
  };
  const portOfDatabase = () => Number(new URL((dataSource.options as { url: string }).url).port);

  it('means that the database is unavailable when the server ends the connection', async () => {
    const error = await errorOf(dataSource.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('means that the database is unavailable when the pool has no connection', async () => {
    const single = await new DataSource({
      ...dataSource.options,
      poolSize: 1,
      connectTimeoutMS: 100,
    } as typeof dataSource.options).initialize();
    const busy = single.query('SELECT pg_sleep(1)');
    const error = await errorOf(single.query('SELECT 1'));
    expect(error).toBeInstanceOf(NoConnectionError);
    expect(isDatabaseUnavailable(error)).toBe(true);
    await busy;
    await single.destroy();
  });

  it('means that the database is unavailable when the connection breaks during a statement', async () => {
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => forward(socket, portOfDatabase(), sockets));
    const single = await behind(proxy);
    const sleeping = errorOf(single.query('SELECT pg_sleep(30)'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const socket of sockets) socket.destroy();
    expect(isDatabaseUnavailable(await sleeping)).toBe(true);
    proxy.close();
    expect(isDatabaseUnavailable(await errorOf(single.query('SELECT 1')))).toBe(true);
    await single.destroy().catch(() => undefined);
  });

  it('means that the database is unavailable when the network has lost the connection, and the next one works', async () => {
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => forward(socket, portOfDatabase(), sockets));
    const single = await behind(proxy, { silenceLimitMs: 200 });
    await single.query('SELECT 1');
    for (const socket of sockets) socket.unpipe().removeAllListeners('data').pause();
    expect(isDatabaseUnavailable(await errorOf(single.query('SELECT 1')))).toBe(true);
    // An idle connection is no silent one, and neither is one whose limits are lifted.
    const runner = single.createQueryRunner();
    await runner.query('SELECT 1');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await runner.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await liftTimeLimits(runner, true);
    expect(await runner.query('SELECT 1 AS n FROM pg_sleep(0.6)')).toEqual([{ n: 1 }]);
    await liftTimeLimits(runner, false);
    expect(isDatabaseUnavailable(await errorOf(runner.query('SELECT pg_sleep(0.6)')))).toBe(true);
    await runner.release();
    await single.destroy();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  it('on the connection of a listener makes it connect again, also when the network has lost the connection', async () => {
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => forward(socket, portOfDatabase(), sockets));
    const single = await behind(proxy);
    const { url } = single.options as { url: string };
    const connected: (() => void)[] = [];
    const notified: (() => void)[] = [];
    const next = (waiting: (() => void)[]) => new Promise<void>((resolve) => waiting.push(resolve));
    const callbacks = { onNotify: () => notified.shift()?.(), onConnect: () => connected.shift()?.() };
    const first = next(connected);
    const listener = listen(url, 'news', callbacks, 500);
    await first;
    const second = next(connected);
    for (const socket of sockets) socket.unpipe().removeAllListeners('data').pause();
    await second;
    const news = next(notified);
    await dataSource.query('NOTIFY news');
    await news;
    await listener.close();
    for (const socket of sockets) socket.destroy();
    await single.destroy();
    proxy.close();
  });

  it('means that the database is unavailable when the server became a standby, and the next connection works', async () => {
    const proxy = createServer((socket) => forward(socket, portOfDatabase(), new Set()));
    const single = await behind(proxy);
    const table = 'CREATE TABLE IF NOT EXISTS written (n int)';
    for (const write of [
      () => single.query(table),
      () => single.transaction(async (manager) => void (await manager.query(table))),
    ]) {
      await single.query('SET default_transaction_read_only = on');
      expect(await single.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
      expect(isDatabaseUnavailable(await errorOf(write()))).toBe(true);
      await write();
    }
    await single.destroy();
    proxy.close();
  });

  for (const [statement, kind] of [
    ['SELECT nonsense', null],
    [String.raw`SELECT '{"a": "\u0000"}'::jsonb`, 'unstorable'],
    [
      `INSERT INTO api_keys (id, organization_id, name, prefix, hash, scopes)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'n', 'p', 'h', '{}')`,
      'reference gone',
    ],
    [`DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$`, 'full'],
    [`DO $$ BEGIN RAISE 'invalid page' USING ERRCODE = 'data_corrupted'; END $$`, 'damaged'],
    [`DO $$ BEGIN RAISE 'wrong index' USING ERRCODE = 'index_corrupted'; END $$`, 'damaged'],
    [`DO $$ BEGIN RAISE 'broken disk' USING ERRCODE = 'io_error'; END $$`, 'damaged'],
    [`DO $$ BEGIN RAISE 'no such file' USING ERRCODE = 'undefined_file'; END $$`, 'damaged'],
  ] as const)
    it(`is classified by its code: ${statement.slice(0, 30)}`, async () => {
      const error = await errorOf(dataSource.query(statement));
      expect({
        unavailable: isDatabaseUnavailable(error),
        unstorable: isUnstorableText(error),
        'reference gone': isReferenceGone(error),
        full: isDatabaseFull(error),
        damaged: isDatabaseDamaged(error),
      }).toEqual({
        unavailable: false,
        unstorable: kind === 'unstorable',
        'reference gone': kind === 'reference gone',
        full: kind === 'full',
        damaged: kind === 'damaged',
      });
    });

  it('is not any other error', () => {
    expect(isDatabaseUnavailable(new Error('Connection terminated'))).toBe(false);
    expect(isDatabaseUnavailable(null)).toBe(false);
  });
});

function forward(socket: Socket, port: number, sockets: Set<Socket>): void {
  const upstream = connect(port, '127.0.0.1');
  for (const end of [socket, upstream]) {
    sockets.add(end);
    end.on('error', () => undefined);
  }
  socket.pipe(upstream).pipe(socket);
}
