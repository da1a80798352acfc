import type { CellContent } from '../document/document.js';
import type { HtmlElement } from './html-tree.js';
import { TABLE_SECTIONS } from './html-elements.js';
import { flowText } from './text-flow.js';

/** A merged cell with at most this many characters is repeated in each row and column that it covers. */
const MAX_REPEATED_LENGTH = 200;
/** Limit of repeated characters per table, against cells that claim to span a thousand columns. */
const MAX_REPETITION = 100_000;
const MAX_COLUMNS = 500;
/** A table with more rows above its data has no header of several rows. */
const MAX_HEADER_ROWS = 5;
/** Larger cells are columns of a page layout. */
const MAX_CELL_LETTERS = 1_000;

const CHECK = /(?:^|[\s_-])(?:check|check-?mark|circle-check|tick|yes)(?:[\s_-]|$)/i;
const CROSS = /(?:^|[\s_-])(?:cross|times|x-?mark|close|no)(?:[\s_-]|$)/i;

/**
 * A table as rows of cells. Merged cells are repeated so that each row can be understood on its own. A header of several rows
 * is one row: the name of a column has the cells above each other, as in "Winter Child".
 */
export interface TableText {
  readonly rows: readonly (readonly string[])[];
  /** By row: null for a cell that is repeated. */
  readonly contents: readonly (readonly CellContent[])[];
  readonly hasHeader: boolean;
}

interface Cell {
  readonly text: string;
  readonly element: HtmlElement;
}

/**
 * Whether a table contains data. Many pages use tables for layout; markup and content distinguish the two.
 */
export function isDataTable(table: HtmlElement): boolean {
  const role = table.attribute('role');
  if (role === 'presentation' || role === 'none') return false;
  const rows = rowsOf(table);
  if (rows === null || rows.length === 0) return false;
  if (role === 'table') return true;
  const cells = rows.flatMap(({ cells: own }) => own);
  if (cells.some((cell) => cell.headings > 0 || contains(cell, 'table') || contains(cell, 'pre')))
    return false;
  if (!rows.some((row) => row.cells.length > 1)) return false;
  if (cells.some(({ name }) => name === 'th')) return true;
  return cells.every((cell) => cell.letters <= MAX_CELL_LETTERS && cell.paragraphs < 3);
}

/**
 * Extracts the rows. A row whose cells all have `rowspan` > 1 is left out unless it is the last: its cells are
 * repeated in the next row. It is kept when a cell is too long to be repeated, or the limit is reached.
 */
export function tableText(table: HtmlElement): TableText {
  const sources = rowsOf(table) ?? [];
  const headerRows = headerHeight(sources);
  const header: string[][] = [];
  const rows: string[][] = [];
  const contents: CellContent[][] = [];
  let isAboveLeftOut = false;
  /** By column: a cell of an earlier row with `rowspan`, and the number of further rows it covers. */
  const spannedCells: ({ text: string; rows: number } | undefined)[] = [];
  let budget = MAX_REPETITION;
  const repeated = (text: string): string => {
    const repetition = text.length > MAX_REPEATED_LENGTH ? '' : text;
    budget -= repetition.length + 1;
    return repetition;
  };
  for (const [index, source] of sources.entries()) {
    const row: string[] = [];
    const covered: CellContent[] = [];
    if (budget < 0) spannedCells.length = 0;
    const cells: Cell[] = source.cells.map((element) => ({
      element,
      text: flowText(element) || iconOf(element),
    }));
    const addSpannedCells = (): void => {
      for (let cell = spannedCells[row.length]; cell !== undefined; cell = spannedCells[row.length]) {
        cell.rows -= 1;
        if (cell.rows <= 0) spannedCells[row.length] = undefined;
        if (!isAboveLeftOut) covered[row.length] = null;
        row.push(repeated(cell.text));
      }
    };
    for (const { element, text } of cells) {
      addSpannedCells();
      if (row.length >= MAX_COLUMNS) break;
      // A single cell that spans the row is the title of a group of rows and not repeated in each column.
      const isGroupTitle = cells.length === 1 && row.length === 0;
      const columns = budget < 0 ? 1 : Math.min(span(element, 'colspan'), MAX_COLUMNS - row.length);
      const down = span(element, 'rowspan') - 1;
      for (let column = 0; column < columns; column += 1) {
        if (down > 0) spannedCells[row.length] = { text, rows: down };
        if (column > 0) covered[row.length] = null;
        row.push(column === 0 ? text : isGroupTitle ? '' : repeated(text));
      }
    }
    addSpannedCells();
    const isRepeated =
      budget >= 0 &&
      cells.length > 0 &&
      cells.every(({ element, text }) => span(element, 'rowspan') > 1 && text.length <= MAX_REPEATED_LENGTH);
    if (index < headerRows) header.push(row);
    if (index === headerRows - 1) rows.push(...joined(header));
    isAboveLeftOut = index >= headerRows && isRepeated && index < sources.length - 1;
    if (index < headerRows || isAboveLeftOut) continue;
    contents[rows.length] = covered;
    rows.push(row);
  }
  return { rows, contents, hasHeader: headerRows > 0 };
}

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

