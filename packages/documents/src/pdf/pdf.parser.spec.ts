import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyLines } from './line.fixtures.js';
import type { Line } from './pdf-lines.js';
import { inReadingOrder, labelRanges } from './pdf.parser.js';
import { pageRanges } from './unread-pages.js';

const cellsOf = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) => line.cells.map(({ text, left }) => `${line.y} ${left} ${text}`)).sort();

describe('inReadingOrder', () => {
  it('keeps each line once, wherever lines are', () => {
    fc.assert(
      fc.property(anyLines, (lines) => expect(cellsOf(inReadingOrder(lines))).toEqual(cellsOf(lines))),
    );
  });
});

describe('labelRanges', () => {
  it('returns the labels at which counting restarts', () => {
    expect(labelRanges(['Cover', 'i', 'ii', 'iii', '1', '2', 'A-1', 'A-2'])).toBe('1=Cover 2=i 5=1 7=A-1');
  });

  it('returns null for labels that equal the page numbers', () => {
    expect(labelRanges(['1', '2', '3'])).toBeNull();
    expect(labelRanges([])).toBeNull();
  });
});

describe('pageRanges', () => {
  it('joins consecutive pages', () => expect(pageRanges([1, 2, 3, 7, 9, 10])).toBe('1-3, 7, 9-10'));
});
