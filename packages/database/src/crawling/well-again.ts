import type { EntityManager } from 'typeorm';
import { UNDER_WAY } from '../runs/under-way.js';

/** Pages that serve and have been looked at, as far as nothing of them is under way: what failed before is over. */
export async function areWellAgain(
  manager: EntityManager,
  pageIds: readonly (string | null)[],
): Promise<void> {
  await manager.query(
    `UPDATE datasources SET status = 'synched', error = NULL, last_synch = now(), updated_at = now()
      WHERE id = ANY($1) AND serving_run_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM runs WHERE datasource_id = datasources.id AND ${UNDER_WAY})`,
    [pageIds],
  );
}
