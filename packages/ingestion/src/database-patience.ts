import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@citewell/database';

/** A database that restarts is back by then; a lease of the usual length holds that long without a heartbeat. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 200;

/**
 * Does something again for as long as the database cannot be reached. For the two moments at which giving up at once
 * would leave a run to a time-out: taking its lease, and writing down what became of it. Both change nothing when done
 * twice.
 *
 * @throws what the work throws, when that is anything else or the patience is over
 */
export async function whileDatabaseIsAway<Result>(
  work: () => Promise<Result>,
  { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS }: { patienceMs?: number; pauseMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
    }
    await sleep(pauseMs);
  }
}
