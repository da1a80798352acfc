import { continueText } from './line-joining.js';
import type { Cell, Line, TextForm } from './pdf-lines.js';
import { isMostlyRightToLeft } from './visual-order.js';

/** A table recognized in consecutive lines. */
export interface FoundTable {
  readonly rows: readonly (readonly string[])[];
  /** The rows with link addresses. */
  readonly linkedRows: readonly (readonly string[])[];
  /** Index of the first line after the table. */
  readonly end: number;
}

// Largest distances of baselines, as factors of the font size: within a row and between rows.
const CONTINUATION_STEP = 1.45;
const MAX_ROW_STEP = 3;
/** A table with at least this many columns needs two rows, others need three. */
const MANY_COLUMNS = 3;
const MIN_ROWS = 3;
const LIST_MARKER = /^(?:[•◦▪‣●○■□*–—-]|\(?(?:\d{1,3}|[a-z]{1,4})[.)]|\[\d{1,4}\])$/i;

interface Column {
  left: number;
  right: number;
}

/**
 * Recognizes a table that begins at a line: closely spaced lines whose cells form columns with empty space
 * between them. A line with one cell continues the row above.
 *
 * @returns null when no table begins there
 */
export function tableAt(lines: readonly Line[], begin: number): FoundTable | null {
  const first = lines[begin];
  if (first === undefined || !isRow(first)) return null;
  let columns: readonly Column[] = first.cells;
  const rows: Line[][] = [[first]];
  let rowStep = Infinity;
  let end = begin + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    const above = lines[end - 1];
    if (line === undefined || above === undefined) break;
    // Monospaced names and values are a row; a monospaced line in one piece is code below the table.
    if (line.isMonospaced && line.cells.length === 1) break;
    const step = (above.y - line.y) / Math.max(above.fontSize, line.fontSize);
    if (step < 0 || step > MAX_ROW_STEP) break;
    const widened = widen(columns, line.cells);
    if (widened === null) break;
    const isSingle =
      line.cells.length === 1 && step <= CONTINUATION_STEP && widened.length === columns.length;
    // A single cell in the first column at the usual row distance begins a new row.
    const isName = line.left < (columns[0]?.right ?? 0) && step > rowStep * 0.9;
    if (isSingle && !isName) rows.at(-1)?.push(line);
    else if (isSingle || (line.cells.length > 1 && !line.isEntry)) {
      if (above.cells.length > 1) rowStep = Math.min(rowStep, step);
      rows.push([line]);
    } else break;
    columns = widened;
  }
  const width = columns.length;
  const full = rows.filter(([line]) => line !== undefined && line.cells.length > 1).length;
  if (full < (width >= MANY_COLUMNS ? 2 : MIN_ROWS)) return null;
  if (rows.every(([line]) => LIST_MARKER.test(line?.cells[0]?.text ?? ''))) return null;
  const isRightToLeft = isMostlyRightToLeft(rows.flatMap((row) => row.map(({ text }) => text)).join(' '));
  const ordered = isRightToLeft ? columns.toReversed() : columns;
  const texts = rows.map((row) => cellsOf(row, ordered, 'text'));
  if (looksLikeText(texts)) return null;
  return { rows: texts, linkedRows: rows.map((row) => cellsOf(row, ordered, 'linkedText')), end };
}

function isRow(line: Line): boolean {
  return line.cells.length > 1 && !line.isMonospaced && !line.isEntry;
}

/** Extends the columns to include the cells of a line; null when a cell would overlap two columns. */
function widen(columns: readonly Column[], cells: readonly Cell[]): readonly Column[] | null {
  const widened = columns.map(({ left, right }) => ({ left, right }));
  for (const { left, right } of cells) {
    const touched = widened.filter((column) => column.left < right && left < column.right);
    const [column] = touched;
    if (touched.length > 1) return null;
    if (column === undefined) widened.push({ left, right });
    else {
      column.left = Math.min(column.left, left);
      column.right = Math.max(column.right, right);
    }
  }
  widened.sort((one, other) => one.left - other.left);
  const isApart = widened.every(({ left }, index) => left >= (widened[index - 1]?.right ?? -Infinity));
  // A single column is text beside the table.
  return isApart && widened.length > 1 ? widened : null;
}

function cellsOf(row: readonly Line[], columns: readonly Column[], form: TextForm): string[] {
  return columns.map(({ left, right }) =>
    row
      .flatMap((line) => line.cells.filter((cell) => cell.left >= left && cell.right <= right))
      .reduce((text, cell) => (text === '' ? cell[form] : continueText(text, cell[form])), ''),
  );
}

/** Whether the cells are so long that the lines are text with occasional wide gaps. */
function looksLikeText(rows: readonly (readonly string[])[]): boolean {
  const characters = rows.flat().filter((text) => text !== '');
  const mean = characters.reduce((sum, text) => sum + text.length, 0) / Math.max(1, characters.length);
  return mean > MAX_MEAN_CHARACTERS;
}

const MAX_MEAN_CHARACTERS = 80;
