import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PdfReference, readValue } from './pdf-values.js';

const read = (source: string): ReturnType<typeof readValue> => {
  const bytes = Buffer.from(source, 'latin1');
  return readValue(bytes, 0, bytes.length);
};

describe('readValue', () => {
  const cases: readonly (readonly [what: string, source: string, value: unknown])[] = [
    ['numbers', '[0 12 -3.5 .25 4.]', [0, 12, -3.5, 0.25, 4]],
    ['names, with escapes', '[/Link/A#20B /]', ['/Link', '/A B', '/']],
    ['references', '[12 0 R 7 0 R]', [new PdfReference(12), new PdfReference(7)]],
    ['keywords as null', '[true false null]', [null, null, null]],
    [
      'dictionaries, however they are spaced',
      '<</Rect[1 2]/A<< /S/URI>>>>',
      new Map<string, unknown>([
        ['/Rect', [1, 2]],
        ['/A', new Map([['/S', '/URI']])],
      ]),
    ],
    ['no comments', '[1 % ] 2\n3]', [1, 3]],
    ['strings with balanced parentheses', '(a (b) c)', Buffer.from('a (b) c')],
    ['strings with escapes', '(\\(\\\\ \\101\\7z\\\nend\\q)', Buffer.from('(\\ A\u0007zendq')],
    ['hexadecimal strings, with an odd number of digits', '<68 74 7>', Buffer.from('htp')],
    ['truncated values as far as possible', '[1 << /A (b', [1, new Map([['/A', Buffer.from('b')]])]],
    ['invalid references as null', '[R /A R]', [null]],
    ['nothing at the end of a container', ']', undefined],
  ];
  for (const [what, source, value] of cases) {
    it(`reads ${what}`, () => expect(read(source)).toEqual(value));
  }

  it('stops at the given end', () => {
    expect(readValue(Buffer.from('[1 2 3]'), 0, 5)).toEqual([1, 2]);
  });

  it('accepts any bytes', () => {
    const syntax = fc.constantFrom(
      '[',
      ']',
      '<<',
      '>>',
      '<',
      '>',
      '(',
      ')',
      '\\',
      '/',
      '%',
      ' ',
      '\n',
      'R',
      '12',
      '{',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(syntax, fc.string({ unit: 'binary', maxLength: 3 }))), (pieces) => {
        read(pieces.join(''));
      }),
    );
  });

  it('accepts deeply nested and very long values', () => {
    for (const piece of ['[', '<<', '(', '<</A', '[[] ', '1 ', 'R ', '<< /A [ '])
      read(piece.repeat(1_000_000));
  });
});