/** @returns null when the table has text outside of cells */
function rowsOf(table: HtmlElement): Row[] | null {
  const rows: Row[] = [];
  let isClean = true;
  const read = (parent: HtmlElement, isHead: boolean): void => {
    for (const child of parent.children) {
      if (typeof child === 'string') isClean &&= child.trim() === '';
      else if (child.isSkipped || /^(?:caption|col|colgroup)$/.test(child.name)) continue;
      else if (TABLE_SECTIONS.has(child.name)) read(child, child.name === 'thead');
      else if (child.name === 'tr') rows.push({ isHead, cells: cellsOf(child) });
      else isClean &&= child.letters === 0;
    }
  };
  read(table, false);
  return isClean ? rows : null;
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  return row.children.filter(
    (child): child is HtmlElement =>
      typeof child !== 'string' && !child.isSkipped && (child.name === 'td' || child.name === 'th'),
  );
}

/**
 * How many rows above the data have column names: those of the `thead`, those that the cells of the first row span, and
 * rows of `th` below a cell that spans columns.
 */
function headerHeight(rows: readonly Row[]): number {
  const [first] = rows;
  if (first === undefined || !hasHeader(rows)) return 0;
  const inHead = rows.findIndex(({ isHead }) => !isHead);
  const spanned = hasGroups(first) ? first.cells.map((cell) => span(cell, 'rowspan')) : [];
  let height = Math.max(1, inHead < 0 ? rows.length : inHead, ...spanned);
  for (; height < rows.length; height += 1) {
    const [above, next] = [rows[height - 1], rows[height]];
    const isHeader =
      next !== undefined && next.cells.length > 1 && next.cells.every(({ name }) => name === 'th');
    if (!isHeader || above === undefined || !hasGroups(above)) break;
  }
  return height > MAX_HEADER_ROWS || height >= rows.length ? 1 : height;
}

/** Whether a row has cells for several columns each. */
function hasGroups({ cells }: Row): boolean {
  return cells.length > 1 && cells.some((cell) => span(cell, 'colspan') > 1);
}

/** The rows of a header as one, or as they are if the names of the columns would be too long. */
function joined(rows: readonly (readonly string[])[]): string[][] {
  const columns = Math.max(...rows.map(({ length }) => length));
  const names = Array.from({ length: columns }, (_value, column) => {
    const parts = rows.map((row) => row[column] ?? '').filter((part) => part !== '');
    return parts.filter((part, index) => part !== parts[index - 1]).join(' ');
  });
  return names.some(({ length }) => length > MAX_REPEATED_LENGTH) ? rows.map((row) => [...row]) : [names];
}

/**
 * Whether the first row has column names: it is in a `thead`, or has several cells of which the last is a `th`
 * and at most one is a `td`, or its cells span rows and groups of columns. A single `th` before `td` cells is the name of
 * its row.
 */
function hasHeader(rows: readonly Row[]): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  return (
    first.isHead ||
    (hasGroups(first) && first.cells.some((cell) => span(cell, 'rowspan') > 1)) ||
    (first.cells.length > 1 &&
      first.cells.filter(({ name }) => name === 'td').length <= 1 &&
      first.cells.some(({ name }) => name === 'th') &&
      first.cells.at(-1)?.name === 'th')
  );
}

/**
 * The label of an icon, or a check mark or cross for a known icon class. Comparison tables use such icons.
 */
function iconOf(element: HtmlElement): string {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const label = child.attribute('aria-label') ?? child.attribute('title');
    if (label !== undefined && label.trim() !== '') return label;
    const names = `${child.attribute('class') ?? ''} ${child.attribute('data-icon') ?? ''}`;
    if (CHECK.test(names)) return '✓';
    if (CROSS.test(names)) return '✗';
    const inner = iconOf(child);
    if (inner !== '') return inner;
  }
  return '';
}

function span(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.attribute(name) ?? '1', 10);
  // `rowspan=0` extends to the last row. The limits are those of the HTML standard.
  if (name === 'rowspan' && value === 0) return 65_534;
  return Number.isFinite(value) && value > 1 ? Math.min(value, name === 'colspan' ? 1_000 : 65_534) : 1;
}

function contains(element: HtmlElement, name: string): boolean {
  return (
    element.complexBlocks > 0 &&
    element.children.some(
      (child) => typeof child !== 'string' && (child.name === name || contains(child, name)),
    )
  );
}
