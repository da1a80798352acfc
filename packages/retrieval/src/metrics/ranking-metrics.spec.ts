import { describe, expect, it } from '@jest/globals';
import { averagePrecision, hitAt, ndcgAt, recallAt, reciprocalRank } from './ranking-metrics.js';

const gains = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
  ['d', -1],
]);
const close = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThan(1e-12);

describe('ranking metrics', () => {
  it('compute nDCG', () => {
    // DCG: 1/log2(2) + 3/log2(4) = 2.5; ideal: 3/log2(2) + 1/log2(3)
    close(ndcgAt(10, ['b', 'c', 'a'], gains), 2.5 / (3 + 1 / Math.log2(3)));
    close(ndcgAt(1, ['b', 'a'], gains), 1 / 3);
    close(ndcgAt(2, ['a', 'b'], gains), 1);
  });

  it('compute average precision', () => {
    close(averagePrecision(['c', 'a', 'x', 'b'], gains), (1 / 2 + 2 / 4) / 2);
    close(averagePrecision(['a'], gains), 1 / 2);
  });

  it('compute recall, hits and reciprocal rank', () => {
    close(recallAt(2, ['x', 'a', 'b'], gains), 1 / 2);
    close(recallAt(3, ['x', 'a', 'b'], gains), 1);
    expect(hitAt(1, ['x', 'a'], gains)).toBe(0);
    expect(hitAt(2, ['x', 'a'], gains)).toBe(1);
    close(reciprocalRank(['x', 'd', 'b'], gains), 1 / 3);
  });

  it('count a repeated id once', () => {
    close(averagePrecision(['a', 'a', 'b'], gains), 1);
    close(ndcgAt(2, ['a', 'a', 'b'], gains), 1);
  });

  it('are 0 if no id is relevant or the ranking is empty', () => {
    const none = new Map([['c', 0]]);
    for (const measured of [
      ndcgAt(10, ['c'], none),
      averagePrecision(['c'], none),
      recallAt(10, ['c'], none),
      hitAt(10, ['c'], none),
      reciprocalRank(['c'], none),
      ndcgAt(10, [], gains),
      averagePrecision([], gains),
      reciprocalRank([], gains),
    ]) {
      expect(measured).toBe(0);
    }
  });
});
