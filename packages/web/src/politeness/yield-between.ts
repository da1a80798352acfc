import { setImmediate } from 'node:timers/promises';

const MAX_BLOCKING_MS = 10;

/**
 * Iterates over the same items and yields to the event loop every 10 ms. A plain `for await` blocks the
 * process as long as its source never waits for I/O.
 *
 * @throws the reason of `signal`, checked each time it has yielded
 */
export async function* yieldBetween<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item> {
  let startedAtMs = performance.now();
  for await (const item of items) {
    if (performance.now() - startedAtMs >= MAX_BLOCKING_MS) {
      await setImmediate();
      signal?.throwIfAborted();
      startedAtMs = performance.now();
    }
    yield item;
  }
}
