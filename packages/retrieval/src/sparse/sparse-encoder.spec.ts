import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeDocumentTerms, encodeQueryTerms, termId } from './sparse-encoder.js';

function weightOf(vector: { indices: number[]; values: number[] }, term: string): number | undefined {
  return vector.values[vector.indices.indexOf(termId(term))];
}

describe('encodeDocumentTerms', () => {
  it('computes BM25 weights', () => {
    // tf 2, 3 terms: 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 3 / 112))
    const vector = encodeDocumentTerms('wing wing slipstream');
    assert.ok(Math.abs((weightOf(vector, 'wing') ?? 0) - 4.4 / (2 + 1.2 * (0.25 + 2.25 / 112))) < 1e-12);
    assert.ok((weightOf(vector, 'wing') ?? 0) > (weightOf(vector, 'slipstream') ?? 0));
  });

  it('treats the header like the text', () => {
    assert.deepEqual(encodeDocumentTerms('wing', 'Flow'), encodeDocumentTerms('Flow\nwing'));
  });

  it('gives a term a lower weight in a longer text', () => {
    const short = weightOf(encodeDocumentTerms('wing'), 'wing') ?? 0;
    assert.ok((weightOf(encodeDocumentTerms(`wing ${'flow '.repeat(500)}`), 'wing') ?? 0) < short);
  });

  it('returns strictly ascending uint32 ids and finite, positive weights', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, header) => {
        for (const { indices, values } of [encodeDocumentTerms(text, header), encodeQueryTerms(text)]) {
          assert.equal(indices.length, values.length);
          indices.forEach((id, i) => {
            assert.ok(
              Number.isInteger(id) && id >= 0 && id < 2 ** 32 && (i === 0 || id > (indices[i - 1] ?? 0)),
            );
          });
          assert.ok(values.every((value) => value > 0 && Number.isFinite(value)));
        }
      }),
    );
  });
});

describe('encodeQueryTerms', () => {
  it('weighs terms by their frequency', () => {
    const vector = encodeQueryTerms('wings of the wing in a flow');
    assert.equal(weightOf(vector, 'wing'), 2);
    assert.equal(weightOf(vector, 'flow'), 1);
    assert.equal(vector.indices.length, 2);
  });

  it('returns an empty vector for a question without terms', () =>
    assert.deepEqual(encodeQueryTerms('of the'), { indices: [], values: [] }));
});
