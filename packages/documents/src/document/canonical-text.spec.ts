import { describe, expect, it } from '@jest/globals';
import { canonicalText, singleLine } from './canonical-text.js';

describe('canonicalText', () => {
  it.each([
    ['a\r\nb\rc\u2028d\u0085e\ff', 'a\nb\nc\nd\ne\nf'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['a\0bc\x1fe\x7ff\x9fg', 'abcefg'],
    ['\x1b[1;31mERR\x1b[0mOR\x1b[K ok\x1b(B\x1b[m', 'ERROR ok'],
    // Codes of printers, and a quotation mark in the wrong encoding.
    ['\x1bPInvoice 95 EUR\nnext \x9b2005 EUR', 'Invoice 95 EUR\nnext 2005 EUR'],
    ['\x1b]8;;https://a.example/x\x1b\\link\x1b]8;;\x07 \x1b]0;title\x07', 'link '],
    ['a\x1b[10Cb\x1b[2;5Hc\x1b(0lqqk\x1b(Bd', 'a b\ncd'],
    ['N\bNA\bA _\bx_\by z\b_ B\bB\bB\bB', 'NA xy z B'],
    ['12%\b\b\b34%', '34%'],
    ['\ud83d\ude00 \ud83d', '\ud83d\ude00 \ufffd'],
    // Kangxi radicals, supplementary radicals with and without an ideograph of the same name, compatibility ideographs.
    [
      '\u2f2f\u4e8b \u2ed1\u2e9f \u2e80\u2e89 \uf9e4\ufad9',
      '\u5de5\u4e8b \u9577\u6bcd \u2e80\u5202 \u7406\u{9f8e}',
    ],
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
