import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
  it('counts as the encoding does, also the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const expected = countByLibrary(text, { disallowedSpecial: new Set() });
        assert.equal(countTokens(text), expected);
        assert.equal(countTokens(text), expected);
      }),
      { numRuns: 500 },
    );
  });

  it('counts any text in linear time', () => {
    const started = performance.now();
    assert.ok(countTokens('a'.repeat(200_000)) > 10_000);
    assert.ok(performance.now() - started < 5000);
  });
});
