import { drawnParts } from './column-block.js';
import { type Cell, continueText, type Line, type TextForm } from './pdf-lines.js';
import { isMostlyRightToLeft } from './visual-order.js';

/** A table recognized in consecutive lines. */
export interface FoundTable {
  readonly rows: readonly (readonly string[])[];
  /** The rows with link addresses. */
  readonly linkedRows: readonly (readonly string[])[];
  readonly columns: readonly Column[];
  /** Index of the first line after the table. */
  readonly end: number;
}

/** Largest distance of baselines within a row, as a factor of the font size. */
const CONTINUATION_STEP = 1.45;
/** A table with at least this many columns needs two rows, others need three. */
const MANY_COLUMNS = 3;
const MIN_ROWS = 3;
const LIST_MARKER = /^(?:[•◦▪‣●○■□*–—-]|\(?(?:\d{1,3}|[a-z]{1,4})[.)]|\[\d{1,4}\])$/i;

/** Limit of the work for a page whose lines look like rows of a table and are none, such as a very long list. */
const MAX_EXAMINED_LINES = 100_000;

/** The tables of a page by the index of their first line. */
export function tablesIn(lines: readonly Line[]): ReadonlyMap<number, FoundTable> {
  const tables = new Map<number, FoundTable>();
  let examined = 0;
  let end = 0;
  for (let begin = 0; begin < lines.length && examined < MAX_EXAMINED_LINES; begin += 1) {
    const table = tableAt(lines, begin);
    if (table === null) {
      while (end <= begin || isRowBelow(lines[end - 1], lines[end])) end += 1;
      if ((lines[begin]?.cells.length ?? 0) > 1 || isCentred(lines, begin)) examined += end - begin;
    } else {
      tables.set(begin, table);
      begin = table.end - 1;
    }
  }
  return tables;
}

/**
 * Recognizes a table that begins at a line: closely spaced lines whose cells form columns with empty space
 * between them. A line with one cell continues the row above.
 *
 * @returns null when no table begins there
 */
