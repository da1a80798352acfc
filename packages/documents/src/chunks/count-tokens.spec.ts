import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens } from './count-tokens.js';

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        ' ',
        '   ',
        '\n',
        '\r\n\n',
        '\t',
        "don't",
        "I'LL",
        'HTMLElement',
        '12345',
        '...',
        '<|endoftext|>',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('countTokens', () => {
  it('counts the tokens of the encoding, also when the result is cached', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const expected = countByLibrary(text, { disallowedSpecial: new Set() });
        expect(countTokens(text)).toBe(expected);
        expect(countTokens(text)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('encodes at most 2,000 characters at a time, so that time is linear in the text', () => {
    const encode = jest.spyOn(TextEncoder.prototype, 'encode');
    expect(countTokens('abcdefghijklmnopq'.repeat(12_000))).toBeGreaterThan(10_000);
    const lengths = encode.mock.calls.map(([text = '']) => text.length);
    encode.mockRestore();
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000);
  });
});
