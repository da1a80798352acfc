import { describe, expect, it } from '@jest/globals';
import { fuseByReciprocalRank } from './reciprocal-rank-fusion.js';

describe('fuseByReciprocalRank', () => {
  it('sums 1 / (60 + rank) over the legs and keeps the score of each leg', () => {
    const legs = [
      [
        { key: 'a', score: 9 },
        { key: 'b', score: 8 },
      ],
      [
        { key: 'b', score: 0.5 },
        { key: 'c', score: 0.4 },
      ],
    ];
    expect(fuseByReciprocalRank(legs, 2)).toEqual([
      { key: 'b', score: 1 / 61 + 1 / 60, legScores: [8, 0.5] },
      { key: 'a', score: 1 / 60, legScores: [9, undefined] },
    ]);
  });
});
