import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@citewell/database';

/** Long enough for a database to restart, and shorter than the usual lease lasts without a heartbeat. */
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 200;

/**
 * Repeats `work` while the database cannot be reached. Used where giving up at once would leave a run until
 * its lease runs out: when the lease is taken, and when the outcome is recorded. `work` must be idempotent.
 *
 * @param options.timeoutMs default 10,000
 * @param options.pauseMs between two attempts; default 200
 * @throws any other error of `work` at once; the connection error when the time is over
 */
export async function retryWhileDatabaseIsDown<Result>(
  work: () => Promise<Result>,
  { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS }: { timeoutMs?: number; pauseMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
    }
    await sleep(pauseMs);
  }
}
