import type { Cell, Line } from './pdf-lines.js';

/** Minimum number of lines that share a gap for it to be the gutter between two columns of text. */
const MIN_GUTTER_LINES = 6;
/** Minimum average of characters per line of a text column; shorter columns are those of a table. */
const MIN_COLUMN_CHARACTERS = 20;
/** A page with a larger share of upward steps between lines of a column is not drawn in reading order. */
const MAX_UPWARD_SHARE = 0.1;
/** The same limit for steps of more than two lines, which formulas do not cause. */
const MAX_FAR_UPWARD_SHARE = 0.04;

/**
 * Sorts lines into reading order. Most pages are drawn in reading order, so the drawing order is kept unless
 * the page contradicts it: by lines that span two columns of text, or by many steps upwards.
 */
export function inReadingOrder(lines: readonly Line[]): readonly Line[] {
  const columns = splitAtGutter(lines);
  return isDisordered(columns) ? sortByPosition(columns) : columns;
}

/** Splits lines that were drawn across two columns of text. */
function splitAtGutter(lines: readonly Line[]): readonly Line[] {
  const multiCellLines = lines.filter((line) => line.cells.length > 1);
  if (multiCellLines.length < MIN_GUTTER_LINES) return lines;
  const gutter = gutterOf(multiCellLines);
  if (gutter === null) return lines;
  const ordered: Line[] = [];
  let left: Line[] = [];
  let right: Line[] = [];
  const flush = (): void => {
    ordered.push(...left, ...right);
    left = [];
    right = [];
  };
  for (const line of lines) {
    if (line.cells.some((cell) => cell.left < gutter && cell.right > gutter)) {
      flush();
      ordered.push(line);
      continue;
    }
    const before = selectCells(line, (cell) => cell.right <= gutter);
    const after = selectCells(line, (cell) => cell.right > gutter);
    if (before !== null) left.push(before);
    if (after !== null) right.push(after);
  }
  flush();
  return ordered;
}

/** The x coordinate that most gaps have in common, if it separates two columns of running text. */
function gutterOf(multiCellLines: readonly Line[]): number | null {
  const edges = multiCellLines
    .flatMap(({ cells }) =>
      cells.slice(1).flatMap((cell, index) => [
        { x: cells[index]?.right ?? cell.left, step: 1 },
        { x: cell.left, step: -1 },
      ]),
    )
    .sort((one, other) => one.x - other.x || one.step - other.step);
  let depth = 0;
  let best = { depth: 0, x: 0 };
  for (const [index, edge] of edges.entries()) {
    depth += edge.step;
    if (depth > best.depth) best = { depth, x: (edge.x + (edges[index + 1]?.x ?? edge.x)) / 2 };
  }
  const gutter = best.x;
  const isColumnLine = ({ cells }: Line): boolean =>
    cells.length === 2 && (cells[0]?.right ?? 0) <= gutter && (cells[1]?.left ?? 0) >= gutter;
  const both = multiCellLines.filter(isColumnLine);
  if (both.length < MIN_GUTTER_LINES || both.length < multiCellLines.length * 0.6) return null;
  for (const side of [0, 1]) {
    const characters = both.reduce((sum, line) => sum + (line.cells[side]?.text.length ?? 0), 0);
    if (characters < both.length * MIN_COLUMN_CHARACTERS) return null;
  }
  return gutter;
}

function selectCells(line: Line, isInside: (cell: Cell) => boolean): Line | null {
  const cells = line.cells.filter(isInside);
  const [first] = cells;
  const last = cells.at(-1);
  if (first === undefined || last === undefined) return null;
  if (cells.length === line.cells.length) return line;
  const text = cells.map((cell) => cell.text).join(' ');
  const linkedText = cells.map((cell) => cell.linkedText).join(' ');
  return { ...line, text, linkedText, left: first.left, right: last.right, cells };
}

function isDisordered(lines: readonly Line[]): boolean {
  let steps = 0;
  let upwards = 0;
  let farUpwards = 0;
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above === undefined || above.left >= line.right || line.left >= above.right) continue;
    steps += 1;
    if (line.y > above.y + line.fontSize) upwards += 1;
    if (line.y > above.y + line.fontSize * 2) farUpwards += 1;
  }
  return (
    (upwards > 2 && upwards > steps * MAX_UPWARD_SHARE) ||
    (farUpwards > 1 && farUpwards > steps * MAX_FAR_UPWARD_SHARE)
  );
}

/**
 * The recursive X-Y cut (Nagy and Seth 1984): the page is split at its widest horizontal or vertical gap, and
 * each part again. Gaps between columns count double, because columns take precedence over lines.
 */
function sortByPosition(lines: readonly Line[], depth = 0): Line[] {
  if (lines.length < 2 || depth > MAX_CUTS) return [...lines];
  const rows = widestGap(lines.map((line) => [-(line.y + line.fontSize), -line.y] as const));
  const columns = widestGap(lines.map((line) => [line.left, line.right] as const));
  if (rows.width <= 0 && columns.width <= 0) return lines.toSorted((one, other) => other.y - one.y);
  const isFirst =
    columns.width * 2 > rows.width && columns.width > 0
      ? (line: Line) => line.right <= columns.at
      : (line: Line) => -line.y <= rows.at;
  const [first, second] = [lines.filter(isFirst), lines.filter((line) => !isFirst(line))];
  if (first.length === 0 || second.length === 0) return lines.toSorted((one, other) => other.y - one.y);
  return [...sortByPosition(first, depth + 1), ...sortByPosition(second, depth + 1)];
}

const MAX_CUTS = 60;

function widestGap(spans: (readonly [number, number])[]): { at: number; width: number } {
  let best = { at: 0, width: 0 };
  let end = -Infinity;
  for (const [from, to] of spans.sort((one, other) => one[0] - other[0])) {
    if (end > -Infinity && from - end > best.width) best = { at: (from + end) / 2, width: from - end };
    end = Math.max(end, to);
  }
  return best;
}
