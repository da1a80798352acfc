import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { HostPaceRepository } from './host-pace.repository.js';

const SPACING = 10_000;
const MAX_WAIT = 60_000;

describe('the pace of a host', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let paces: HostPaceRepository;
  beforeAll(async () => {
    dataSource = await server.database();
    paces = new HostPaceRepository(dataSource);
  });
  afterAll(() => server.close());

  // Of concurrent transactions, one may have begun a little before the one that it waits for.
  const near = (actual: number, expected: number): void => {
    expect(actual).toBeLessThan(expected + 1_000);
    expect(actual).toBeGreaterThan(expected - 3_000);
  };

  it('grants the first request at once, and spaces out requests that are made at the same moment', async () => {
    const reserved = await Promise.all(
      Array.from({ length: 4 }, () => paces.reserve('a.example', SPACING, MAX_WAIT)),
    );
    const waits = reserved.map(({ waitMs }) => waitMs).toSorted((one, other) => one - other);
    waits.forEach((wait, index) => near(wait, index * SPACING));
    expect(reserved.every(({ isGranted }) => isGranted)).toBe(true);
    near((await paces.reserve('b.example', SPACING, MAX_WAIT)).waitMs, 0);
  });

  it('reserves nothing for a request that would wait longer than its maximum', async () => {
    await paces.pause('busy.example', 600_000);
    for (let n = 0; n < 3; n += 1) {
      const { isGranted, waitMs } = await paces.reserve('busy.example', SPACING, MAX_WAIT);
      expect(isGranted).toBe(false);
      near(waitMs, 600_000);
    }
  });

  it('refuses a request that waited for the transaction of another one, with the time to wait', async () => {
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO host_paces (host, next_start) VALUES ('new.example', now() + interval '5 min')`,
      );
      const reserving = paces.reserve('new.example', SPACING, MAX_WAIT);
      await sleep(200);
      await runner.commitTransaction();
      const { isGranted, waitMs } = await reserving;
      expect(isGranted).toBe(false);
      near(waitMs, 300_000);
    } finally {
      await runner.release();
    }
  });

  it('keeps the longest pause', async () => {
    await paces.pause('c.example', 50_000);
    await paces.pause('c.example', 1_000);
    near((await paces.reserve('c.example', SPACING, MAX_WAIT)).waitMs, 50_000);
  });

  it('is deleted when no request has to wait for it', async () => {
    await paces.pause('old.example', -2 * 60 * 60_000);
    await paces.collect();
    const rows = await dataSource.query<{ host: string }[]>('SELECT host FROM host_paces');
    const hosts = rows.map(({ host }) => host);
    expect(hosts).not.toContain('old.example');
    expect(hosts).toContain('busy.example');
  });
});
