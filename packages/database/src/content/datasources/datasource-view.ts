import type { Stage } from '@citewell/contracts/schemas';
import type { EntityManager } from 'typeorm';
import { hydrate, hydrateOne } from '../../connection/hydrate.js';
import { queryRows, type Sql, sql } from '../../connection/sql.js';
import { RunEntity } from '../../schema/ingestion.entities.js';
import { firstStage } from '../../ingestion/runs/start-run.js';
import { REINDEXING, UNFINISHED, UNFINISHED_STATES } from '../../ingestion/runs/unfinished.js';
import { DatasourceEntity } from '../../schema/content.entities.js';

/** A datasource with the runs that its wire shape is made of. */
export interface DatasourceView {
  datasource: DatasourceEntity;
  /** The run that answers queries. */
  serving: RunEntity | null;
  /** The unfinished run. */
  current: RunEntity | null;
  /** The unfinished reindex. */
  reindex: RunEntity | null;
  /** Of a group: its pages or files that have an unfinished reindex. */
  pagesReindexing: number;
  /** Of a group whose run is unfinished: its pages or files that have an unfinished run. */
  pagesUnderWay: number;
  /**
   * Stage in which a run begins that is due and not started; null where none is due, or one is unfinished.
   */
  dueStage: Stage | null;
}

/** A datasource's columns, and its runs as JSON. */
interface ViewRow extends Record<string, unknown> {
  serving_run: Record<string, unknown> | null;
  current_run: Record<string, unknown> | null;
  reindex_run: Record<string, unknown> | null;
  pages_reindexing: number;
  pages_under_way: number;
  /** Null for a datasource without a schedule or a requested sync. */
  is_due: boolean | null;
}

/**
 * Datasources and their runs, in one statement: with two, a status and its run could contradict each other. Each run is
 * a subquery of its own, because a join with a small partial index can read the whole index for each datasource.
 *
 * @param datasources a query for rows of `datasources`, whose order is kept
 */
export async function selectViews(manager: EntityManager, datasources: Sql): Promise<DatasourceView[]> {
  const rows = await queryRows<ViewRow>(
    manager,
    sql`SELECT d.*, pages.*, d.requested_sync IS NOT NULL OR d.next_sync_at <= now() AS is_due,
               (SELECT to_jsonb(runs) FROM runs WHERE id = d.serving_run_id) AS serving_run,
               (SELECT to_jsonb(runs) FROM runs WHERE datasource_id = d.id AND ${UNFINISHED}) AS current_run,
               (SELECT to_jsonb(runs) FROM runs WHERE datasource_id = d.id AND ${REINDEXING}) AS reindex_run
          FROM (SELECT *, row_number() OVER () AS place FROM (${datasources}) selected) d
         CROSS JOIN LATERAL (
           SELECT count(*) FILTER (WHERE ${REINDEXING})::int AS pages_reindexing,
                  count(*) FILTER (WHERE ${UNFINISHED})::int AS pages_under_way
             FROM runs WHERE group_id = d.id AND state IN ${UNFINISHED_STATES}) pages
         ORDER BY d.place`,
  );
  return hydrate(manager.dataSource, DatasourceEntity, rows).map((datasource, index) => {
    const row = rows[index];
    const current = hydrateOne(manager.dataSource, RunEntity, row?.current_run);
    return {
      datasource,
      serving: hydrateOne(manager.dataSource, RunEntity, row?.serving_run),
      current,
      reindex: hydrateOne(manager.dataSource, RunEntity, row?.reindex_run),
      pagesReindexing: row?.pages_reindexing ?? 0,
      pagesUnderWay: (current && row?.pages_under_way) ?? 0,
      dueStage: row?.is_due && current === null ? firstStage(datasource.type) : null,
    };
  });
}
