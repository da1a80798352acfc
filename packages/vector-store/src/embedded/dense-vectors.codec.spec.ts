import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeDense, encodeDense, highestDotProduct, toFloats } from './dense-vectors.codec.js';
import { toUnitLength } from './index-search.js';

const DIMENSIONS = 7;
const vector = fc
  .array(fc.float({ min: -100, max: 100, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((values) => Float32Array.from(values));
const lengthOf = (values: Float32Array): number => Math.hypot(...values);
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('stored dense vectors', () => {
  it('have length 1 and nearly the direction of the original ones', () => {
    fc.assert(
      fc.property(fc.array(vector, { maxLength: 5 }), fc.nat(3), (vectors, offset) => {
        const stored = encodeDense(vectors, DIMENSIONS);
        expect(stored.byteLength).toBe(vectors.length * (4 + DIMENSIONS));
        // The database returns bytes at any offset of a buffer.
        const moved = new Uint8Array(offset + stored.length).subarray(offset);
        moved.set(stored);
        const decoded = toFloats(decodeDense(moved, DIMENSIONS), DIMENSIONS);
        expect(decoded).toHaveLength(vectors.length);
        vectors.forEach((original, i) => {
          if (lengthOf(original) === 0) return expect(lengthOf(decoded[i]!)).toBe(0);
          expect(lengthOf(decoded[i]!)).toBeCloseTo(1, 5);
          return expect(dot(decoded[i]!, toUnitLength(original))).toBeGreaterThan(0.9995);
        });
      }),
    );
  });

  it('stay the same when they are copied', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 3 }), (vectors) => {
        const stored = encodeDense(vectors, DIMENSIONS);
        const copy = encodeDense(toFloats(decodeDense(stored, DIMENSIONS), DIMENSIONS), DIMENSIONS);
        expect(copy).toEqual(stored);
      }),
    );
  });

  it('give the cosine of the best row in a range', () => {
    const rows = [
      [0, 9],
      [3, 4],
      [5, 0],
    ].map((values) => Float32Array.from(values));
    const vectors = decodeDense(encodeDense(rows, 2), 2);
    const query = Float32Array.of(1, 0);
    expect(highestDotProduct(vectors, 0, 1, query)).toBe(0);
    expect(highestDotProduct(vectors, 0, 2, query)).toBeCloseTo(0.6, 2);
    expect(highestDotProduct(vectors, 0, 3, query)).toBeCloseTo(1, 6);
    expect(highestDotProduct(vectors, 1, 1, query)).toBe(-Infinity);
  });
});
