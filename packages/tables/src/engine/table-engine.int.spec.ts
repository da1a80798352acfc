import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TypedTable } from '../typed-table.js';
import { writeTables } from '../write-tables.js';
import type { QueryErrorCode, TableView } from './query.protocol.js';
import { TableEngine } from './table-engine.js';

const ORDERS: TypedTable = {
  name: 'Orders',
  sheet: 'Sheet 1',
  columns: [
    { name: 'Customer', type: 'text', currency: null },
    { name: 'Order', type: 'number', currency: null },
    { name: 'Order', type: 'money', currency: 'EUR' },
  ],
  rows: ['Müller GmbH', 'Łódź S.A.', 'Müller GmbH', ''].map((customer, index) => ({
    cells: [
      { value: customer === '' ? null : customer, text: customer },
      { value: index + 1, text: String(index + 1) },
      { value: index * 10.5, text: `${index * 10.5} €` },
    ],
    isTotal: index === 3,
    from: index * 20,
    to: index * 20 + 18,
    number: index + 2,
  })),
};

const ENDLESS = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)';

describe('TableEngine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  const path = join(folder, 'orders.sqlite');
  const other = join(folder, 'other.sqlite');
  const engine = new TableEngine({ processes: 1 });

  beforeAll(() => {
    writeTables([ORDERS], path);
    writeTables([{ ...ORDERS, name: 'Secret' }], other);
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  const rowsOf = async (statement: string, ...params: (string | number)[]) =>
    (await engine.query(path, statement, params)).rows;

  it('describes the tables', async () => {
    expect(await rowsOf('SELECT * FROM tables')).toEqual([[1, 'Orders', 't1', 'Sheet 1', null, 3, 1]]);
    expect(
      await rowsOf('SELECT position, name, sql_name, type, currency, distinct_values FROM columns'),
    ).toEqual([
      [1, 'Customer', 'customer', 'text', null, '["Müller GmbH","Łódź S.A."]'],
      [2, 'Order', 'c_order', 'number', null, null],
      [3, 'Order', 'c_order_2', 'money', 'EUR', null],
    ]);
  });

  it('answers with values, shown texts and places', async () => {
    expect(
      await rowsOf(
        'SELECT c_order_2, c_order_2_shown, _row, _from, _to FROM t1 WHERE customer = ?',
        'Müller GmbH',
      ),
    ).toEqual([
      [0, '0 €', 2, 0, 18],
      [21, '21 €', 4, 40, 58],
    ]);
    expect(await rowsOf('SELECT sum(c_order) FROM t1 WHERE NOT _total')).toEqual([[6]]);
  });

  it('finds values by their terms', async () => {
    expect(await rowsOf('SELECT value FROM cell_terms WHERE term = ?', 'muller gmbh')).toEqual([
      ['Müller GmbH'],
    ]);
    expect(await rowsOf('SELECT value FROM cell_terms WHERE term = ?', 'lodz s.a.')).toEqual([['Łódź S.A.']]);
  });

  it('returns at most as many rows as the limit', async () => {
    const all = await engine.query(path, 'SELECT 1 FROM t1', [], { limit: 4 });
    expect([all.rows.length, all.hasMore]).toEqual([4, false]);
    const some = await engine.query(path, 'SELECT 1 FROM t1', [], { limit: 3 });
    expect([some.rows.length, some.hasMore]).toEqual([3, true]);
    const endless = await engine.query(path, `${ENDLESS} SELECT n FROM r`);
    expect([endless.rows.length, endless.hasMore]).toEqual([200, true]);
  });

  it.each<[code: QueryErrorCode, statement: string]>([
    ['NOT_ALLOWED', `ATTACH '${other}' AS o`],
    ['NOT_ALLOWED', 'PRAGMA query_only = OFF'],
    ['NOT_ALLOWED', "SELECT * FROM pragma_table_info('t1')"],
    ['NOT_ALLOWED', 'SELECT 1; SELECT 2'],
    ['NOT_ALLOWED', 'SELECT 1; DROP TABLE t1'],
    ['NOT_ALLOWED', 'DELETE FROM t1 RETURNING *'],
    ['NOT_ALLOWED', 'WITH x AS (SELECT 1) INSERT INTO tables SELECT 1, 2, 3, 4, 5, 6, 7 FROM x'],
    ['NOT_ALLOWED', 'CREATE TEMP TABLE x (y)'],
    ['NOT_ALLOWED', `VACUUM INTO '${other}.copy'`],
    ['NOT_ALLOWED', 'BEGIN'],
    ['NOT_ALLOWED', 'EXPLAIN DROP TABLE t1'],
    ['NOT_ALLOWED', '/* */ -- \n EXPLAIN QUERY PLAN SELECT * FROM t1'],
    ['INVALID', "SELECT load_extension('/usr/lib/x.so')"],
    ['INVALID', "SELECT writefile('/tmp/x', 'y')"],
    ['INVALID', "SELECT readfile('/etc/passwd')"],
    ['INVALID', 'SELECT "no such column" FROM t1'],
    ['INVALID', 'SELECT FROM'],
    ['INVALID', ''],
    ['INVALID', 'SELECT zeroblob(10)'],
    ['TOO_LARGE', 'SELECT hex(zeroblob(100000000))'],
    ['TOO_LARGE', "SELECT printf('%.*c', 900000, 'x') FROM t1"],
  ])('refuses with %s: %s', async (code, statement) => {
    await expect(engine.query(path, statement)).rejects.toMatchObject({ code });
    expect(await rowsOf('SELECT count(*) FROM t1')).toEqual([[4]]);
  });

  it('ends a statement that takes too long, and answers the next one', async () => {
    await expect(
      engine.query(path, `${ENDLESS} SELECT count(*) FROM r`, [], { timeoutMs: 300 }),
    ).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(await rowsOf('SELECT 1')).toEqual([[1]]);
  });

  it('ends a statement that allocates much', async () => {
    const wide = `${ENDLESS} SELECT n, printf('%.*c', 10000, 'x') AS x FROM r ORDER BY x, n`;
    await expect(engine.query(path, wide, [], { timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'MEMORY',
    });
    expect(await rowsOf('SELECT 1')).toEqual([[1]]);
  });

  describe('with views', () => {
    const view = (name: string, table: string): TableView => ({
      name,
      table,
      statement: `SELECT customer, c_order_2 AS amount FROM ${table} WHERE _total = 0`,
    });
    const views = [view('t1', 'd1.t1'), view('t2', 'd2.t1')];
    const ask = (statement: string, offered = views) =>
      engine.query([path, other], statement, [], { views: offered });

    it('answers from tables of several files, and says which were read', async () => {
      const { rows, reads } = await ask(
        "SELECT count(*), sum(t2.amount) FROM t1 JOIN t2 USING (customer) WHERE customer = 'Müller GmbH'",
      );
      expect(rows).toEqual([[4, 42]]);
      expect(new Set(reads)).toEqual(new Set(['t1', 't2', 't1.customer', 't2.amount']));
      expect((await ask('WITH c AS (SELECT * FROM t1) SELECT count(*) FROM c')).rows).toEqual([[3]]);
      expect((await ask('SELECT amount FROM t2', views.slice(1))).rows).toHaveLength(3);
    });

    it.each([
      'SELECT * FROM d1.t1',
      'SELECT count(*) FROM d1.t1',
      'SELECT * FROM main.sqlite_schema',
      'SELECT count(*) FROM sqlite_temp_master',
      'SELECT sql FROM sqlite_temp_master',
      'SELECT * FROM tables',
      'SELECT count(*) FROM cell_terms',
      'WITH t1 AS (SELECT * FROM d1.tables) SELECT * FROM t1',
      'WITH t1 AS (SELECT * FROM d2.t1) SELECT * FROM t1',
      'SELECT (SELECT count(*) FROM d2.columns) FROM t1',
      'SELECT amount FROM t1 UNION ALL SELECT name FROM d1.tables',
      'CREATE TEMP VIEW t3 AS SELECT * FROM d1.t1',
      'DROP VIEW t1',
    ])('refuses %s', async (statement) => {
      await expect(ask(statement)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    });

    it('does not have the tables that are not offered, and the names of a hostile file', async () => {
      await expect(ask('SELECT * FROM t2', views.slice(0, 1))).rejects.toMatchObject({ code: 'INVALID' });
      const hostile = { ...view('t1', 'd1.t1'), statement: 'SELECT 1 FROM d1.t1; DROP TABLE d1.t1' };
      await expect(ask('SELECT * FROM d1.t1', [hostile])).rejects.toThrow();
      expect((await ask('SELECT count(*) FROM t1')).rows).toEqual([[3]]);
    });

    it('tells the currency of a cell', async () => {
      expect(
        (await ask("SELECT currency_of('1 €'), currency_of('$ 2.50'), currency_of('n/a')")).rows,
      ).toEqual([['EUR', '$', null]]);
    });
  });

  it('opens one file after the other, in one process at a time', async () => {
    const names = await Promise.all(
      [path, other, path, other].map((each) => engine.query(each, 'SELECT name FROM tables')),
    );
    expect(names.map(({ rows }) => rows[0]?.[0])).toEqual(['Orders', 'Secret', 'Orders', 'Secret']);
  });

  it('answers when the system has ended the idle process, or ends it meanwhile', async () => {
    const kill = () => execFileSync('pkill', ['-KILL', '-f', `query-child.js ${path}`]);
    await engine.query(path, 'SELECT 1');
    kill();
    expect((await engine.query(path, 'SELECT 2')).rows).toEqual([[2]]);
    const long = `${ENDLESS} SELECT count(*) FROM (SELECT * FROM r LIMIT 3000000)`;
    const asked = engine.query(path, long, [], { timeoutMs: 20_000 });
    setTimeout(kill, 50);
    expect((await asked).rows).toEqual([[3_000_000]]);
  });

  it('says that a file is not readable', async () => {
    const broken = join(folder, 'broken.sqlite');
    writeFileSync(broken, 'this is no database, but long enough to be read as one'.repeat(100));
    for (const each of [broken, join(folder, 'missing.sqlite')])
      await expect(engine.query(each, 'SELECT 1 FROM tables')).rejects.toMatchObject({ code: 'UNREADABLE' });
  });

  it('ends its processes', async () => {
    const closing = new TableEngine();
    const running = closing.query(path, `${ENDLESS} SELECT count(*) FROM r`, [], { timeoutMs: 60_000 });
    const outcome = expect(running).rejects.toMatchObject({ code: 'UNREADABLE' });
    await closing.query(other, 'SELECT 1');
    await closing.close();
    await outcome;
    await expect(closing.query(path, 'SELECT 1')).rejects.toThrow('closed');
  });
});
