import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AbstentionFilter, abstentionInstruction } from './abstention-marker.js';

function read(pieces: readonly string[]): { text: string; mark: string } {
  const filter = new AbstentionFilter();
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
  return { text, mark: filter.mark };
}

describe('AbstentionFilter', () => {
  it.each([
    ['NOT_IN_PASSAGES', '', 'start'],
    [' NOT_IN_PASSAGES.\n', ' ', 'start'],
    ['**NOT_IN_PASSAGES**', '', 'start'],
    ['[NOT_IN_PASSAGES]', '', 'start'],
    ['`NOT_IN_PASSAGES`', '', 'start'],
    ['NOT\\_IN\\_PASSAGES', '', 'start'],
    ['NOT IN PASSAGES', '', 'start'],
    ['not_in_passages', '', 'start'],
    ['"NOT_IN_PASSAGES" Please call us.', 'Please call us.', 'start'],
    ['I do not know. NOT_IN_PASSAGES', 'I do not know. ', 'later'],
    ['Two years [1]. (NOT_IN_PASSAGES) More.', 'Two years [1].  More.', 'later'],
    ['This is not in passages 1 and 2.', 'This is not in passages 1 and 2.', 'none'],
    ['NOT IN the passages, NOTE', 'NOT IN the passages, NOTE', 'none'],
    ['ends with NOT_IN_PASS', 'ends with NOT_IN_PASS', 'none'],
    ['ends with [', 'ends with [', 'none'],
  ])('%j', (answer, text, mark) => {
    expect(read([answer])).toEqual({ text, mark });
    expect(read([...answer])).toEqual({ text, mark });
  });

  it('holds back only what may be the mark', () => {
    const filter = new AbstentionFilter();
    expect(['Two ', 'N', 'ews', ' NOT_IN', ' time'].map((piece) => filter.push(piece))).toEqual([
      'Two ',
      '',
      'News',
      ' ',
      'NOT_IN time',
    ]);
  });

  it('leaves the same text however it is split, and never the mark', () => {
    const part = fc.constantFrom(
      'NOT_IN_PASSAGES',
      'NOT',
      '_',
      'IN',
      'PASSAGES',
      '\\',
      '[',
      ']',
      '*',
      ' ',
      'a',
      '.',
      'not_in_passages',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const whole = read([parts.join('')]);
        expect(read(parts)).toEqual(whole);
        expect(read([...parts.join('')])).toEqual(whole);
        expect(whole.text).not.toContain('NOT_IN_PASSAGES');
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads the word of the instruction', () => {
    for (const isOwn of [true, false]) expect(read([abstentionInstruction(isOwn)]).mark).toBe('later');
  });
});
