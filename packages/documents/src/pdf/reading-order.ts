import { type ColumnBlock, columnBlockOf, gapsOf } from './column-block.js';
import type { Line } from './pdf-lines.js';

/** Depth of columns within columns. */
const MAX_DEPTH = 6;
/** Places that are tried as the gutter between two columns. */
const MAX_GUTTERS = 6;
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

/** The x coordinates that are in most of the gaps within and between lines, best first. */
function guttersOf(lines: readonly Line[]): number[] {
  const gutters: number[] = [];
  let gaps = gapsOf(lines);
  while (gutters.length < MAX_GUTTERS) {
    const { x, depth } = deepest(gaps);
    if (depth < MIN_LINES) break;
    gutters.push(x);
    gaps = gaps.filter(({ left, right }) => x < left || x > right);
  }
  return gutters;
}

/** The middle of the interval that most gaps have in common. */
function deepest(gaps: readonly { left: number; right: number }[]): { x: number; depth: number } {
  const edges = gaps
    .flatMap(({ left, right }) => [
      { x: left, step: 1 },
      { x: right, step: -1 },
    ])
    .sort((one, other) => one.x - other.x || other.step - one.step);
  let depth = 0;
  let best = { x: 0, depth: 0 };
  for (const [index, { x, step }] of edges.entries()) {
    depth += step;
    if (depth > best.depth) best = { depth, x: (x + (edges[index + 1]?.x ?? x)) / 2 };
  }
  return best;
}
