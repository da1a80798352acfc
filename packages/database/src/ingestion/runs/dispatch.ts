import { type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';
import { UNFINISHED } from './transitions.js';

/** The channel that wakes dispatchers. */
export const DISPATCH_CHANNEL = 'citewell_dispatch';

/** The channel that announces new runs, for workers that load something before their first run. */
export const NEW_RUN_CHANNEL = 'citewell_new_run';

/** An expression to select: wakes every dispatcher when the surrounding transaction commits. */
export const WAKE_DISPATCHER = sql`pg_notify(${DISPATCH_CHANNEL}, '')`;

/** Tells workers and dispatchers that there is a new run, when the surrounding transaction commits. */
export async function announceRun(manager: Executor): Promise<void> {
  await queryRows(manager, sql`SELECT pg_notify(${NEW_RUN_CHANNEL}, ''), ${WAKE_DISPATCHER}`);
}

/** A worker that was not seen for this long no longer counts. */
const SILENCE_SECONDS = 15;

/** An expression: jobs that the living workers of a queue work on at once. @param queue an expression */
export const slotsOf = (queue: Sql): Sql => sql`(
  SELECT coalesce(sum(slots), 0)::int FROM workers
   WHERE workers.queue = ${queue} AND seen_at > now() - make_interval(secs => ${SILENCE_SECONDS}))`;

/**
 * A query for the ids of datasources that are due: by their schedule, or because a sync was requested during
 * a run that has ended.
 */
export const DUE_SYNCS = sql`
  SELECT id FROM datasources WHERE next_sync_at <= now() AND deleted_at IS NULL
  UNION ALL
  SELECT id FROM datasources d WHERE requested_sync IS NOT NULL AND deleted_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNFINISHED})`;
