import type { DataSource } from 'typeorm';
import { GroupCommit } from '../connection/group-commit.js';
import { queryRow, queryRows, sql } from '../connection/sql.js';

/** The account of an organization's own chat model, which is paused when an answer of it blocks an event loop. */
export const ownModelAccount = (organizationId: string): string => `own-chat:${organizationId}`;

/** Pauses that model providers asked for with their rate limits, shared by all workers. */
export class ProviderPauseRepository {
  private readonly reads = new GroupCommit<void, number>(async (account, reads) => {
    const ms = await this.read(account);
    return reads.map(() => ms);
  });

  constructor(private readonly dataSource: DataSource) {}

  /** Milliseconds until an account may be used again; 0 when it is not paused. */
  async remaining(account: string): Promise<number> {
    return this.reads.submit(account, undefined);
  }

  private async read(account: string): Promise<number> {
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
