import fc from 'fast-check';
import type { Cell, Line } from './pdf-lines.js';

/** A line with one cell per text, 150 points apart. */
export function lineOf(texts: readonly string[], y: number, left = 72): Line {
  const cells: Cell[] = texts.map((text, index) => ({
    text,
    linkedText: text,
    left: left + index * 150,
    right: left + index * 150 + Math.min(140, Math.max(1, text.length * 6)),
    order: index,
  }));
  return {
    text: texts.join(' '),
    linkedText: texts.join(' '),
    left,
    right: cells.at(-1)?.right ?? left,
    y,
    fontSize: 12,
    font: 'f1',
    isMonospaced: false,
    isEntry: false,
    cells,
  };
}

/** Random pages: lines of one to three cells at any position. */
export const anyLines: fc.Arbitrary<Line[]> = fc.array(
  fc
    .record({
      texts: fc.array(fc.stringMatching(/^[a-z0-9 ]{1,40}$/), { minLength: 1, maxLength: 3 }),
      y: fc.integer({ min: 20, max: 780 }),
      left: fc.integer({ min: 20, max: 300 }),
    })
    .map(({ texts, y, left }) => lineOf(texts, y, left)),
  { maxLength: 30 },
);
