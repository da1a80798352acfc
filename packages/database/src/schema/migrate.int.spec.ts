import { afterAll, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { migrate, schemaIsCurrent } from './migrate.js';
import { LAST_EARLIER_MIGRATION, MIGRATIONS, timeOf } from './migrations.js';

describe('migrate', () => {
  const server = new TestServer();
  afterAll(() => server.close());

  it('creates the schema of an empty database, once', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    expect(await schemaIsCurrent(dataSource)).toBe(false);
    expect(await migrate(dataSource)).toHaveLength(MIGRATIONS.length);
    expect(await schemaIsCurrent(dataSource)).toBe(true);
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('runs in one process while the others wait', async () => {
    const url = await server.emptyDatabase();
    const processes = await Promise.all([server.open(url), server.open(url), server.open(url)]);
    let inside = 0;
    const also = async (): Promise<void> => {
      inside += 1;
      // Two processes migrate at once.
      expect(inside).toBe(1);
      await processes[0]?.query('SELECT pg_sleep(0.05)');
      inside -= 1;
    };
    const applied = await Promise.all(processes.map((dataSource) => migrate(dataSource, also)));
    expect(applied.flat()).toHaveLength(MIGRATIONS.length);
  });

  it('needs one connection, restores its limits and releases its lock', async () => {
    const url = await server.emptyDatabase();
    const dataSource = await server.open(url);
    const single = new DataSource({ ...dataSource.options, poolSize: 1 } as typeof dataSource.options);
    await single.initialize();
    await migrate(single);
    const [{ statement_timeout: timeout }] =
      await single.query<[{ statement_timeout: string }]>('SHOW statement_timeout');
    expect(timeout).toBe('20s');
    const locks = await single.query<unknown[]>(
      `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    );
    expect(locks).toHaveLength(0);
    await single.destroy();
  });

  it('gives way to a transaction that needs its locks in another order', async () => {
    class Crossing implements MigrationInterface {
      name = 'Crossing9999999999999';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('LOCK TABLE organizations');
        await runner.query('LOCK TABLE agents');
      }
      async down(): Promise<void> {}
    }
    const dataSource = await server.database();
    const options = { ...dataSource.options, migrations: [...MIGRATIONS, Crossing] };
    const newer = await new DataSource(options as typeof dataSource.options).initialize();
    const work = dataSource.createQueryRunner();
    await work.startTransaction();
    await work.query('LOCK TABLE agents IN ROW EXCLUSIVE MODE');
    const applied = migrate(newer);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await work.query('LOCK TABLE organizations IN ROW EXCLUSIVE MODE');
    await work.commitTransaction();
    await work.release();
    expect(await applied).toEqual(['Crossing9999999999999']);
    await newer.destroy();
  });

  it('releases its lock when a migration fails', async () => {
    const dataSource = await server.open(await server.emptyDatabase());
    await expect(migrate(dataSource, () => Promise.reject(new Error('disk full')))).rejects.toThrow(
      /disk full/,
    );
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('creates the schema that the entities describe', async () => {
    const dataSource = await server.database();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map((query) => query.query)).toEqual([]);
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
    expect(undeclared).toEqual(['crawl_urls_frontier']);
    const actual = new Map(rows.map((row) => [row.name, row.condition]));
    for (const name of undeclared) expect([name, actual.delete(name ?? '')]).toEqual([name, true]);
    const declared = indices.filter((index) => index.where);
    expect([...actual.keys()].toSorted()).toEqual(declared.map((index) => index.name).toSorted());
    for (const index of declared) {
      const literals = /'[a-z]+'|\d+|[a-z_]+ IS (?:NOT )?NULL/g;
      expect([index.name, actual.get(index.name)?.match(literals)]).toEqual([
        index.name,
        index.where?.match(literals),
      ]);
    }
  });

  const LATER = 1_900_000_000_000;

  it.each([
    ['of an earlier version', LAST_EARLIER_MIGRATION, /^An earlier version .*backup <file>.*restore <file>/],
    ['of a newer version that removes something', `DatastoreColorContract${LATER}`, /^A newer version/],
  ])('refuses a database with a migration %s', async (_, name, explanation) => {
    const dataSource = await server.database();
    await dataSource.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [timeOf(name), name]);
    for (const refused of [migrate, schemaIsCurrent]) {
      const error: unknown = await refused(dataSource).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'UNKNOWN_SCHEMA', migration: name });
      expect(String(error)).toMatch(/CITEWELL_DATA_DIR.*DATABASE_URL.*ingest your content again/);
      expect((error as Error).message).toMatch(explanation);
    }
    const other = await server.open(await server.emptyDatabase());
    // The lock was released.
    expect(await migrate(other)).toHaveLength(MIGRATIONS.length);
  });

  it('refuses the database of an earlier version, which has only its migrations', async () => {
    const dataSource = await server.database();
    await dataSource.query('UPDATE migrations SET timestamp = $1, name = $2', [
      timeOf(LAST_EARLIER_MIGRATION),
      LAST_EARLIER_MIGRATION,
    ]);
    await expect(migrate(dataSource)).rejects.toMatchObject({ migration: LAST_EARLIER_MIGRATION });
  });

  it('works with a database to which a newer release has added something', async () => {
    const dataSource = await server.database();
    await dataSource.query('ALTER TABLE datastores ADD color text');
    await dataSource.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
      LATER,
      `DatastoreColor${LATER}`,
    ]);
    expect(await schemaIsCurrent(dataSource)).toBe(true);
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('refuses to undo a migration', async () => {
    const dataSource = await server.database();
    await expect(dataSource.undoLastMigration()).rejects.toThrow(/cannot be undone/);
    expect(await schemaIsCurrent(dataSource)).toBe(true);
  });
});
