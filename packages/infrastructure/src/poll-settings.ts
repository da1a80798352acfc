import { setTimeout as sleep } from 'node:timers/promises';

/** A choice reaches every process within this time, and the time of a query. */
const POLL_MS = 2_000;

/** Follows the settings of models until the signal is aborted. @param follow reads them, and never rejects */
export async function pollSettings(follow: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) await follow();
  }
}
