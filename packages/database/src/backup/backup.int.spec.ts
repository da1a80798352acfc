import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { PurgeRepository } from '../purging/purge.repository.js';
import { BackupRepository, type BackupRow } from './backup.repository.js';

const server = new TestServer();
afterAll(() => server.close());

async function rowsOf(dataSource: DataSource): Promise<BackupRow[]> {
  const rows: BackupRow[] = [];
  for await (const row of new BackupRepository(dataSource).rows()) rows.push(row);
  return rows;
}

/** A tenant with more rows than are fetched at once, and with values that are hard to copy. */
async function createRows(): Promise<DataSource> {
  const tenant = await TestTenant.create(await server.database());
  const { dataSource, organizationId, datastoreId } = tenant;
  const names = [
    'tab\tline\n"quote"\\',
    '\u2028😀\u0001',
    ...Array.from({ length: 1_200 }, (_, n) => `text ${n}`),
  ];
  await dataSource.query(
    `INSERT INTO datasources (id, organization_id, datastore_id, type, name, config, created_at)
     SELECT gen_random_uuid(), $1, $2, 'text', name, '{"a": [1.50, null, "\\u2029"]}', '2026-03-01 12:00:00.123456+05'
       FROM unnest($3::text[]) name`,
    [organizationId, datastoreId, names],
  );
  return dataSource;
}

describe('rows of a backup', () => {
  it('are the same in the database that they are inserted into', async () => {
    const rows = await rowsOf(await createRows());
    const copy = await server.database();
    await new BackupRepository(copy).insert(iterate(rows));
    expect(await rowsOf(copy)).toEqual(rows);
    expect(rows.filter(({ table }) => table === 'datasources')).toHaveLength(1_202);
  });

  it('are those of one moment', async () => {
    const dataSource = await createRows();
    const rows = new BackupRepository(dataSource).rows();
    const seen = [(await rows.next()).value];
    await dataSource.query('DELETE FROM datasources');
    for await (const row of rows) seen.push(row);
    expect(seen.filter((row) => row?.table === 'datasources')).toHaveLength(1_202);
  });

  it('are inserted completely or not at all', async () => {
    const rows = await rowsOf(await createRows());
    const copy = await server.database();
    const failures: [BackupRow, RegExp][] = [
      [{ table: 'pg_authid', json: '{}' }, /no table "pg_authid"/],
      [{ table: 'organizations', json: '{"id": ' }, /invalid input syntax for type json/],
    ];
    for (const [broken, message] of failures)
      await expect(new BackupRepository(copy).insert(iterate([...rows, broken]))).rejects.toThrow(message);
    expect(await rowsOf(copy)).toEqual([]);
  });
});

describe('a backup', () => {
  it('waits for purges that are carried out, and lets none begin', async () => {
    const dataSource = await server.database();
    const backup = new BackupRepository(dataSource);
    const purges = new PurgeRepository(dataSource);
    const events: string[] = [];
    const purge = (name: string, ms: number): Promise<void> =>
      purges.unlessBackupRuns(async () => {
        events.push(`${name} begins`);
        await sleep(ms);
        events.push(`${name} ends`);
      });
    const first = purge('first', 200);
    while (events.length === 0) await sleep(5);
    await Promise.all([purge('second', 1), purge('third', 1)]);
    events.length = 1;
    for await (const name of backup.whilePurgesPause(iterate(['backup']))) {
      events.push(name);
      await purge(newId(), 1);
    }
    await first;
    expect(events).toEqual(['first begins', 'first ends', 'backup']);
    await purge('last', 1);
    expect(events.slice(3)).toEqual(['last begins', 'last ends']);
  });

  it('fails if its lock is lost, and lets the next one begin', async () => {
    const dataSource = await server.database();
    const backup = new BackupRepository(dataSource);
    async function* interrupted(): AsyncGenerator<string> {
      yield 'one';
      await dataSource.query(`SELECT pg_terminate_backend(pid) FROM pg_locks
                               WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database
                                                                            WHERE datname = current_database())`);
    }
    async function* failing(): AsyncGenerator<string> {
      yield 'one';
      throw new Error('disk full');
    }
    const read = async (values: AsyncIterable<string>): Promise<void> => {
      for await (const _ of backup.whilePurgesPause(values));
    };
    await expect(read(interrupted())).rejects.toThrow(/was restarted meanwhile/);
    await expect(read(failing())).rejects.toThrow('disk full');
    for await (const _ of backup.whilePurgesPause(iterate(['left early', '']))) break;
    await read(iterate(['done']));
  });
});

async function* iterate<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}
