import type { DataSource } from 'typeorm';
import { queryRow, sql } from '../connection/sql.js';

/** An advisory lock that purges share and that a backup has alone. Nothing else in the database uses the number. */
const BACKUP_LOCK = 3_377_015_642;

/**
 * Passes values on. From the first to the end, no purge is carried out: everything that served at the first is still in
 * the stores at the end. Waits for purges and for another backup.
 *
 * @throws Error at the end, if the connection that holds the lock was lost
 */
export async function* whilePurgesPause<Value>(
  dataSource: DataSource,
  values: AsyncIterable<Value>,
): AsyncGenerator<Value> {
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('SET statement_timeout = 0');
    await holder.query('SET lock_timeout = 0');
    await queryRow(holder, sql`SELECT pg_advisory_lock(${BACKUP_LOCK})`);
    yield* values;
    const row = await queryRow<{ held: boolean }>(
      holder,
      sql`SELECT pg_advisory_unlock(${BACKUP_LOCK}) AS held`,
    ).catch(() => null);
    if (!row?.held) throw new Error('The database was restarted meanwhile. Try again.');
  } finally {
    // After an error, the lock must not stay with a connection of the pool.
    await queryRow(holder, sql`SELECT pg_advisory_unlock_all()`).catch(() => undefined);
    await holder.query('RESET statement_timeout').catch(() => undefined);
    await holder.query('RESET lock_timeout').catch(() => undefined);
    await holder.release();
  }
}

/** Calls `work`, unless a backup runs. A backup that begins waits for the end of `work`. */
export async function unlessBackupRuns(dataSource: DataSource, work: () => Promise<void>): Promise<void> {
  const holder = dataSource.createQueryRunner();
  try {
    const row = await queryRow<{ taken: boolean }>(
      holder,
      sql`SELECT pg_try_advisory_lock_shared(${BACKUP_LOCK}) AS taken`,
    );
    if (!row?.taken) return;
    try {
      await work();
    } finally {
      await queryRow(holder, sql`SELECT pg_advisory_unlock_shared(${BACKUP_LOCK})`).catch(() => undefined);
    }
  } finally {
    await holder.release();
  }
}
