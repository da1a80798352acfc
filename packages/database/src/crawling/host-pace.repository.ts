import type { DataSource } from 'typeorm';

/** A place in the row of requests to one host. */
export interface HostReservation {
  /** Time until its start; of one that was refused, until the host may be asked again. */
  readonly waitMs: number;
  /** Whether the place was taken. */
  readonly isGranted: boolean;
}

/** The pace at which web servers are asked, for all crawlers together. By the clock of the database. */
export class HostPaceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes the next start of a request to a host.
   *
   * @param spacingMs between this start and the one after it
   * @param patienceMs a start that is further away is refused, and takes nobody's place
   */
  async reserve(host: string, spacingMs: number, patienceMs: number): Promise<HostReservation> {
    const [place] = await this.dataSource.query<{ wait_ms: number }[]>(
      `INSERT INTO host_paces AS h (host, next_start) VALUES ($1, now() + ${milliseconds('$2')})
       ON CONFLICT (host) DO UPDATE SET next_start = greatest(h.next_start, now()) + ${milliseconds('$2')}
        WHERE h.next_start <= now() + ${milliseconds('$3')}
       RETURNING ${millisecondsUntil(`next_start - ${milliseconds('$2')}`)} AS wait_ms`,
      [host, spacingMs, patienceMs],
    );
    if (place !== undefined) return { waitMs: place.wait_ms, isGranted: true };
    // In a statement of its own: the one above may have waited for somebody whose row it does not see.
    const [taken] = await this.dataSource.query<{ wait_ms: number }[]>(
      `SELECT ${millisecondsUntil('next_start')} AS wait_ms FROM host_paces WHERE host = $1`,
      [host],
    );
    return { waitMs: taken?.wait_ms ?? 0, isGranted: false };
  }

  /** Nobody asks the host for so long from now; a longer wish that was noted before stays. */
  async pause(host: string, ms: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO host_paces AS h (host, next_start) VALUES ($1, now() + ${milliseconds('$2')})
       ON CONFLICT (host) DO UPDATE SET next_start = greatest(h.next_start, excluded.next_start)`,
      [host, ms],
    );
  }

  /** Forgets hosts that nobody has to wait for any more. */
  async collect(): Promise<void> {
    await this.dataSource.query(`DELETE FROM host_paces WHERE next_start < now() - interval '1 hour'`);
  }
}

function milliseconds(parameter: string): string {
  return `make_interval(secs => ${parameter}::float8 / 1000)`;
}

function millisecondsUntil(instant: string): string {
  return `greatest(0, extract(epoch FROM ${instant} - now()) * 1000)::float8`;
}
