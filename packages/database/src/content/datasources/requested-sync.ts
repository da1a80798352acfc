import { execute, type Executor, queryRow, sql } from '../../connection/sql.js';
import { UNFINISHED } from '../../ingestion/runs/unfinished.js';

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
 * Requests another run of web datasources for when their unfinished runs have ended, if these have started: they may have
 * read the source before the change that the request is about. The caller holds the locks of the datasources.
 */
export async function syncAfterCurrentRun(
  manager: Executor,
  ids: readonly string[],
  { removeMissing = false }: SyncOptions = {},
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET requested_sync = ${
      removeMissing ? sql`'remove-missing'` : sql`coalesce(requested_sync, 'sync')`
    }
         WHERE id = ANY(${ids}::uuid[]) AND type IN ('web_page', 'web_site')
           AND EXISTS (SELECT 1 FROM runs
                        WHERE datasource_id = datasources.id AND started_at IS NOT NULL AND ${UNFINISHED})`,
  );
}
