import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../answering/agent.repository.js';
import { ConversationRepository } from '../answering/conversation.repository.js';
import { GapRepository } from '../answering/gap.repository.js';
import { newId } from '../connection/new-id.js';
import { SmallBlobRepository } from '../content/blobs/small-blob.repository.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { PurgeRepository } from '../ingestion/purging/purge.repository.js';
import { BackupRepository, type BackupRow } from './backup.repository.js';

const server = new TestServer();
afterAll(() => server.close());

const ADVISORY_LOCKS = `
  FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const TERMINATE_HOLDERS = `SELECT pg_terminate_backend(pid) ${ADVISORY_LOCKS}`;

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
  await new SmallBlobRepository(dataSource).put(
    'o/d/r/text',
    Uint8Array.from({ length: 256 }, (_, n) => n),
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
    expect(rows.filter(({ table }) => table === 'small_blobs')).toHaveLength(1);
  });

  it('of an earlier version get the defaults of later columns', async () => {
    const { dataSource, scope } = await TestTenant.create(await server.database());
    await new AgentRepository(dataSource).create(scope, { name: 'early' }, []);
    const earlier = (await rowsOf(dataSource)).map(({ table, json }) => {
      const { all_datastores: _, ...row } = JSON.parse(json);
      return { table, json: JSON.stringify(row) };
    });
    const copy = await server.database();
    await new BackupRepository(copy).insert(iterate(earlier));
    expect(await copy.query('SELECT name, all_datastores FROM agents')).toEqual([
      { name: 'early', all_datastores: false },
    ]);
  });

  it('of a version without gaps get the questions without an answer, others only those that they have', async () => {
    const { dataSource, scope } = await TestTenant.create(await server.database());
    const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'agent' }, []);
    const ask = async (text: string): Promise<string> => {
      const [question, answer] = [
        { id: newId(), text },
        { id: newId(), text: 'a', sources: [], abstained: text !== 'answered' },
      ];
      const thread = { agentId: agent.id, externalId: newId(), visitorId: 'v' };
      await new ConversationRepository(dataSource).append(scope, thread, { question, answer });
      return answer.id;
    };
    const answerIds = [await ask('one'), await ask('two')];
    await ask('answered');
    await new GapRepository(dataSource).drop(answerIds.slice(1));
    const rows = await rowsOf(dataSource);
    const earlier = rows.filter(({ table }) => !table.startsWith('gap'));
    for (const [backup, expected] of [
      [rows, answerIds.slice(0, 1)],
      [earlier, answerIds],
    ] as const) {
      const copy = await server.database();
      await new BackupRepository(copy).insert(iterate(backup));
      const questions = await new GapRepository(copy).newQuestions(10);
      expect(questions.map(({ answerId }) => answerId)).toEqual(expected);
    }
  });

  it.each([
    [BackupRepository.schema, null],
    // The last migration before the initial one led to the same schema. Later ones have added tables and columns.
    ['TimedOutBlobs1795859000000', null],
    ['InitialSchema1795968000000', null],
    [
      'UsageReservations1795858000000',
      /TimedOutBlobs1795859000000.*restore <file>.*ingest your content again/,
    ],
    ['DatastoreColor1900000000000', /DatastoreColor.*that of this version \w+\d+.*and upgrade then/],
  ])('of the schema %s are refused, or not: %s', (schema, refusal) => {
    const actual = BackupRepository.refusalOf(schema);
    if (refusal === null) expect(actual).toBeNull();
    else expect(actual).toMatch(refusal);
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
      [{ table: 'organizations', json: '{"id": ' }, /JSON/],
    ];
    for (const [broken, message] of failures)
      await expect(new BackupRepository(copy).insert(iterate([...rows, broken]))).rejects.toThrow(message);
    expect(await rowsOf(copy)).toEqual([]);
  });
});

describe('a backup', () => {
  it('waits for purges that are carried out, and lets none begin', async () => {
    const dataSource = await server.database();
    const purges = new PurgeRepository(dataSource);
    const events: string[] = [];
    const purge = async (name: string): Promise<void> =>
      purges.unlessBackupRuns(async () => void events.push(name));
    const [first, second] = [await beginPurge(purges), await beginPurge(purges)];
    const backup = new BackupRepository(dataSource).whilePurgesPause(iterate(['backup', 'backup ends']));
    const begun = backup.next().then(({ value }) => events.push(String(value)));
    await until(async () => (await locksOf(dataSource, 'waiting')) > 0);
    await purge('while the backup waits');
    await first.end();
    expect([events, await locksOf(dataSource, 'waiting')]).toEqual([[], 1]);
    await second.end();
    await begun;
    await purge('while the backup runs');
    for await (const name of backup) events.push(name);
    await purge('afterwards');
    expect(events).toEqual(['backup', 'backup ends', 'afterwards']);
  });

  it('leaves connections to others while many purges are carried out', async () => {
    const dataSource = await server.database();
    const { url } = dataSource.options as { url: string };
    const small = await server.open(url, 2);
    const purges = new PurgeRepository(small);
    const begun = await Promise.all(Array.from({ length: 20 }, () => beginPurge(purges)));
    await Promise.all(Array.from({ length: 20 }, () => small.query('SELECT 1')));
    for (const { end } of begun) await end();
    expect(await locksOf(dataSource, 'held')).toBe(0);
  });

  it('waits for purges that begin after earlier ones have lost their connection', async () => {
    const dataSource = await server.database();
    const purges = new PurgeRepository(dataSource);
    const first = await beginPurge(purges);
    await dataSource.query(TERMINATE_HOLDERS);
    await until(async () => (await locksOf(dataSource, 'held')) === 0);
    const second = await beginPurge(purges);
    expect(await locksOf(dataSource, 'held')).toBe(1);
    await first.end();
    expect(await locksOf(dataSource, 'held')).toBe(1);
    await second.end();
    expect(await locksOf(dataSource, 'held')).toBe(0);
  });

  it('fails if its lock is lost, and lets the next one begin', async () => {
    const dataSource = await server.database();
    const backup = new BackupRepository(dataSource);
    async function* interrupted(): AsyncGenerator<string> {
      yield 'one';
      await dataSource.query(TERMINATE_HOLDERS);
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

/** Resolves when the work of the purge has begun. The work ends with `end`. */
async function beginPurge(purges: PurgeRepository): Promise<{ end: () => Promise<void> }> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const purge = purges.unlessBackupRuns(async () => {
    begun.resolve();
    await ended.promise;
  });
  await Promise.race([begun.promise, purge]);
  return {
    end: async () => {
      ended.resolve();
      await purge;
    },
  };
}

async function locksOf(dataSource: DataSource, state: 'held' | 'waiting'): Promise<number> {
  const rows = await dataSource.query<unknown[]>(`SELECT 1 ${ADVISORY_LOCKS} AND granted = $1`, [
    state === 'held',
  ]);
  return rows.length;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}

async function* iterate<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}
