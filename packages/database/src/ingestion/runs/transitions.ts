import type { DatasourceStatus, RunState } from '@citewell/contracts/schemas';
import { sql } from '../../connection/sql.js';

/** The states that may follow each state. Triggers of the schema refuse every other change, whoever makes it. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/**
 * The states of a run, and who changes them:
 *
 * | change | made by |
 * |---|---|
 * | `pending` → `queued` | the dispatcher, which claims the run |
 * | `queued` → `active` | a worker, which takes the lease |
 * | `active` → `pending`, `waiting`, `succeeded`, `failed` | that worker, which records the outcome of the stage |
 * | `active` → `pending`, `failed` | the dispatcher, after the lease has expired |
 * | `waiting` → `succeeded`, `failed` | the dispatcher, when all pages or files of a group have ended |
 * | `queued`, `active` → `pending` | the doctor; for `queued` runs, also a standalone that starts |
 * | unfinished → `cancelled` | the API, when a user cancels, replaces or deletes |
 * | unfinished → `cancelled` | a crawl or an archive, for pages or files that it replaces or removes |
 * | unfinished → `cancelled` | whoever ends the serving of a text, for its reindex |
 */
export const RUN_TRANSITIONS: Transitions<RunState> = {
  pending: ['queued', 'cancelled'],
  queued: ['active', 'pending', 'cancelled'],
  active: ['pending', 'waiting', 'succeeded', 'failed', 'cancelled'],
  waiting: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/**
 * The statuses of a datasource. Only `datasource-status.ts` writes them, in the transaction that changes the run:
 *
 * | status | because |
 * |---|---|
 * | `unsynched` | a run was started, so that a client which waits for `synched` never sees that of an earlier run |
 * | `running` | a worker has taken the lease, whatever the status was: a page that failed in a crawl may have a pending run |
 * | `synched`, `error`, `usage_limit_reached` | the run has ended. Only an active run reaches the limit |
 * | `synched`, `error` | a crawl found the page unchanged, or could not fetch it, so the page gets no run |
 * | `unsynched`, `synched` | the run was cancelled. `synched` if an earlier run has succeeded |
 * | `synched` | the doctor found a datasource that serves and is `unsynched` or `running` without a run |
 *
 * The run of a reindex changes no status.
 */
export const STATUS_TRANSITIONS: Transitions<DatasourceStatus> = {
  unsynched: ['running', 'synched', 'error'],
  running: ['unsynched', 'synched', 'error', 'usage_limit_reached'],
  synched: ['unsynched', 'running', 'error'],
  error: ['unsynched', 'running', 'synched', 'usage_limit_reached'],
  usage_limit_reached: ['unsynched', 'running', 'synched', 'error'],
};

/** A statement that creates the trigger of a table. A migration holds its text; `transitions.int.spec.ts` compares both. */
export function createTrigger<State extends string>(
  { table, column }: { readonly table: string; readonly column: string },
  transitions: Transitions<State>,
): string {
  const pairs = allowedPairs(transitions).map(([from, to]) => `('${from}', '${to}')`);
  return `CREATE TRIGGER ${table}_${column} BEFORE UPDATE OF ${column} ON ${table} FOR EACH ROW
    WHEN (OLD.${column} <> NEW.${column} AND (OLD.${column}, NEW.${column}) NOT IN (${pairs.join(', ')}))
    EXECUTE FUNCTION refuse_transition('${column}')`;
}

/** Every pair of states of which the second may follow the first. */
export function allowedPairs<State extends string>(
  transitions: Transitions<State>,
): [from: State, to: State][] {
  // The keys of the table are its states.
  return (Object.keys(transitions) as State[]).flatMap((from) =>
    transitions[from].map((to): [State, State] => [from, to]),
  );
}

/** States of a run that has not ended. */
export const UNFINISHED_STATES = sql`('pending', 'queued', 'active', 'waiting')`;

/**
 * A condition on `runs`: the run brings its datasource up to date, and has not ended. A unique index allows one such
 * run for each datasource.
 */
export const UNFINISHED = sql`(state IN ${UNFINISHED_STATES} AND trigger <> 'reindex')`;

/**
 * A condition on `runs`: the run indexes the serving text again, in the background, and has not ended. A unique index
 * allows one such run for each datasource, besides an {@link UNFINISHED} one.
 */
export const REINDEXING = sql`(state IN ${UNFINISHED_STATES} AND trigger = 'reindex')`;
