import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other caller has. The results of many searches may arrive in the same turn, and
 * scoring them all in it would block everything else.
 */
export async function eventLoopTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  await last;
}
