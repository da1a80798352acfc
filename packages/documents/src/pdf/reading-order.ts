import { type ColumnBlock, columnBlockOf } from './column-block.js';
import { guttersOf } from './gutters.js';
import type { Line } from './pdf-lines.js';

/** Depth of columns within columns. */
const MAX_DEPTH = 6;
/** Minimum number of lines beside a gutter. */
const MIN_LINES = 3;

/**
 * Sorts lines into the order in which a person reads them. Rows are read one after the other, from top to bottom;
 * columns of running text, which {@link columnBlockOf} recognizes, are read one after the other.
 *
 * @param lines the rows of a page from top to bottom, each as wide as the page
 */
export function inReadingOrder(lines: readonly Line[], depth = 0): readonly Line[] {
  if (lines.length < MIN_LINES || depth > MAX_DEPTH) return lines;
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
