import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeDocumentTerms, termId } from './sparse-encoder.js';

function weightOf(vector: { indices: number[]; values: number[] }, term: string): number | undefined {
  return vector.values[vector.indices.indexOf(termId(term))];
}

describe('encodeDocumentTerms', () => {
  it('computes BM25 weights', () => {
    // tf 2, 3 terms: 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 3 / 112))
    const vector = encodeDocumentTerms('wing wing slipstream');
    expect(Math.abs((weightOf(vector, 'wing') ?? 0) - 4.4 / (2 + 1.2 * (0.25 + 2.25 / 112)))).toBeLessThan(
      1e-12,
    );
    expect(weightOf(vector, 'wing') ?? 0).toBeGreaterThan(weightOf(vector, 'slipstream') ?? 0);
  });

  it('treats the header like the text', () => {
    expect(encodeDocumentTerms('wing', 'Flow')).toEqual(encodeDocumentTerms('Flow\nwing'));
  });

  it('gives a term a lower weight in a longer text', () => {
    const short = weightOf(encodeDocumentTerms('wing'), 'wing') ?? 0;
    expect(weightOf(encodeDocumentTerms(`wing ${'flow '.repeat(500)}`), 'wing') ?? 0).toBeLessThan(short);
  });

  it('returns strictly ascending uint32 ids and finite, positive weights', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, header) => {
        const { indices, values } = encodeDocumentTerms(text, header);
        expect(indices).toHaveLength(values.length);
        indices.forEach((id, i) => {
          expect(
            Number.isInteger(id) && id >= 0 && id < 2 ** 32 && (i === 0 || id > (indices[i - 1] ?? 0)),
          ).toBe(true);
        });
        expect(values.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
      }),
    );
  });
});
