import type { DataSource, QueryRunner } from 'typeorm';
import { type Executor, queryRow, type Sql, sql } from '../../connection/sql.js';
import { liftTimeLimits } from '../../connection/watched-client.js';

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
    await liftTimeLimits(holder, true);
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
    await liftTimeLimits(holder, false).catch(() => undefined);
    await holder.release();
  }
}

/**
 * The share of the lock that the purges of one process have together. They occupy one connection, however many they are:
 * the first one takes the lock, and the last one releases it.
 */
export class SharedBackupLock {
  private purges = 0;
  private share: { holder: QueryRunner; taken: Promise<boolean> } | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Calls `work`, unless a backup runs or waits. A backup that begins waits for the end of `work`. */
  async unlessBackupRuns(work: () => Promise<void>): Promise<void> {
    // Purges that overlap may hold the share for ever. This lock of one statement is refused while a backup waits.
    const { dataSource } = this;
    if (!(await isTaken(dataSource, sql`SELECT pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) AS taken`)))
      return;
    this.purges += 1;
    try {
      // A holder whose connection was lost is released.
      if (this.share === null || this.share.holder.isReleased) this.share = this.take();
      if (await this.share.taken) await work();
    } finally {
      this.purges -= 1;
      if (this.purges === 0) await this.release();
    }
  }

  private take(): { holder: QueryRunner; taken: Promise<boolean> } {
    const holder = this.dataSource.createQueryRunner();
    const taken = isTaken(holder, sql`SELECT pg_try_advisory_lock_shared(${BACKUP_LOCK}) AS taken`);
    return { holder, taken };
  }

  private async release(): Promise<void> {
    const holder = this.share?.holder;
    this.share = null;
    if (holder === undefined) return;
    await queryRow(holder, sql`SELECT pg_advisory_unlock_all()`).catch(() => undefined);
    await holder.release();
  }
}

async function isTaken(executor: Executor, statement: Sql): Promise<boolean> {
  const row = await queryRow<{ taken: boolean }>(executor, statement);
  return row?.taken ?? false;
}
