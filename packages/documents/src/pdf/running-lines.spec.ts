import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
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
const withHeaders = (headers: readonly (string | readonly string[])[]): Line[][] =>
  headers.map((header, n) => [
    lineOf([header].flat(), 760),
    lineOf([`${'abcdefghijklmnop'.charAt(n)} has its words`], 700),
  ]);

/** The texts that are left out, page by page. */
const leftOut = (pages: readonly (readonly Line[])[]): string[] =>
  clean(pages).map(({ repeated }) => repeated.join(' / '));

describe('RunningLines', () => {
  it('keeps all lines and pages in order', () => {
    fc.assert(
      fc.property(fc.array(anyLines, { maxLength: 24 }), (pages) => {
        const cleaned = clean(pages);
        expect(cleaned.map((page) => page.number)).toEqual(pages.map((_, index) => index + 1));
        for (const [index, lines] of pages.entries()) {
          const page = cleaned[index];
          assert.ok(page);
          const kept = [...page.first.top, ...page.lines, ...page.first.bottom].map((line) => line.text);
          expect([...kept, ...page.repeated].sort()).toEqual(lines.map((line) => line.text).sort());
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each<[kind: string, headers: readonly (string | readonly string[])[], leftOut: readonly string[]]>([
    ['a header of two pages', ['Lease K-88', 'Lease K-88'], ['', 'Lease K-88']],
    [
      'chapters, one of a single page',
      ['Ch. One', 'Ch. One', 'Ch. One', 'Ch. Two', 'Ch. One'],
      ['', 'Ch. One', 'Ch. One', '', 'Ch. One'],
    ],
    ['page numbers', ['- 7 -', '- 8 -', '- 9 -'], ['', '- 8 -', '- 9 -']],
    ['Roman page numbers', ['i', 'ii', 'iii', 'iv'], ['', 'ii', 'iii', 'iv']],
    [
      'words beside the number',
      ['Seite 1 von 3', 'Seite 2 von 3', 'Seite 3 von 3'],
      ['', 'Seite 2 von 3', 'Seite 3 von 3'],
    ],
    ['Chinese', ['第 1 页', '第 2 页', '第 3 页'], ['', '第 2 页', '第 3 页']],
    ['Arabic digits', ['صفحة ١', 'صفحة ٢', 'صفحة ٣'], ['', 'صفحة ٢', 'صفحة ٣']],
    [
      'a number in a cell of its own',
      [
        ['Manual', '3'],
        ['Manual', '4'],
        ['Manual', '5'],
      ],
      ['', 'Manual 4', 'Manual 5'],
    ],
    ['a number after a bar', ['Manual | 3', 'Manual | 4', 'Manual | 5'], ['', 'Manual | 4', 'Manual | 5']],
  ])('keeps the first of %s', (_, headers, expected) => {
    expect(leftOut(withHeaders(headers))).toEqual(expected);
  });

  it.each<[kind: string, headers: readonly (string | readonly string[])[]]>([
    ['titles', ['Apples', 'Pears', 'Plums', 'Cherries', 'Figs', 'Grapes']],
    ['numbers that do not count pages', ['12', '99', '3', '57', '21', '80']],
    ['steps', ['Step 1', 'Step 2', 'Step 3', 'Step 4', 'Step 5', 'Step 6']],
    ['months', ['Payslip 01/2024', 'Payslip 02/2024', 'Payslip 03/2024']],
    ['guide words', ['10 abacus', '11 bell', '12 candle', '13 drum', '14 ember', '15 fern', '16 gate']],
    [
      'numbers of invoices',
      [
        ['Invoice no.', '1'],
        ['Invoice no.', '2'],
        ['Invoice no.', '3'],
      ],
    ],
    [
      'numbers of two pages',
      [
        ['Tenant', '1'],
        ['Tenant', '2'],
      ],
    ],
    ['values of which some are equal', ['Due 1 May', 'Due 1 May', 'Due 1 May', 'Due 2 May']],
    [
      'amounts, even if they are equal',
      [
        ['Net pay', '3,120.50'],
        ['Net pay', '3,120.50'],
        ['Net pay', '3,120.50'],
      ],
    ],
  ])('keeps %s', (_, headers) => {
    expect(leftOut(withHeaders(headers))).toEqual(headers.map(() => ''));
  });

  it('keeps the column names of a table that spans pages', () => {
    const pages = [1, 2, 3].map((page) => [
      lineOf(['Article', 'Price', 'Stock'], 760),
      ...[1, 2, 3].map((row) =>
        lineOf([`Drill ${page}${row}`, `${row * page} EUR`, `${row}`], 760 - row * 14),
      ),
    ]);
    expect(leftOut(pages)).toEqual(['', '', '']);
  });

  it('keeps the lines of a page without others', () => {
    expect(leftOut([[lineOf(['Void'], 700)], [lineOf(['Void'], 700)]])).toEqual(['', '']);
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
