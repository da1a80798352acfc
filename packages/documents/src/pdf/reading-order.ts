import { type ColumnBlock, columnBlockOf, guttersOf } from './column-block.js';
import { type Line, linesOf } from './pdf-lines.js';
import { byDirection, type TextRun } from './text-run.js';

/** Of columns within columns. */
const MAX_COLUMN_DEPTH = 6;
/** Lines beside a gutter. */
const MIN_COLUMN_LINES = 2;

/** The lines of the runs of a page, in the order in which a person reads them. */
export function arrangedLines(runs: readonly TextRun[]): readonly Line[] {
  return byDirection(runs).flatMap((group) => inReadingOrder(linesOf(group)));
}

/**
 * Sorts lines into the order in which a person reads them. Rows are read one after the other, from top to bottom;
 * columns of running text, which {@link columnBlockOf} recognizes, are read one after the other.
 *
 * @param lines the rows of a page from top to bottom, each as wide as the page
 */
export function inReadingOrder(lines: readonly Line[], depth = 0): readonly Line[] {
  if (lines.length < MIN_COLUMN_LINES || depth > MAX_COLUMN_DEPTH) return lines;
  let best: ColumnBlock | null = null;
  for (const gutter of guttersOf(lines)) {
    const block = columnBlockOf(lines, gutter);
    if (block !== null && (best === null || block.end - block.begin > best.end - best.begin)) best = block;
  }
  if (best === null) return lines;
  return [
    ...inReadingOrder(lines.slice(0, best.begin), depth + 1),
    ...best.columns.flatMap((column) => inReadingOrder(column, depth + 1)),
    ...inReadingOrder(lines.slice(best.end), depth + 1),
  ];
}
