import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is something else than null.
 *
 * @param what for the error's text
 * @throws Error when `limitMs` is over; what the last question threw is its cause
 */
export async function waitUntil<Answer>(
  what: string,
  ask: () => Promise<Answer | null>,
  { limitMs = 60_000, everyMs = 50 }: { limitMs?: number; everyMs?: number } = {},
): Promise<Answer> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== null) return answer;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`${what}: not after ${limitMs} ms`, { cause });
    await sleep(everyMs);
  }
}
