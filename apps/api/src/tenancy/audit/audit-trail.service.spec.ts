import { expect, it } from '@jest/globals';
import { RefusalLimit } from './audit-trail.service.js';

const HOUR = 3_600_000;

it('lets 20 of an hour through, and tells how many it has omitted', () => {
  let now = 0;
  const limit = new RefusalLimit(() => now);
  const taken = Array.from({ length: 25 }, () => limit.take('a'));
  expect(taken).toEqual([...Array<number>(20).fill(0), ...Array<null>(5).fill(null)]);
  expect(limit.take('b')).toBe(0);
  now = HOUR;
  expect([limit.take('a'), limit.take('a')]).toEqual([5, 0]);
});

it('does not grow without end', () => {
  const limit = new RefusalLimit(() => 0);
  for (let key = 0; key < 10_001; key += 1) limit.take(String(key));
  // The oldest key was forgotten, and begins again.
  expect(limit.take('0')).toBe(0);
});
