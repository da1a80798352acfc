import { describe, expect, it } from '@jest/globals';
import { reciprocalRankFusion } from './reciprocal-rank-fusion.js';

const key = (item: string): string => item;

describe('reciprocalRankFusion', () => {
  it('adds reciprocal ranks', () => {
    const fused = reciprocalRankFusion(
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      { key },
    );
    expect(fused).toEqual([
      { item: 'b', score: 1 / 62 + 1 / 61 },
      { item: 'a', score: 1 / 61 },
      { item: 'c', score: 1 / 62 },
    ]);
  });

  it('applies weights and k', () => {
    const fused = reciprocalRankFusion([['a'], ['b']], { key, k: 0, weights: [1, 3] });
    expect(fused).toEqual([
      { item: 'b', score: 3 },
      { item: 'a', score: 1 },
    ]);
  });

  it('counts an item once per list, and keeps the order of ties', () => {
    const fused = reciprocalRankFusion(
      [
        ['a', 'a', 'b'],
        ['c', 'd'],
      ],
      { key },
    );
    expect(fused.map(({ item }) => item)).toEqual(['a', 'c', 'b', 'd']);
  });

  it('returns nothing for no lists', () => expect(reciprocalRankFusion<string>([], { key })).toEqual([]));

  it('rejects missing and invalid weights', () => {
    expect(() => reciprocalRankFusion([['a']], { key, weights: [] })).toThrow(RangeError);
    expect(() => reciprocalRankFusion([['a']], { key, weights: [NaN] })).toThrow(RangeError);
    expect(() => reciprocalRankFusion([['a']], { key, weights: [-1] })).toThrow(RangeError);
  });
});
