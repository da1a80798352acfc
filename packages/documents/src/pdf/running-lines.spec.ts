import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyLines, lineOf } from './line.fixtures.js';
import type { Line } from './pdf-lines.js';
import { type CleanPage, RunningLines } from './running-lines.js';

function clean(pages: readonly (readonly Line[])[]): CleanPage[] {
  const running = new RunningLines();
  return [
    ...pages.flatMap((lines, index) => [...running.add({ number: index + 1, lines, comments: [] })]),
    ...running.finish(),
  ];
}

/** Pages with a header line and different words. */
const withHeaders = (headers: readonly string[]): Line[][] =>
  headers.map((header, n) => [
    lineOf([header], 760),
    lineOf([`${'abcdefghijklmnop'.charAt(n)} has its words`], 700),
  ]);

describe('RunningLines', () => {
  it('keeps all lines and pages in order', () => {
    fc.assert(
      fc.property(fc.array(anyLines, { maxLength: 24 }), (pages) => {
        const cleaned = clean(pages);
        expect(cleaned.map((page) => page.number)).toEqual(pages.map((_, index) => index + 1));
        for (const [index, lines] of pages.entries()) {
          const { lines: kept, running } = cleaned[index] ?? { lines: [], running: [] };
          expect([...kept.map((line) => line.text), ...running].sort()).toEqual(
            lines.map((line) => line.text).sort(),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('recognizes headers by words, page number and position', () => {
    const chapters = withHeaders([
      ...Array<string>(6).fill('Chapter 1: Beginnings'),
      'Chapter 2: A short one',
      ...Array<string>(6).fill('Chapter 3: More'),
    ]);
    expect(clean(chapters).every((page) => page.running.length === 1)).toBe(true);
    const dictionary = withHeaders([
      '10 abacus',
      '11 bell',
      '12 candle',
      '13 drum',
      '14 ember',
      '15 fern',
      '16 gate',
    ]);
    expect(clean(dictionary).every((page) => page.running.length === 1)).toBe(true);
    const roman = withHeaders(['i', 'ii', 'iii', 'iv']);
    expect(clean(roman).every((page) => page.running.length === 1)).toBe(true);
  });

  it('keeps different lines at the top of pages', () => {
    const titles = withHeaders(['Apples', 'Pears', 'Plums', 'Cherries', 'Figs', 'Grapes']);
    expect(clean(titles).every((page) => page.running.length === 0)).toBe(true);
    const numbers = withHeaders(['12', '99', '3', '57', '21', '80']);
    expect(clean(numbers).every((page) => page.running.length === 0)).toBe(true);
  });

  it('buffers at most eight pages', () => {
    const running = new RunningLines();
    const completed = Array.from(
      { length: 20 },
      (_, n) => [...running.add({ number: n + 1, lines: [], comments: [] })].length,
    );
    expect(completed).toEqual([...Array<number>(8).fill(0), ...Array<number>(12).fill(1)]);
  });
});
