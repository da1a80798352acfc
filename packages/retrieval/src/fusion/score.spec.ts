import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normaliseScore, normaliseScores } from './score.js';

const kind = fc.constantFrom('lexical', 'dense', 'fused');

describe('normaliseScore', () => {
  it('measures against what is possible', () => {
    assert.equal(normaliseScore('lexical', 10), 0.5);
    assert.equal(normaliseScore('dense', 0.8), 0.8);
    assert.equal(normaliseScore('dense', -0.3), 0);
    assert.equal(normaliseScore('fused', 2 / 61), 1);
    assert.equal(normaliseScore('fused', 0.5, 2), 0.25);
    assert.equal(normaliseScore('lexical', NaN), 0);
    assert.equal(normaliseScore('lexical', Infinity), 1);
  });

  it('stays in 0..1 and never falls as the raw score rises', () => {
    fc.assert(
      fc.property(
        kind,
        fc.double(),
        fc.double({ noNaN: true }),
        fc.double({ noNaN: true }),
        (each, any, a, b) => {
          const score = normaliseScore(each, any);
          assert.ok(score >= 0 && score <= 1);
          assert.ok(normaliseScore(each, Math.min(a, b)) <= normaliseScore(each, Math.max(a, b)));
        },
      ),
    );
  });
});

describe('normaliseScores', () => {
  it('never rises down a list', () => {
    assert.deepEqual(normaliseScores('dense', [0.5, 0.9, 0.2]), [0.5, 0.5, 0.2]);
    fc.assert(
      fc.property(kind, fc.array(fc.double()), (each, raws) => {
        const scores = normaliseScores(each, raws);
        assert.ok(scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 1)));
      }),
    );
  });
});
