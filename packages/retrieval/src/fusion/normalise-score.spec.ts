import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normaliseScore, normaliseScores } from './normalise-score.js';

const kind = fc.constantFrom('lexical', 'dense', 'fused');

describe('normaliseScore', () => {
  it('scales a score by the maximum that is possible', () => {
    assert.equal(normaliseScore('lexical', 10), 0.5);
    assert.equal(normaliseScore('dense', 0.8), 0.8);
    assert.equal(normaliseScore('dense', -0.3), 0);
    assert.equal(normaliseScore('fused', 2 / 61), 1);
    assert.equal(normaliseScore('fused', 0.5, 2), 0.25);
    assert.equal(normaliseScore('lexical', NaN), 0);
    assert.equal(normaliseScore('lexical', Infinity), 1);
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
          assert.ok(score >= 0 && score <= 1);
          assert.ok(normaliseScore(scoreKind, Math.min(a, b)) <= normaliseScore(scoreKind, Math.max(a, b)));
        },
      ),
    );
  });
});

describe('normaliseScores', () => {
  it('returns descending scores', () => {
    assert.deepEqual(normaliseScores('dense', [0.5, 0.9, 0.2]), [0.5, 0.5, 0.2]);
    fc.assert(
      fc.property(kind, fc.array(fc.double()), (scoreKind, raws) => {
        const scores = normaliseScores(scoreKind, raws);
        assert.ok(scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 1)));
      }),
    );
  });
});
