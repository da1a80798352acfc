import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeDocumentTerms, murmur3, termId } from './sparse-encoder.js';

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

/** Published test vectors of MurmurHash3_x86_32. */
const TEXTS: readonly [text: string, seed: number, hash: number][] = [
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['', 0xffffffff, 0x81f16f39],
  ['\0', 0, 0x514e28b7],
  ['\0\0', 0, 0x30f4c306],
  ['\0\0\0', 0, 0x85f0b427],
  ['\0\0\0\0', 0, 0x2362f9de],
  ['a', 0x9747b28c, 0x7fa09ea6],
  ['aa', 0x9747b28c, 0x5d211726],
  ['aaa', 0x9747b28c, 0x283e0130],
  ['aaaa', 0x9747b28c, 0x5a97808a],
  ['abcd', 0x9747b28c, 0xf0478627],
  ['Hello, world!', 0x9747b28c, 0x24884cba],
  ['ππππππππ', 0x9747b28c, 0xd58063c1],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
];
const BYTES: readonly [bytes: number[], seed: number, hash: number][] = [
  [[0xff, 0xff, 0xff, 0xff], 0, 0x76293b50],
  [[0x21, 0x43, 0x65, 0x87], 0, 0xf55b516b],
  [[0x21, 0x43, 0x65, 0x87], 0x5082edee, 0x2362f9de],
  [[0x21, 0x43, 0x65], 0, 0x7e4a8634],
  [[0x21, 0x43], 0, 0xa0f7b07a],
  [[0x21], 0, 0x72661cf4],
];

describe('murmur3', () => {
  it('matches the published test vectors', () => {
    for (const [text, seed, hash] of TEXTS)
      expect([text, murmur3(new TextEncoder().encode(text), seed)]).toEqual([text, hash]);
    for (const [bytes, seed, hash] of BYTES) expect(murmur3(Uint8Array.from(bytes), seed)).toBe(hash);
  });
});
