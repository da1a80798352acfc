import type { DataSource } from 'typeorm';

/**
 * What providers of models said about their rate limits, for all workers together: one that is told to wait spares the
 * others the same answer.
 */
export class ProviderPauseRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** How long an account is to be left alone, in milliseconds; 0 when it is not. */
  async remaining(account: string): Promise<number> {
    const [row] = await this.dataSource.query<{ ms: number }[]>(
      `SELECT greatest(0, extract(epoch FROM until - now()) * 1000)::float8 AS ms
         FROM provider_pauses WHERE account = $1`,
      [account],
    );
    return row?.ms ?? 0;
  }

  /** Leaves an account alone for so long from now; a longer wish that was noted before stays. */
  async pause(account: string, ms: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO provider_pauses AS p (account, until)
       VALUES ($1, now() + make_interval(secs => $2::float8 / 1000))
       ON CONFLICT (account) DO UPDATE SET until = greatest(p.until, excluded.until)`,
      [account, ms],
    );
  }
}
