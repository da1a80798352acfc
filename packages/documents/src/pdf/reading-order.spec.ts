import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyLines } from './line.fixtures.js';
import type { Line } from './pdf-lines.js';
import { inReadingOrder } from './reading-order.js';

const cellsOf = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) => line.cells.map(({ text, left }) => `${line.y} ${left} ${text}`)).sort();

describe('inReadingOrder', () => {
  it('keeps each line once, wherever lines are', () => {
    fc.assert(
      fc.property(anyLines, (lines) => expect(cellsOf(inReadingOrder(lines))).toEqual(cellsOf(lines))),
    );
  });
});
