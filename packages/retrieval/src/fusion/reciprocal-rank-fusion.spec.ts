import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { maximumFusedScore, reciprocalRankFusion } from './reciprocal-rank-fusion.js';

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
    assert.deepEqual(fused, [
      { item: 'b', score: 1 / 62 + 1 / 61 },
      { item: 'a', score: 1 / 61 },
      { item: 'c', score: 1 / 62 },
    ]);
  });

  it('applies weights and k', () => {
    const fused = reciprocalRankFusion([['a'], ['b']], { key, k: 0, weights: [1, 3] });
    assert.deepEqual(fused, [
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
    assert.deepEqual(
      fused.map(({ item }) => item),
      ['a', 'c', 'b', 'd'],
    );
  });

  it('returns nothing for no lists', () => assert.deepEqual(reciprocalRankFusion<string>([], { key }), []));

  it('rejects missing and invalid weights', () => {
    assert.throws(() => reciprocalRankFusion([['a']], { key, weights: [] }), RangeError);
    assert.throws(() => reciprocalRankFusion([['a']], { key, weights: [NaN] }), RangeError);
    assert.throws(() => reciprocalRankFusion([['a']], { key, weights: [-1] }), RangeError);
  });

  it('reaches maximumFusedScore for an item that is first in every list', () => {
    const [best] = reciprocalRankFusion([['a'], ['a']], { key, weights: [1, 0.5] });
    assert.equal(best?.score, maximumFusedScore([1, 0.5]));
  });
});
