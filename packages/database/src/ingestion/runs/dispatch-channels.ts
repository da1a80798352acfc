import { type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';

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
