import type { DatasourceStatus, RunState } from '@citewell/contracts/schemas';

/** The states that may follow each state. Triggers of the schema refuse every other change, whoever makes it. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/**
 * The states of a run, and who changes them:
 * - the dispatcher claims (`pending` → `queued`), and finishes groups (`waiting` → `succeeded`, `failed`);
 * - a worker takes the lease (`queued` → `active`), and records the outcome (`active` → anything but `queued`). An expired
 *   lease is an outcome, too;
 * - a standalone that starts, and the doctor, take back deliveries (`queued` → `pending`);
 * - a user cancels, replaces or deletes (→ `cancelled`).
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
 * The statuses of a datasource. Only `datasource-status.ts` writes them. A new run makes its datasource `unsynched`, so that a
 * client which waits for `synched` never sees that of an earlier run. A lease makes it `running`, whatever it was: a page
 * that failed in a crawl may have an unfinished run. The limit is reached only by a run.
 */
export const STATUS_TRANSITIONS: Transitions<DatasourceStatus> = {
  unsynched: ['running', 'synched', 'error', 'usage_limit_reached'],
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
