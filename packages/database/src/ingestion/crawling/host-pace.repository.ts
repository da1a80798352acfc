import type { DataSource } from 'typeorm';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';

/** A start of a request to a host. */
export interface HostReservation {
  /** Time until the start; if it was refused, until the host is free. */
  readonly waitMs: number;
  readonly isGranted: boolean;
}

/** Spaces out the requests to a host, for all crawlers together. By the clock of the database. */
export class HostPaceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reserves the next start of a request to a host.
   *
   * @param spacingMs between this start and the next one
   * @param maxWaitMs a later start is refused and not reserved
   */
  async reserve(host: string, spacingMs: number, maxWaitMs: number): Promise<HostReservation> {
    const spacing = sql`make_interval(secs => ${spacingMs / 1000})`;
    const reserved = await queryRow<{ waitMs: number }>(
      this.dataSource,
      sql`INSERT INTO host_paces AS h (host, next_start) VALUES (${host}, now() + ${spacing})
          ON CONFLICT (host) DO UPDATE SET next_start = greatest(h.next_start, now()) + ${spacing}
           WHERE h.next_start <= now() + make_interval(secs => ${maxWaitMs / 1000})
          RETURNING greatest(0, extract(epoch FROM next_start - ${spacing} - now()) * 1000)::float8 AS "waitMs"`,
    );
    if (reserved !== null) return { ...reserved, isGranted: true };
    // In a statement of its own: the first one may have waited for a row that its snapshot does not have.
    const refused = await queryRow<{ waitMs: number }>(
      this.dataSource,
      sql`SELECT greatest(0, extract(epoch FROM next_start - now()) * 1000)::float8 AS "waitMs"
            FROM host_paces WHERE host = ${host}`,
    );
    return { waitMs: refused?.waitMs ?? 0, isGranted: false };
  }

  /** Delays all requests to a host. A longer pause that began earlier stays. */
  async pause(host: string, ms: number): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`INSERT INTO host_paces AS h (host, next_start) VALUES (${host}, now() + make_interval(secs => ${ms / 1000}))
          ON CONFLICT (host) DO UPDATE SET next_start = greatest(h.next_start, excluded.next_start)`,
    );
  }

  /** Deletes hosts that no request has to wait for. */
  async collect(): Promise<void> {
    await execute(this.dataSource, sql`DELETE FROM host_paces WHERE next_start < now() - interval '1 hour'`);
  }
}
