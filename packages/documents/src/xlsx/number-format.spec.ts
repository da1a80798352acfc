import { describe, expect, it } from '@jest/globals';
import { numberFormat } from './number-format.js';

const SHOWN: readonly (readonly [code: string, value: number, shown: string])[] = [
  ['0', 41.5, '42'],
  ['0.00', 3, '3.00'],
  ['0.0##', 1.25, '1.25'],
  ['#,##0', 1234567.4, '1,234,567'],
  ['#,##0.00_);(#,##0.00)', -1234.5, '(1,234.50)'],
  ['0%', 0.07, '7%'],
  ['0.0%', 0.0725, '7.3%'],
  ['"$"#,##0.00', 12, '$12.00'],
  ['#,##0.00\\ [$€-407]', 1234.5, '1,234.50 €'],
  ['0.0,"k"', 12_345, '12.3k'],
  ['0;-0;"none"', 0, 'none'],
  ['0.00', -1.5, '-1.50'],
];

describe('numberFormat', () => {
  for (const [code, value, shown] of SHOWN) {
    it(`formats ${value} with ${code}`, () => expect(numberFormat(code)?.(value)).toBe(shown));
  }

  it('returns null for codes other than plain numbers', () => {
    for (const code of ['# ?/?', '0.00E+00', '[>100]0', '000-0000', '@'])
      expect(numberFormat(code)).toBeNull();
  });
});
