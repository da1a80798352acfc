import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hammingDistance, SignCoder } from './sign-coder.js';

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

function popcount(word: number): number {
  return (word >>> 0).toString(2).replaceAll('0', '').length;
}
