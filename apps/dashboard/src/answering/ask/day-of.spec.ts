import { expect, it } from '@jest/globals';
import { dayOf } from './day-of.js';

const at = (...parts: [number, number, number, number, number]) => new Date(...parts);

it.each([
  [at(2026, 2, 2, 0, 0), at(2026, 2, 2, 23, 59), 'today'],
  [at(2026, 2, 1, 23, 59), at(2026, 2, 2, 0, 0), 'yesterday'],
  [at(2026, 2, 1, 0, 0), at(2026, 2, 2, 12, 0), 'yesterday'],
  [at(2026, 1, 28, 23, 59), at(2026, 2, 2, 12, 0), 'earlier'],
  [at(2025, 11, 31, 23, 0), at(2026, 0, 1, 1, 0), 'yesterday'],
  // A clock that is ahead.
  [at(2026, 2, 3, 0, 5), at(2026, 2, 2, 23, 59), 'today'],
  // Days on which clocks change.
  [at(2026, 2, 29, 1, 0), at(2026, 2, 30, 12, 0), 'yesterday'],
  [at(2026, 9, 24, 23, 0), at(2026, 9, 26, 0, 30), 'earlier'],
])('%s is, at %s, %s', (instant, now, day) => {
  expect(dayOf(instant.toISOString(), now)).toBe(day);
});
