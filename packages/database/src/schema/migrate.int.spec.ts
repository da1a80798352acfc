import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DataSource } from 'typeorm';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { migrate, schemaIsCurrent } from './migrate.js';
import { MIGRATIONS } from '../migrations/index.js';

describe('migrate', () => {
  let server: ThrowAwayServer;
  before(async () => {
    server = await ThrowAwayServer.start();
  });
  after(() => server.stop());

  it('brings an empty database up to date, and then has nothing to do', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    assert.equal(await schemaIsCurrent(dataSource), false);
    assert.equal((await migrate(dataSource)).length, MIGRATIONS.length);
    assert.equal(await schemaIsCurrent(dataSource), true);
    assert.deepEqual(await migrate(dataSource), []);
  });

  it('works for one process while the others wait', async () => {
    const url = await server.emptyDatabase();
    const processes = await Promise.all([server.open(url), server.open(url), server.open(url)]);
    let inside = 0;
    const also = async (): Promise<void> => {
      inside += 1;
      assert.equal(inside, 1, 'two processes migrate at once');
      await processes[0]?.query('SELECT pg_sleep(0.05)');
      inside -= 1;
    };
    const applied = await Promise.all(processes.map((dataSource) => migrate(dataSource, also)));
    assert.equal(applied.flat().length, MIGRATIONS.length);
  });

  it('needs one connection, and leaves its limits and no lock behind', async () => {
    const url = await server.emptyDatabase();
    const dataSource = await server.open(url);
    const single = new DataSource({ ...dataSource.options, poolSize: 1 } as typeof dataSource.options);
    await single.initialize();
    await migrate(single);
    const [{ statement_timeout: timeout }] =
      await single.query<[{ statement_timeout: string }]>('SHOW statement_timeout');
    assert.equal(timeout, '30s');
    const locks = await single.query<unknown[]>(
      `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    );
    assert.equal(locks.length, 0);
    await single.destroy();
  });

  it('gives the lock back when a migration fails', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    await assert.rejects(
      migrate(dataSource, () => Promise.reject(new Error('disk full'))),
      /disk full/,
    );
    assert.deepEqual(await migrate(dataSource), []);
  });

  it('leaves nothing to change between the entities and the schema', async () => {
    const dataSource = await server.database();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    assert.deepEqual(
      upQueries.map((query) => query.query),
      [],
    );
  });

  it('has the partial indexes with the conditions that the entities state', async () => {
    // The schema builder compares names and columns of indexes only.
    const dataSource = await server.database();
    const rows = await dataSource.query<{ name: string; condition: string }[]>(
      `SELECT c.relname AS name, pg_get_expr(i.indpred, i.indrelid) AS condition
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indpred IS NOT NULL ORDER BY 1`,
    );
    const actual = new Map(rows.map((row) => [row.name, row.condition]));
    const stated = dataSource.entityMetadatas
      .flatMap((entity) => entity.indices)
      .filter((index) => index.where);
    assert.deepEqual([...actual.keys()].toSorted(), stated.map((index) => index.name).toSorted());
    for (const index of stated) {
      const literals = /'[a-z]+'|\d+|[a-z_]+ IS (?:NOT )?NULL/g;
      assert.deepEqual(actual.get(index.name)?.match(literals), index.where?.match(literals), index.name);
    }
  });

  it('finds the first organization of an installation that is older than its mark', async () => {
    const ids = ['0190a3f0-0000-7000-8000-000000000001', '0190a3f0-0000-7000-8000-000000000002'];
    for (const [oldest, expected] of [
      [null, ids.slice(0, 1)],
      // Another tenant does not become the first because the first was deleted.
      ['2026-01-01', []],
    ] as const) {
      const dataSource = await server.open(await server.emptyDatabase());
      const before = new DataSource({
        ...dataSource.options,
        migrations: MIGRATIONS.slice(0, 1),
      } as typeof dataSource.options);
      await before.initialize();
      await before.runMigrations();
      await before.destroy();
      for (const [index, id] of ids.entries()) {
        await dataSource.query('INSERT INTO organizations (id, name, deleted_at) VALUES ($1, $2, $3)', [
          id,
          'tenant',
          index === 0 ? oldest : null,
        ]);
      }
      await migrate(dataSource);
      const first = await dataSource.query<{ id: string }[]>('SELECT id FROM organizations WHERE is_first');
      assert.deepEqual(
        first.map(({ id }) => id),
        expected,
      );
    }
  });

  it('refuses to go back', async () => {
    const dataSource = await server.database();
    await assert.rejects(dataSource.undoLastMigration(), /cannot be undone/);
    assert.equal(await schemaIsCurrent(dataSource), true);
  });
});
