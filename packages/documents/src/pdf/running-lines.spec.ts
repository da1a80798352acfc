import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
        assert.deepEqual(
          cleaned.map((page) => page.number),
          pages.map((_, index) => index + 1),
        );
        for (const [index, lines] of pages.entries()) {
          const { lines: kept, running } = cleaned[index] ?? { lines: [], running: [] };
          assert.deepEqual(
            [...kept.map((line) => line.text), ...running].sort(),
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
    assert.ok(clean(chapters).every((page) => page.running.length === 1));
    const dictionary = withHeaders([
      '10 abacus',
      '11 bell',
      '12 candle',
      '13 drum',
      '14 ember',
      '15 fern',
      '16 gate',
    ]);
    assert.ok(clean(dictionary).every((page) => page.running.length === 1));
    const roman = withHeaders(['i', 'ii', 'iii', 'iv']);
    assert.ok(clean(roman).every((page) => page.running.length === 1));
  });

  it('keeps different lines at the top of pages', () => {
    const titles = withHeaders(['Apples', 'Pears', 'Plums', 'Cherries', 'Figs', 'Grapes']);
    assert.ok(clean(titles).every((page) => page.running.length === 0));
    const numbers = withHeaders(['12', '99', '3', '57', '21', '80']);
    assert.ok(clean(numbers).every((page) => page.running.length === 0));
  });

  it('buffers at most eight pages', () => {
    const running = new RunningLines();
    const completed = Array.from(
      { length: 20 },
      (_, n) => [...running.add({ number: n + 1, lines: [], comments: [] })].length,
    );
    assert.deepEqual(completed, [...Array<number>(8).fill(0), ...Array<number>(12).fill(1)]);
  });
});
