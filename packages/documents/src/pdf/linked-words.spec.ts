import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertLinear, countSteps } from '../test-files/count-steps.js';
import type { PdfLink } from './page-links.js';
import { withAddresses } from './linked-words.js';
import type { TextRun } from './text-run.js';

const A = 'https://example.org/a';
const B = 'https://example.org/b';
const PITCH = 6;

/** A run in a monospaced font. */
const run = (text: string, { x = 0, y = 100, ...more }: Partial<TextRun> = {}): TextRun => ({
  text,
  x,
  y,
  width: text.length * PITCH,
  fontSize: 10,
  font: 'f1',
  isMonospaced: true,
  isRightToLeft: false,
  quarterTurns: 0,
  ...more,
});

/** A link over a range of characters of a run that begins at 0. */
const over = (from: number, to: number, address = A, y = 100): PdfLink => ({
  address,
  left: from * PITCH - 1,
  right: to * PITCH + 1,
  bottom: y - 3,
  top: y + 9,
});

const read = (runs: readonly TextRun[], ...links: readonly PdfLink[]): string[] =>
  withAddresses(runs, links).map(({ text, linkedText }) => linkedText ?? text);

describe('withAddresses', () => {
  it('adds an address after the linked words', () => {
    expect(read([run('Read the manual first.')], over(9, 15))).toEqual([`Read the manual (${A}) first.`]);
    expect(read([run('the '), run('manual', { x: 24 }), run('.', { x: 60 })], over(4, 10))).toEqual([
      'the ',
      `manual (${A})`,
      '.',
    ]);
  });

  it('excludes punctuation around the words and includes punctuation inside', () => {
    expect(read([run('See (“manual”), p. 3.')], over(4, 15))).toEqual([`See (“manual (${A})”), p. 3.`]);
    expect(read([run('Call sum(a) now.')], over(5, 11))).toEqual([`Call sum(a) (${A}) now.`]);
  });

  it('selects whole words that the link covers mostly', () => {
    const runs = [run('one three five')];
    expect(read(runs, over(3, 8))).toEqual([`one three (${A}) five`]);
    expect(read(runs, over(5, 11))).toEqual([`one three (${A}) five`]);
    // A link over a part of a word.
    expect(read(runs, over(5, 7))).toEqual([`one three (${A}) five`]);
  });

  it('estimates the width of letters in proportional fonts', () => {
    const text = 'illi mmmm';
    const proportional = run(text, { isMonospaced: false, width: 50 });
    const link = { ...over(0, 0), left: 0, right: 13 };
    expect(read([proportional], link)).toEqual([`illi (${A}) mmmm`]);
  });

  it('treats a Chinese character as a word', () => {
    expect(read([run('参照手册第一')], over(2, 4))).toEqual([`参照手册 (${A})第一`]);
  });

  it('adds no address that the words already show', () => {
    expect(read([run('at example.org/a now')], over(3, 16))).toEqual(['at example.org/a now']);
    const divided = [run('at https://exam-'), run('ple.org/a.', { y: 88 })];
    expect(read(divided, over(3, 16), over(0, 9, A, 88))).toEqual(['at https://exam-', 'ple.org/a.']);
  });

  it('adds the address of a link over several runs once, after the last word', () => {
    const lines = [run('see the user'), run(' ', { x: 72 }), run('manual, here', { y: 88 })];
    expect(read(lines, over(8, 12), over(0, 6, A, 88))).toEqual(['see the user', ' ', `manual (${A}), here`]);
    expect(read([run('user manual')], over(0, 4), over(5, 11), over(5, 11))).toEqual([`user manual (${A})`]);
  });

  it('separates links with different addresses or with words between them', () => {
    expect(read([run('one two and one')], over(0, 3), over(4, 7, B), over(12, 15))).toEqual([
      `one (${A}) two (${B}) and one (${A})`,
    ]);
  });

  it('ignores links over images, blanks and other lines', () => {
    const runs = [run('one   two'), run('  ', { y: 50 })];
    for (const link of [over(4, 5), over(0, 9, A, 112), over(0, 9, A, 89), over(20, 30), over(0, 2, A, 50)])
      expect(withAddresses(runs, [link])).toBe(runs);
  });

  it('finds rotated words and right-to-left words', () => {
    // For upward text, the page coordinates x and y become y and -x.
    const upward = run('up the hill', { x: 200, y: -50, quarterTurns: 1 });
    const link = { address: A, left: 41, right: 53, bottom: 200 + 7 * PITCH, top: 200 + 11 * PITCH };
    expect(read([upward], link)).toEqual([`up the hill (${A})`]);
    const hebrew = run('שלום עולם', { isRightToLeft: true });
    expect(read([hebrew], over(5, 9))).toEqual([`שלום (${A}) עולם`]);
  });

  it('only adds addresses', () => {
    const anyRun = fc
      .record({
        text: fc.string({ unit: 'grapheme', maxLength: 30 }),
        x: fc.integer({ min: 0, max: 99 }),
        y: fc.constantFrom(88, 100),
      })
      .map(({ text, x, y }) => run(text, { x, y }));
    const anyLink = fc
      .record({
        from: fc.integer({ min: 0, max: 20 }),
        length: fc.integer({ min: 0, max: 20 }),
        y: fc.constantFrom(88, 100),
      })
      .map(({ from, length, y }) => over(from, from + length, A, y));
    fc.assert(
      fc.property(fc.array(anyRun), fc.array(anyLink), (runs, links) => {
        expect(read(runs, ...links).map((text) => text.replaceAll(` (${A})`, ''))).toEqual(
          runs.map(({ text }) => text),
        );
      }),
    );
  });

  it('limits the addresses of overlapping links', () => {
    const links = Array.from({ length: 300 }, (_, n) => over(0, 9, `${A}${n}`));
    const texts = read(Array<TextRun>(1000).fill(run('words')), ...links);
    expect(texts.join('').match(/https/g)?.length).toBe(5100);
  });

  for (const [piece, end] of [
    ['.', ''],
    ['.', 'a'],
    ['( ', ''],
    ['a ', ''],
  ] as const) {
    it(`takes a number of steps linear in the text for "${piece.repeat(4)}…${end}"`, () => {
      assertLinear((size) => {
        const text = `${piece.repeat(size)}${end}`;
        const runs = [run(text)];
        const links = [over(0, text.length), over(5, text.length, B)];
        return countSteps(() => withAddresses(runs, links));
      });
    });
  }
});
