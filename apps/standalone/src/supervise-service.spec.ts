import { expect, it } from '@jest/globals';
import { RestartPause } from './supervise-service.js';

it('doubles the pause up to the longest, until a process has worked for a minute', () => {
  const pause = new RestartPause({ firstMs: 100, longestMs: 1_000 });
  const afterSeconds = (seconds: number): number => pause.next(performance.now() - seconds * 1_000);
  expect([0, 5, 59, 1, 1, 61, 0].map(afterSeconds)).toEqual([200, 400, 800, 1_000, 1_000, 100, 200]);
});
