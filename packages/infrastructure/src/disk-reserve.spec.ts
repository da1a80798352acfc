import { describe, expect, it } from '@jest/globals';
import { reserveStateOf } from './disk-reserve.js';

describe('reserveStateOf', () => {
  it.each([
    ['held', 100, 1_000, false, 'ok'],
    ['held, with a quarter of its size free', 100, 25, false, 'ok'],
    ['held, with less than that', 100, 24, false, 'low'],
    ['held, on a disk that was full a moment ago', 100, 99, true, 'low'],
    ['held, with its size free again', 100, 100, true, 'ok'],
    ['in part released, on a full disk', 88, 0, true, 'low'],
    ['in part released, with its size free', 88, 100, true, 'low'],
    ['in part released, with room', 88, 200, true, 'restore'],
    ['absent, at the first start', 0, 10_000, false, 'restore'],
    ['absent, on a full disk', 0, 0, false, 'low'],
  ] as const)('of a reserve of 100 that is %s', (_, heldBytes, freeBytes, wasLow, state) => {
    expect(reserveStateOf({ heldBytes, freeBytes, wasLow }, 100)).toBe(state);
  });
});
