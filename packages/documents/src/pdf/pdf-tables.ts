import { continueText } from './line-joining.js';
import type { Line, TextForm } from './pdf-lines.js';
import { isMostlyRightToLeft } from './visual-order.js';
import { type Column, isIn, MAX_ROW_STEP, type TableRows, widen, wrappedRowsAt } from './wrapped-rows.js';

/** A table recognized in consecutive lines. */
export interface FoundTable {
  readonly rows: readonly (readonly string[])[];
  /** The rows with link addresses. */
  readonly linkedRows: readonly (readonly string[])[];
  /** Index of the first line after the table. */
  readonly end: number;
}

/** Largest distance of baselines within a row, as a factor of the font size. */
const CONTINUATION_STEP = 1.45;
/** A table with at least this many columns needs two rows, others need three. */
const MANY_COLUMNS = 3;
const MIN_ROWS = 3;
const LIST_MARKER = /^(?:[•◦▪‣●○■□*–—-]|\(?(?:\d{1,3}|[a-z]{1,4})[.)]|\[\d{1,4}\])$/i;

/**
 * Recognizes a table that begins at a line: closely spaced lines whose cells form columns with empty space
 * between them. A line with one cell continues the row above.
 *
 * @returns null when no table begins there
 */
export function tableAt(lines: readonly Line[], begin: number): FoundTable | null {
  const wrapped = wrappedRowsAt(lines, begin);
  return (wrapped === null ? null : tableOf(wrapped, Infinity)) ?? singleLineTable(lines, begin);
}

function singleLineTable(lines: readonly Line[], begin: number): FoundTable | null {
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
    // A single column is text beside the table.
    if (widened === null || widened.length < 2) break;
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
  return tableOf({ rows, columns, end }, MAX_MEAN_CHARACTERS);
}

/** @param maxCharacters mean length of cells from which lines are text with occasional wide gaps */
function tableOf({ rows, columns, end }: TableRows, maxCharacters: number): FoundTable | null {
  if (rows.every(([line]) => LIST_MARKER.test(line?.cells[0]?.text ?? ''))) return null;
  const isRightToLeft = isMostlyRightToLeft(rows.flatMap((row) => row.map(({ text }) => text)).join(' '));
  const ordered = isRightToLeft ? columns.toReversed() : columns;
  const texts = rows.map((row) => cellsOf(row, ordered, 'text'));
  const full = texts.filter((row) => row.filter((text) => text !== '').length > 1).length;
  if (full < (columns.length >= MANY_COLUMNS ? 2 : MIN_ROWS)) return null;
  if (meanCharacters(texts) > maxCharacters) return null;
  return { rows: texts, linkedRows: rows.map((row) => cellsOf(row, ordered, 'linkedText')), end };
}

function isRow(line: Line): boolean {
  return line.cells.length > 1 && !line.isMonospaced && !line.isEntry;
}

function cellsOf(row: readonly Line[], columns: readonly Column[], form: TextForm): string[] {
  return columns.map((column) =>
    row
      .flatMap((line) => line.cells.filter((cell) => isIn(cell, column)))
      .reduce((text, cell) => (text === '' ? cell[form] : continueText(text, cell[form])), ''),
  );
}

function meanCharacters(rows: readonly (readonly string[])[]): number {
  const texts = rows.flat().filter((text) => text !== '');
  return texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
}

const MAX_MEAN_CHARACTERS = 80;
