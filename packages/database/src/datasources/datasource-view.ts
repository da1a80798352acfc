import type { Stage } from '@citewell/contracts/http';
import type { EntityManager } from 'typeorm';
import { hydrate, hydrateOne } from '../connection/hydrate.js';
import { queryRows, type Sql, sql } from '../connection/sql.js';
import { RunEntity } from '../runs/run.entity.js';
import { firstStage } from '../runs/start-run.js';
import { REINDEXING, UNFINISHED } from '../runs/unfinished.js';
import { DatasourceEntity } from './datasource.entity.js';

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
 * Datasources and their runs, in one statement: with two, a status and its run could contradict each other.
 *
 * @param datasources a query for rows of `datasources`, whose order is kept
 */
export async function selectViews(manager: EntityManager, datasources: Sql): Promise<DatasourceView[]> {
  const rows = await queryRows<ViewRow>(
    manager,
    sql`SELECT d.*, to_jsonb(serving) AS serving_run, to_jsonb(current) AS current_run,
               to_jsonb(reindex) AS reindex_run,
               (SELECT count(*)::int FROM runs WHERE group_id = d.id AND ${REINDEXING}) AS pages_reindexing,
               CASE WHEN current.stage = 'discovering' OR current.discovered_at IS NOT NULL
                    THEN (SELECT count(*)::int FROM runs WHERE group_id = d.id AND ${UNFINISHED})
                    ELSE 0 END AS pages_under_way,
               current.id IS NULL AND (d.requested_sync IS NOT NULL OR d.next_sync_at <= now()) AS is_due
          FROM (SELECT *, row_number() OVER () AS place FROM (${datasources}) selected) d
          LEFT JOIN runs serving ON serving.id = d.serving_run_id
          LEFT JOIN (SELECT * FROM runs WHERE ${UNFINISHED}) current ON current.datasource_id = d.id
          LEFT JOIN (SELECT * FROM runs WHERE ${REINDEXING}) reindex ON reindex.datasource_id = d.id
         ORDER BY d.place`,
  );
  return hydrate(manager.dataSource, DatasourceEntity, rows).map((datasource, index) => {
    const row = rows[index];
    return {
      datasource,
      serving: hydrateOne(manager.dataSource, RunEntity, row?.serving_run),
      current: hydrateOne(manager.dataSource, RunEntity, row?.current_run),
      reindex: hydrateOne(manager.dataSource, RunEntity, row?.reindex_run),
      pagesReindexing: row?.pages_reindexing ?? 0,
      pagesUnderWay: row?.pages_under_way ?? 0,
      dueStage: row?.is_due ? firstStage(datasource.type) : null,
    };
  });
}
