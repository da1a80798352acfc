import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rankCandidates, searchedLegs } from './score-fusion.js';

const leg = (scores: Record<string, number>) =>
  Object.entries(scores).map(([key, score]) => ({ key, score }));

describe('rankCandidates', () => {
  it('adds the scaled scores of both legs by weight, and keeps the score of each leg', () => {
    const legs = { lexical: leg({ a: 8, b: 6, c: 1 }), dense: leg({ b: 0.8, d: 0.6 }) };
    expect(rankCandidates(legs, { limit: 3, denseWeight: 0.75 })).toEqual([
      { key: 'b', score: 0.75 + 0.25 * 0.75, scoring: 'fused', legs: { lexical: 6, dense: 0.8 } },
      { key: 'a', score: 0.25, scoring: 'fused', legs: { lexical: 8 } },
      { key: 'c', score: 0.25 * 0.125, scoring: 'fused', legs: { lexical: 1 } },
    ]);
  });

  it.each([
    ['a single candidate has 1', { a: 0.2 }, { a: 1 }],
    ['equal candidates have 1', { a: 3, b: 3 }, { a: 1, b: 1 }],
    ['negative cosines are scaled like others', { a: 0.5, b: -0.25, c: -0.5 }, { a: 1, b: 0.25, c: 0 }],
    ['no candidates', {}, {}],
  ] as const)('%s', (_, scores, scaled) => {
    const ranked = rankCandidates({ lexical: [], dense: leg(scores) }, { limit: 10, denseWeight: 1 });
    expect(Object.fromEntries(ranked.map(({ key, score }) => [key, score]))).toEqual(scaled);
  });

  it('returns descending scores in 0..1', () => {
    const scores = fc
      .uniqueArray(fc.tuple(fc.nat(20).map(String), fc.double({ min: 0, max: 50, noNaN: true })), {
        selector: ([key]) => key,
      })
      .map((entries) => leg(Object.fromEntries(entries)).sort((a, b) => b.score - a.score));
    fc.assert(
      fc.property(
        scores,
        scores,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lexical, dense, denseWeight) => {
          const fused = rankCandidates({ lexical, dense }, { limit: 100, denseWeight }).map(
            ({ score }) => score,
          );
          expect(fused).toEqual(fused.toSorted((a, b) => b - a));
          for (const score of fused) expect([score, score >= 0 && score <= 1]).toEqual([score, true]);
        },
      ),
    );
  });

  it('returns the best candidates of a single leg with their scores', () => {
    expect(rankCandidates({ lexical: leg({ a: 9, b: 6 }) }, { limit: 1 })).toEqual([
      { key: 'a', score: 9, scoring: 'lexical', legs: { lexical: 9 } },
    ]);
    expect(rankCandidates({ dense: leg({ a: 0.5 }) }, { limit: 1 })).toEqual([
      { key: 'a', score: 0.5, scoring: 'dense', legs: { dense: 0.5 } },
    ]);
    expect(rankCandidates({}, { limit: 1 })).toEqual([]);
  });
});

describe('searchedLegs', () => {
  it('omits a leg without terms, and one whose vector is zero', () => {
    const lexical = { indices: [7], values: [1] };
    const dense = Float32Array.of(0, 1);
    expect(searchedLegs({ lexical, dense, limit: 1 })).toEqual({ lexical, dense });
    expect(
      searchedLegs({ lexical: { indices: [], values: [] }, dense: new Float32Array(2), limit: 1 }),
    ).toEqual({});
  });
});
