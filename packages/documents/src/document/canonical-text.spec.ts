import { describe, expect, it } from '@jest/globals';
import { canonicalText, singleLine } from './canonical-text.js';

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

describe('texts longer than a piece', () => {
  const long = (middle: string): string => `${'x'.repeat(1024 * 1024 - 3)}${middle}${'y'.repeat(10)}`;

  it.each([
    'a\r\n\r\nb',
    '\ud83d\ude00\ud83d\ude00',
    '  \u0085 \n\t ',
    'abc\0\u2028d',
    '\ud83d a',
    '\n\n\n\n\n\n',
  ])('are read as short ones: %j', (middle) => {
    for (let shift = 0; shift < 6; shift += 1) {
      const text = long(`${'z'.repeat(shift)}${middle}`);
      const expected = text
        .toWellFormed()
        .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
        .replace(/\0/g, '');
      expect(canonicalText(text) === expected).toBe(true);
      expect(singleLine(text) === expected.replace(/\s+/g, ' ').trim()).toBe(true);
    }
  });
});
