import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DataSource } from 'typeorm';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { migrate, schemaIsCurrent, UnknownSchemaError } from './migrate.js';
import { MIGRATIONS } from './migrations.js';

describe('migrate', () => {
  let server: ThrowAwayServer;
  before(async () => {
    server = await ThrowAwayServer.start();
  });
  after(() => server.stop());

  it('creates the schema of an empty database, once', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    assert.equal(await schemaIsCurrent(dataSource), false);
    assert.equal((await migrate(dataSource)).length, MIGRATIONS.length);
    assert.equal(await schemaIsCurrent(dataSource), true);
    assert.deepEqual(await migrate(dataSource), []);
  });

  it('runs in one process while the others wait', async () => {
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

  it('needs one connection, restores its limits and releases its lock', async () => {
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

  it('releases its lock when a migration fails', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    await assert.rejects(
      migrate(dataSource, () => Promise.reject(new Error('disk full'))),
      /disk full/,
    );
    assert.deepEqual(await migrate(dataSource), []);
  });

  it('creates the schema that the entities describe', async () => {
    const dataSource = await server.database();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    assert.deepEqual(
      upQueries.map((query) => query.query),
      [],
    );
  });

  it('creates partial indexes with the conditions of the entities', async () => {
    // The schema builder compares only names and columns of indexes.
    const dataSource = await server.database();
    const rows = await dataSource.query<{ name: string; condition: string }[]>(
      `SELECT c.relname AS name, pg_get_expr(i.indpred, i.indrelid) AS condition
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indpred IS NOT NULL ORDER BY 1`,
    );
    const indices = dataSource.entityMetadatas.flatMap((entity) => entity.indices);
    // The migration alone defines indexes on expressions.
    const undeclared = indices.filter((index) => !index.synchronize).map((index) => index.name);
    assert.deepEqual(undeclared, ['crawl_urls_frontier']);
    const actual = new Map(rows.map((row) => [row.name, row.condition]));
    for (const name of undeclared) assert.ok(actual.delete(name ?? ''), name);
    const declared = indices.filter((index) => index.where);
    assert.deepEqual([...actual.keys()].toSorted(), declared.map((index) => index.name).toSorted());
    for (const index of declared) {
      const literals = /'[a-z]+'|\d+|[a-z_]+ IS (?:NOT )?NULL/g;
      assert.deepEqual(actual.get(index.name)?.match(literals), index.where?.match(literals), index.name);
    }
  });

  it('refuses a database whose schema another release has written', async () => {
    const dataSource = await server.database();
    await dataSource.query(
      `INSERT INTO migrations (timestamp, name) VALUES (1763600000000, 'InitialSchema1763600000000')`,
    );
    for (const refused of [migrate, schemaIsCurrent])
      await assert.rejects(refused(dataSource), (error) => {
        assert.ok(error instanceof UnknownSchemaError);
        assert.equal(error.code, 'UNKNOWN_SCHEMA');
        assert.match(error.message, /CITEWELL_DATA_DIR.*DATABASE_URL.*ingest your content again/);
        return true;
      });
    const other = await server.open(await server.emptyDatabase());
    assert.equal((await migrate(other)).length, MIGRATIONS.length, 'the lock was released');
  });

  it('refuses to undo a migration', async () => {
    const dataSource = await server.database();
    await assert.rejects(dataSource.undoLastMigration(), /cannot be undone/);
    assert.equal(await schemaIsCurrent(dataSource), true);
  });
});
