import { describe, expect, it } from '@jest/globals';
import { murmur3 } from './murmur3.js';

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
