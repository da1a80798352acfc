import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until `poll` resolves to something other than null. Errors of `poll` count as null.
 *
 * @param description what is waited for, for the error message
 * @throws Error after `limitMs`, with the last error of `poll` as its cause
 */
export async function waitUntil<Result>(
  description: string,
  poll: () => Promise<Result | null>,
  { limitMs = 60_000, everyMs = 50 }: { limitMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    let cause: unknown;
    try {
      const result = await poll();
      if (result !== null) return result;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`${description}: not after ${limitMs} ms`, { cause });
    await sleep(everyMs);
  }
}