function tableAt(lines: readonly Line[], begin: number): FoundTable | null {
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
    if (!isRowBelow(above, line)) break;
    const step = stepOf(above, line);
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
  return { rows: texts, linkedRows: rows.map((row) => cellsOf(row, ordered, 'linkedText')), columns, end };
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

/** Whether two tables have the same number of columns at the same places. */
export function haveSameColumns({ columns }: FoundTable, other: FoundTable): boolean {
  return (
    columns.length === other.columns.length &&
    columns.every(({ left, right }, index) => {
      const column = other.columns[index];
      return column !== undefined && left < column.right && column.left < right;
    })
  );
}

/** Horizontal range of a column of a table. */
export interface Column {
  readonly left: number;
  readonly right: number;
}

/** Rows of a table, each with the printed lines of its cells. */
interface TableRows {
  readonly rows: readonly (readonly Line[])[];
  readonly columns: readonly Column[];
  /** Index of the first line after the rows. */
  readonly end: number;
}

/** The lines between two wider gaps. */
interface Band {
  readonly lines: readonly Line[];
  /** The lines of each column that has any. */
  readonly columns: readonly (readonly Line[])[];
}

// Distances of baselines, as factors of the font size.
const MIN_PITCH = 0.8;
const MAX_PITCH = 1.6;
const MAX_ROW_STEP = 3;
/** A gap that is larger than the distance of lines within a cell by this factor separates rows. */
const WIDER = 1.06;
/** Baselines at a smaller part of that distance belong to cells that are centred beside each other. */
const HALF_STEP = 0.75;
const MIN_BANDS = 2;
/** Minimum share of bands that have cells in several columns. */
const MIN_ROW_SHARE = 2 / 3;

/**
 * Recognizes rows whose cells have different numbers of lines: wider gaps separate the rows, or a cell is centred
 * beside two lines of another one.
 *
 * @returns null when no such rows begin at the line; they may still be rows of single lines
 */
function wrappedRowsAt(lines: readonly Line[], begin: number): TableRows | null {
  const region = regionAt(lines, begin);
  if (region === null) return null;
  const drawn = drawnRowsOf(region.lines, region.columns);
  if (drawn !== null) return { rows: drawn, columns: region.columns, end: begin + drawn.flat().length };
  const pitch = pitchOf(region.lines, region.columns);
  const fontSize = region.lines[0]?.fontSize ?? 0;
  if (pitch > fontSize * MAX_PITCH) return null;
  const bands = bandsOf(region.lines, pitch).map((band) => ({
    lines: band,
    columns: region.columns
      .map((column) => band.filter((line) => line.cells.some((cell) => isIn(cell, column))))
      .filter((inColumn) => inColumn.length > 0),
  }));
  while ((bands.at(-1)?.columns.length ?? 0) === 1) bands.pop();
  const full = bands.filter(({ columns }) => columns.length > 1);
  if (bands[0]?.columns.length === 1 || full.length < MIN_BANDS || full.length < bands.length * MIN_ROW_SHARE)
    return null;
  if (!bands.some((band) => isWrapped(band) || spanningLines(band).length > 0)) return null;
  return {
    rows: bands.flatMap(rowsOf),
    columns: region.columns,
    end: begin + bands.reduce((sum, band) => sum + band.lines.length, 0),
  };
}

/**
 * The rows of a table that is drawn cell by cell, each with all of its lines.
 *
 * @returns null for another drawing order, such as line by line or column by column
 */
function drawnRowsOf(lines: readonly Line[], columns: readonly Column[]): Line[][] | null {
  const rows = drawnParts(lines);
  const count = (row: readonly Line[]): number => columns.filter((column) => hasCell(row, column)).length;
  while (count(rows.at(-1) ?? []) === 1) rows.pop();
  // A line of one cell may be the first one of a row, whose other cells are centred.
  const isTable = rows.every((row) => count(row) > 1 && isDrawnByCell(row, columns));
  return isTable && rows.length >= MIN_ROWS && rows.some((row) => row.length > 1) ? rows : null;
}

function isDrawnByCell(row: readonly Line[], columns: readonly Column[]): boolean {
  const cells = row
    .flatMap((line) =>
      line.cells.map((cell) => ({ line, cell, column: columns.find((column) => isIn(cell, column)) })),
    )
    .sort((one, other) => one.cell.order - other.cell.order);
  const begins = cells.filter(({ column, line }, index) => {
    const before = cells[index - 1];
    if (before === undefined || before.column !== column) return true;
    return Math.abs(before.line.y - line.y) > line.fontSize * MAX_PITCH;
  });
  return begins.length === new Set(cells.map(({ column }) => column)).size;
}

function hasCell(lines: readonly Line[], column: Column): boolean {
  return lines.some((line) => line.cells.some((cell) => isIn(cell, column)));
}

/** Consecutive lines whose cells form at least two columns with empty space between them. */
function regionAt(
  lines: readonly Line[],
  begin: number,
): { lines: readonly Line[]; columns: readonly Column[] } | null {
  const first = lines[begin];
  if (first === undefined || !isTabular(first)) return null;
  if (first.cells.length < 2 && !isCentred(lines, begin)) return null;
  let columns: readonly Column[] = first.cells;
  let end = begin + 1;
  for (; end < lines.length; end += 1) {
    const [above, line] = [lines[end - 1], lines[end]];
    if (line === undefined || !isTabular(line) || !isRowBelow(above, line)) break;
    const widened = widen(columns, line.cells);
    if (widened === null) break;
    columns = widened;
  }
  return columns.length < 2 ? null : { lines: lines.slice(begin, end), columns };
}

function stepOf(above: Line, line: Line): number {
  return (above.y - line.y) / Math.max(above.fontSize, line.fontSize);
}

function isRowBelow(above: Line | undefined, line: Line | undefined): boolean {
  if (above === undefined || line === undefined) return false;
  const step = stepOf(above, line);
  return step >= 0 && step <= MAX_ROW_STEP;
}

/** Whether the next line is so close that it is beside this one. */
function isCentred(lines: readonly Line[], index: number): boolean {
  const [line, below] = [lines[index], lines[index + 1]];
  return line !== undefined && below !== undefined && line.y - below.y < line.fontSize * HALF_STEP;
}

function isTabular({ isMonospaced, isEntry }: Line): boolean {
  return !isMonospaced && !isEntry;
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
  return isApart ? widened : null;
}

/** The smallest distance of two lines in a column: that of the lines of a cell. */
function pitchOf(lines: readonly Line[], columns: readonly Column[]): number {
  let pitch = Infinity;
  for (const column of columns) {
    let above: Line | undefined;
    for (const line of lines) {
      if (!line.cells.some((cell) => isIn(cell, column))) continue;
      const step = above === undefined ? Infinity : above.y - line.y;
      if (step >= line.fontSize * MIN_PITCH) pitch = Math.min(pitch, step);
      above = line;
    }
  }
  return pitch;
}

function bandsOf(lines: readonly Line[], pitch: number): Line[][] {
  const stepAbove = (index: number): number => (lines[index - 1]?.y ?? Infinity) - (lines[index]?.y ?? 0);
  const hasGaps = lines.some((_, index) => index > 0 && stepAbove(index) > pitch * WIDER);
  const limit = pitch * (hasGaps ? WIDER : HALF_STEP);
  const bands: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    if (stepAbove(index) > limit) bands.push([line]);
    else bands.at(-1)?.push(line);
  }
  return bands;
}

/**
 * Whether the lines are one row: all of its cells have one line, except for one cell or beside centred cells. Several lines
 * with numbers are rows, and so are lines that each have the only cell of a column: the other cells are empty.
 */
function isWrapped({ lines, columns }: Band): boolean {
  const several = columns.filter((inColumn) => inColumn.length > 1);
  if (columns.length < 2 || several.length === 0 || several.length === columns.length) return false;
  const numbers = lines.filter((line) =>
    line.cells.some(({ text }) => /\d/.test(text) && !/\p{L}/u.test(text)),
  );
  if (numbers.length > 1) return false;
  const single = new Set(columns.filter((inColumn) => inColumn.length === 1).map(([line]) => line));
  if (several.length === 1) return single.size === 1;
  return spanningLines({ lines, columns }).length > 0;
}

/** The lines that stand between those of the columns with several lines. */
function spanningLines({ lines, columns }: Band): Line[] {
  const several = columns.filter((inColumn) => inColumn.length > 1);
  if (several.length === 0 || several.length === columns.length) return [];
  return lines.filter((line) => several.every((inColumn) => !inColumn.includes(line)));
}

/** A wrapped row, or else rows of one line each, with the cells that span them in the first row. */
function rowsOf(band: Band): Line[][] {
  if (isWrapped(band)) return [[...band.lines]];
  const spanning = spanningLines(band);
  const rows = band.lines.filter((line) => !spanning.includes(line)).map((line) => [line]);
  rows[0]?.push(...spanning);
  return rows;
}

function isIn(cell: Cell, { left, right }: Column): boolean {
  return cell.left >= left && cell.right <= right;
}
