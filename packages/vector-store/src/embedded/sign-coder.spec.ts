import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hammingDistance, nearestPrefix, PREFIX_WORDS, SignCoder } from './sign-coder.js';

describe('hammingDistance', () => {
  it('counts the bits that differ', () => {
    const words = fc.array(fc.tuple(fc.integer(), fc.integer(), fc.integer(), fc.integer()), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, fc.nat(3), (rows, offset) => {
        const query = Int32Array.from(rows.flatMap(([a, b]) => [a, b]));
        const code = Int32Array.from(rows.flatMap(([, , c, d]) => [c, d]));
        const codes = new Int32Array(offset + code.length);
        codes.set(code, offset);
        const bits = query.reduce((sum, word, i) => sum + popcount(word ^ code[i]!), 0);
        expect(hammingDistance(codes, offset, query)).toBe(bits);
      }),
    );
  });
});

describe('nearestPrefix', () => {
  it('is the smallest distance of the first words of the codes in a range', () => {
    const words = PREFIX_WORDS + 2;
    const code = fc.array(fc.oneof(fc.integer(), fc.constantFrom(0, -1)), {
      minLength: words,
      maxLength: words,
    });
    fc.assert(
      fc.property(code, fc.array(code, { maxLength: 5 }), fc.nat(2), (query, rows, skipped) => {
        const codes = Int32Array.from(rows.flat());
        const prefix = Int32Array.from(query.slice(0, PREFIX_WORDS));
        const distances = rows.map((_, row) => hammingDistance(codes, row * words, prefix));
        expect(nearestPrefix(codes, skipped * words, codes.length, words, Int32Array.from(query))).toBe(
          Math.min(PREFIX_WORDS * 32, ...distances.slice(skipped)),
        );
      }),
    );
  });
});

describe('SignCoder', () => {
  it('gives near vectors similar codes and opposite vectors different ones', () => {
    const coder = new SignCoder(new Float32Array(100));
    const vector = new Float32Array(100).map((_, i) => Math.sin(i * i));
    const [code, near, far] = [vector, vector.map((x, i) => x + (i % 2) / 10), vector.map((x) => -x)].map(
      (v) => {
        const words = new Int32Array(coder.words);
        coder.encode(v, words, 0);
        return words;
      },
    );
    expect(hammingDistance(near!, 0, code!)).toBeLessThan(60);
    expect(hammingDistance(far!, 0, code!)).toBeGreaterThan(480);
  });
});

it('gives both halves of a padded vector bits of their own', () => {
  const coder = new SignCoder(new Float32Array(256));
  const code = new Int32Array(coder.words);
  coder.encode(
    new Float32Array(256).map((_, i) => Math.sin(i * i)),
    code,
    0,
  );
  const half = coder.words / 2;
  const distance = hammingDistance(code, half, code.subarray(0, half));
  expect(Math.abs(distance - 128)).toBeLessThan(40);
});

function popcount(word: number): number {
  return (word >>> 0).toString(2).replaceAll('0', '').length;
}
