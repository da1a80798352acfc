import { execute, type Executor, queryRow, sql } from '../connection/sql.js';
import { UNFINISHED } from '../runs/unfinished.js';

/** What a sync does beyond reading the source again. */
export interface SyncOptions {
  /** See `RunEntity.removeMissing`. */
  removeMissing?: boolean;
}

export async function hasUnfinishedRun(manager: Executor, datasourceId: string): Promise<boolean> {
  const run = await queryRow(
    manager,
    sql`SELECT 1 FROM runs WHERE datasource_id = ${datasourceId} AND ${UNFINISHED}`,
  );
  return run !== null;
}

/**
 * Requests another run of a web datasource for when its unfinished run has ended, if that run has started: it may have
 * read the source before the change that the request is about. The caller holds the lock of the datasource.
 */
export async function syncAfterCurrentRun(
  manager: Executor,
  id: string,
  { removeMissing = false }: SyncOptions = {},
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET requested_sync = ${
      removeMissing ? sql`'remove-missing'` : sql`coalesce(requested_sync, 'sync')`
    }
         WHERE id = ${id} AND type IN ('web_page', 'web_site')
           AND EXISTS (SELECT 1 FROM runs
                        WHERE datasource_id = datasources.id AND started_at IS NOT NULL AND ${UNFINISHED})`,
  );
}
