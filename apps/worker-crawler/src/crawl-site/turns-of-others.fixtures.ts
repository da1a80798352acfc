import { mock } from 'node:test';

/** How often others have a turn of the event loop during some work whose every step takes 10 ms. */
export async function turnsOfOthersDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let others = setImmediate(function next() {
    turns += 1;
    others = setImmediate(next);
  });
  let nowMs = 0;
  const clock = mock.method(performance, 'now', () => (nowMs += 10));
  try {
    await work();
  } finally {
    clock.mock.restore();
    clearImmediate(others);
  }
  return turns;
}
