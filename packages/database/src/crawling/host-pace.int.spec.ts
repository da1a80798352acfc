import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { HostPaceRepository } from './host-pace.repository.js';

const SPACING = 10_000;
const PATIENCE = 60_000;

describe('the pace of a host', () => {
  let server: ThrowAwayServer;
  let dataSource: DataSource;
  let paces: HostPaceRepository;
  before(async () => {
    server = await ThrowAwayServer.start();
    dataSource = await server.database();
    paces = new HostPaceRepository(dataSource);
  });
  after(() => server.stop());

  const near = (actual: number, expected: number): void =>
    assert.ok(actual <= expected && actual > expected - 3_000, `${actual} is not ${expected}`);

  it('lets the first request begin at once, and spaces out those that come at the same moment', async () => {
    const reserved = await Promise.all(
      Array.from({ length: 4 }, () => paces.reserve('a.example', SPACING, PATIENCE)),
    );
    const waits = reserved.map(({ waitMs }) => waitMs).toSorted((one, other) => one - other);
    waits.forEach((wait, place) => near(wait, place * SPACING));
    assert.ok(reserved.every(({ isGranted }) => isGranted));
    near((await paces.reserve('b.example', SPACING, PATIENCE)).waitMs, 0);
  });

  it('takes nobody’s place for who does not want to wait that long', async () => {
    await paces.pause('busy.example', 600_000);
    for (let n = 0; n < 3; n += 1) {
      const { isGranted, waitMs } = await paces.reserve('busy.example', SPACING, PATIENCE);
      assert.equal(isGranted, false);
      near(waitMs, 600_000);
    }
  });

  it('says how long to wait to who waited for another’s place itself', async () => {
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO host_paces (host, next_start) VALUES ('new.example', now() + interval '5 min')`,
      );
      const reserving = paces.reserve('new.example', SPACING, PATIENCE);
      await sleep(200);
      await runner.commitTransaction();
      const { isGranted, waitMs } = await reserving;
      assert.equal(isGranted, false);
      near(waitMs, 300_000);
    } finally {
      await runner.release();
    }
  });

  it('keeps the longest pause that was asked for', async () => {
    await paces.pause('c.example', 50_000);
    await paces.pause('c.example', 1_000);
    near((await paces.reserve('c.example', SPACING, PATIENCE)).waitMs, 50_000);
  });

  it('is forgotten when nobody has to wait for it any more', async () => {
    await paces.pause('old.example', -2 * 60 * 60_000);
    await paces.collect();
    const rows = await dataSource.query<{ host: string }[]>('SELECT host FROM host_paces');
    const hosts = rows.map(({ host }) => host);
    assert.ok(!hosts.includes('old.example') && hosts.includes('busy.example'));
  });
});
