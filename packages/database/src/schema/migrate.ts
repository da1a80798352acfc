import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { codeOf } from '../connection/database-unavailable.js';
import { queryRow, sql } from '../connection/sql.js';
import { liftTimeLimits } from '../connection/watched-client.js';
import { INITIAL_MIGRATION, timeOf, TO_COPY_EARLIER } from './migrations.js';

/** Any number will do, as long as nothing else in the database uses it for an advisory lock. */
const MIGRATION_LOCK = 4_813_772_019;
/** Less than the second after which Postgres looks for deadlocks, and may end the transaction of another process. */
const LOCK_WAIT_MS = 500;
const MAX_TRYING_MS = 120_000;
/** deadlock_detected, lock_not_available. */
const LOCK_CONFLICTS: ReadonlySet<string> = new Set(['40P01', '55P03']);
/** The name of a migration that removes what the earlier release reads or writes. */
const IS_CONTRACT = /Contract\d+$/;

/** Thrown for a database whose schema was written by another version and cannot be migrated. */
export class UnknownSchemaError extends Error {
  readonly code = 'UNKNOWN_SCHEMA';

  /** @param migration an applied migration that this version does not know */
  constructor(readonly migration: string) {
    const isEarlier = timeOf(migration) < timeOf(INITIAL_MIGRATION);
    super(
      `${isEarlier ? 'An earlier' : 'A newer'} version of Citewell has changed this database with the migration ${migration}, and ` +
        `this version cannot read it. ${isEarlier ? TO_COPY_EARLIER : 'Run the newer version.'} Or set CITEWELL_DATA_DIR to ` +
        'another data directory, or DATABASE_URL to another database, and ingest your content again.',
    );
    this.name = 'UnknownSchemaError';
  }
}

/**
 * Brings the schema up to date. Several processes may call it at once: one works, the others wait for it and
 * then find nothing to do.
 *
 * @param also further migrations to run under the same lock, such as the queue's own schema
 * @returns the names of the migrations that were applied
 * @throws {@link UnknownSchemaError}
 */
export async function migrate(
  dataSource: DataSource,
  also: () => Promise<void> = async () => {},
): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await liftTimeLimits(lock, true);
    await queryRow(lock, sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    // On the connection that holds the lock and has no time limits: changing a large table may take long.
    const executor = new MigrationExecutor(dataSource, lock);
    executor.transaction = 'each';
    await assertKnownSchema(dataSource, executor);
    const applied = await applyPending(executor, lock);
    await also();
    return applied;
  } finally {
    await queryRow(lock, sql`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => undefined);
    await liftTimeLimits(lock, false).catch(() => undefined);
    await lock.release();
  }
}

/**
 * Applies the migrations, each in a transaction. Processes of the previous release may be at work: a migration that waits
 * for one of their locks gives up its own ones soon and starts again, so that neither waits for the other.
 *
 * @returns the names of those that were applied
 */
async function applyPending(executor: MigrationExecutor, lock: QueryRunner): Promise<string[]> {
  const before = new Set((await executor.getExecutedMigrations()).map(({ name }) => name));
  const deadline = Date.now() + MAX_TRYING_MS;
  await lock.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
  for (;;) {
    try {
      await executor.executePendingMigrations();
      break;
    } catch (error) {
      if (!LOCK_CONFLICTS.has(codeOf(error)) || Date.now() > deadline) throw error;
      await sleep(LOCK_WAIT_MS);
    }
  }
  const executed = await executor.getExecutedMigrations();
  return executed.map(({ name }) => name).filter((name) => !before.has(name));
}

/**
 * Whether every migration of this release has been applied. Those of a newer release are no obstacle, unless one of them
 * is named `…Contract`: then a process of this release cannot work with the schema.
 *
 * @throws {@link UnknownSchemaError}
 */
export async function schemaIsCurrent(dataSource: DataSource): Promise<boolean> {
  await assertKnownSchema(dataSource, new MigrationExecutor(dataSource));
  return !(await dataSource.showMigrations());
}

async function assertKnownSchema(dataSource: DataSource, executor: MigrationExecutor): Promise<void> {
  const known = new Set(dataSource.migrations.map(({ name }) => name));
  const executed = (await executor.getExecutedMigrations()).toSorted((a, b) => b.timestamp - a.timestamp);
  const latestKnown = executed.find(({ name }) => known.has(name))?.timestamp ?? Infinity;
  const obstacle = executed.find(
    ({ name, timestamp }) => !known.has(name) && (timestamp < latestKnown || IS_CONTRACT.test(name)),
  );
  if (obstacle !== undefined) throw new UnknownSchemaError(obstacle.name);
}
