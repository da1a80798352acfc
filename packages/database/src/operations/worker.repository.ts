import type { DataSource } from 'typeorm';
import { execute, queryRows, sql } from '../connection/sql.js';

/** The row of a worker that was not seen for this long is removed. */
const FORGOTTEN_SECONDS = 3_600;

/** The living workers. The dispatcher counts their slots. */
export class WorkerRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A worker is alive. @param slots jobs of the queue that it works on at once */
  async announce(id: string, queue: string, slots: number): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`INSERT INTO workers (id, queue, slots, seen_at) VALUES (${id}, ${queue}, ${slots}, now())
          ON CONFLICT (id, queue) DO UPDATE SET slots = excluded.slots, seen_at = now()`,
    );
  }

  /** Blocks of event loops in the last day, by app. */
  async recentBlocks(): Promise<{ app: string; blocks: number }[]> {
    return queryRows(
      this.dataSource,
      sql`SELECT app, count(*)::int AS blocks FROM event_loop_blocks WHERE at > now() - interval '1 day' GROUP BY app`,
    );
  }

  /** Removes a worker that has stopped, and those that have been silent for an hour. */
  async remove(id: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`DELETE FROM workers WHERE id = ${id} OR seen_at < now() - make_interval(secs => ${FORGOTTEN_SECONDS})`,
    );
  }
}
