import { setImmediate } from 'node:timers/promises';

const WORK_MS = 10;

/**
 * The same items, for work that others in this process must not wait for: they have a turn of the event loop whenever it
 * has gone on for 10 ms. A `for await` alone gives them none, as long as nothing in it really waits.
 *
 * @throws the signal's reason, after a break
 */
export async function* withBreaks<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item> {
  let sinceMs = performance.now();
  for await (const item of items) {
    if (performance.now() - sinceMs >= WORK_MS) {
      await setImmediate();
      signal?.throwIfAborted();
      sinceMs = performance.now();
    }
    yield item;
  }
}
