import { describe, expect, it } from '@jest/globals';
import { canonicalText } from './canonical-text.js';

describe('canonicalText', () => {
  it.each([
    ['a\r\nb\rc\u2028d\u0085e\ff', 'a\nb\nc\nd\ne\nf'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['a\0b\bc\x1bd\x1fe\x7ff\x9fg', 'abcdefg'],
    ['\ud83d\ude00 \ud83d', '\ud83d\ude00 \ufffd'],
    ['soft\u00adhyphen, \u200bzero width', 'soft\u00adhyphen, \u200bzero width'],
  ])('%j is %j', (text, canonical) => {
    expect(canonicalText(text)).toBe(canonical);
  });
});
