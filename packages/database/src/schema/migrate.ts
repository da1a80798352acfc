import { type DataSource, MigrationExecutor } from 'typeorm';

/** Any number will do, as long as nothing else in the database uses it for an advisory lock. */
const MIGRATION_LOCK = 4_813_772_019;

/**
 * Brings the schema up to date. Several processes may call it at once: one works, the others wait for it and
 * then find nothing to do.
 *
 * @param also further migrations to run under the same lock, such as the queue's own schema
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  dataSource: DataSource,
  also: () => Promise<void> = async () => {},
): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SET lock_timeout = 0');
    await lock.query('SET statement_timeout = 0');
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // On the connection that has the lock: there a change of a large table may take its time, which the
    // limits of the pool's other connections would break off.
    const executor = new MigrationExecutor(dataSource, lock);
    executor.transaction = 'each';
    const applied = await executor.executePendingMigrations();
    await also();
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.query('RESET lock_timeout').catch(() => undefined);
    await lock.query('RESET statement_timeout').catch(() => undefined);
    await lock.release();
  }
}

/** True when every migration that this release knows has been applied. */
export async function schemaIsCurrent(dataSource: DataSource): Promise<boolean> {
  return !(await dataSource.showMigrations());
}
