import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseScore, normaliseScores } from './normalise-score.js';

const kind = fc.constantFrom('lexical', 'dense', 'fused');

describe('normaliseScore', () => {
  it('scales a score by the maximum that is possible', () => {
    expect(normaliseScore('lexical', 10)).toBe(0.5);
    expect(normaliseScore('dense', 0.8)).toBe(0.8);
    expect(normaliseScore('dense', -0.3)).toBe(0);
    expect(normaliseScore('fused', 2 / 61)).toBe(1);
    expect(normaliseScore('fused', 0.5, 2)).toBe(0.25);
    expect(normaliseScore('lexical', NaN)).toBe(0);
    expect(normaliseScore('lexical', Infinity)).toBe(1);
  });

  it('returns 0..1, monotone in the raw score', () => {
    fc.assert(
      fc.property(
        kind,
        fc.double(),
        fc.double({ noNaN: true }),
        fc.double({ noNaN: true }),
        (scoreKind, raw, a, b) => {
          const score = normaliseScore(scoreKind, raw);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(normaliseScore(scoreKind, Math.min(a, b))).toBeLessThanOrEqual(
            normaliseScore(scoreKind, Math.max(a, b)),
          );
        },
      ),
    );
  });
});

describe('normaliseScores', () => {
  it('returns descending scores', () => {
    expect(normaliseScores('dense', [0.5, 0.9, 0.2])).toEqual([0.5, 0.5, 0.2]);
    fc.assert(
      fc.property(kind, fc.array(fc.double()), (scoreKind, raws) => {
        const scores = normaliseScores(scoreKind, raws);
        expect(scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 1))).toBe(true);
      }),
    );
  });
});
