import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@citewell/database';

/** Shorter than the usual lease lasts without a heartbeat: until then, the run is of this process. */
const TIMEOUT_MS = 45_000;
/** The same for a process that stops. */
const STOP_TIMEOUT_MS = 10_000;
const PAUSE_MS = 200;

/** Times in ms; defaults are 45,000, 10,000 and 200. */
export interface RetryTimes {
  readonly timeoutMs?: number;
  /** Instead of `timeoutMs`, once the signal is aborted. */
  readonly stopTimeoutMs?: number;
  /** Between two attempts. */
  readonly pauseMs?: number;
}

/**
 * Repeats `work` while the database cannot be reached. Used where giving up at once would leave a run until
 * its lease runs out: when the lease is taken, and when the outcome is recorded. `work` must be idempotent.
 *
 * @param signal aborted when the process stops
 * @throws any other error of `work` at once; the connection error when the time is over
 */
export async function retryWhileDatabaseIsDown<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  { timeoutMs = TIMEOUT_MS, stopTimeoutMs = STOP_TIMEOUT_MS, pauseMs = PAUSE_MS }: RetryTimes = {},
): Promise<Result> {
  const started = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const limitMs = signal.aborted ? stopTimeoutMs : timeoutMs;
      if (!isDatabaseUnavailable(error) || performance.now() > started + limitMs) throw error;
    }
    await sleep(pauseMs);
  }
}
