import type { DataSource } from 'typeorm';
import { queryRow, queryRows, sql } from '../connection/sql.js';

/** Pauses that model providers asked for with their rate limits, shared by all workers. */
export class ProviderPauseRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Milliseconds until an account may be used again; 0 when it is not paused. */
  async remaining(account: string): Promise<number> {
    const pause = await queryRow<{ ms: number }>(
      this.dataSource,
      sql`SELECT greatest(0, extract(epoch FROM until - now()) * 1000)::float8 AS ms
            FROM provider_pauses WHERE account = ${account}`,
    );
    return pause?.ms ?? 0;
  }

  /** Pauses an account from now on; a pause that ends later stays. */
  async pause(account: string, ms: number): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`INSERT INTO provider_pauses AS p (account, until)
          VALUES (${account}, now() + make_interval(secs => ${ms}::float8 / 1000))
          ON CONFLICT (account) DO UPDATE SET until = greatest(p.until, excluded.until)`,
    );
  }
}
