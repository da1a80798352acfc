import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameStreamFilter } from './frame-stream.filter.js';

const LINES = ['From: guide.md › Fees', 'Question: What does it cost?'];

function filtered(pieces: readonly string[]): string {
  const filter = new FrameStreamFilter(LINES);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

const CASES: readonly (readonly [name: string, answer: string, text: string])[] = [
  [
    'a repeated passage',
    '[1]\n<passage>\nFrom: guide.md › Fees\nTen euro.\n</passage>\nSo ten.',
    '[1]\nTen euro.\nSo ten.',
  ],
  ['a tag within a line', 'It is <passage>ten</passage> euro.', 'It is ten euro.'],
  ['tags in other spellings', '< Passage >\nTen.\n</ passage>', 'Ten.\n'],
  ['a label alone', 'From: guide.md › Fees\nTen euro.', 'Ten euro.'],
  ['the line of the question at the end', 'Ten euro.\nQuestion: What does it cost?', 'Ten euro.\n'],
  ['a changed label below a tag', '<passage>\nFrom: guide › Prices\nTen euro.', 'Ten euro.'],
  ['no sentence below a tag', '<passage>\nFresh.\nFrom: here.', 'Fresh.\nFrom: here.'],
  ['no sentence about a document', 'From: guide.md we know the fee.', 'From: guide.md we know the fee.'],
  ['no other lines', 'From: Berlin to Rome\nQuestion: which?', 'From: Berlin to Rome\nQuestion: which?'],
  ['no other tags', '<passages> a < b <pass>', '<passages> a < b <pass>'],
  ['no blank lines', 'One.\n\nTwo.\n', 'One.\n\nTwo.\n'],
];

describe('FrameStreamFilter', () => {
  it.each(CASES)('removes %s', (_, answer, text) => {
    expect(filtered([answer])).toBe(text);
    expect(filtered([...answer])).toBe(text);
  });

  it('returns the same text however the answer is split', () => {
    const part = fc.constantFrom(
      '<',
      '/',
      'passage',
      '>',
      ' ',
      '\n',
      'From: guide.md',
      ' › Fees',
      'x',
      '<pass',
      'age>',
      '[1]',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(60)), (parts, cuts) => {
        const answer = parts.join('');
        const bounds = [0, ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b), answer.length];
        const pieces = bounds.slice(1).map((end, n) => answer.slice(bounds[n], end));
        expect(filtered(pieces)).toBe(filtered([answer]));
      }),
    );
  });
});
