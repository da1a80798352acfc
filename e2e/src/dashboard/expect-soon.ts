import { setTimeout as wait } from 'node:timers/promises';

import { expect } from '@jest/globals';

const LIMIT_MS = 10_000;
const PAUSE_MS = 50;

/**
 * Reads a page until the value equals `expected`, which may be an asymmetric matcher. An action on a page
 * resolves before the page shows its result, so one read after an action is a race. After 10 s the difference
 * is the error.
 */
export async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await read();
    try {
      expect(value).toEqual(expected);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await wait(PAUSE_MS);
  }
}
