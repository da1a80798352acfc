import type { HtmlElement } from './html-tree.js';
import { TABLE_SECTIONS } from './html-elements.js';
import { flowOf } from './text-flow.js';

/** A merged cell is repeated in each row and column that it covers, up to this many letters. */
const MAX_REPEATED_LETTERS = 200;
/** Repeated text of one table in all, against cells that say they span a thousand columns. */
const MAX_REPETITION = 100_000;
const MAX_COLUMNS = 500;
/** Cells with more are columns of a layout. */
const MAX_CELL_LETTERS = 1_000;

const CHECK = /(?:^|[\s_-])(?:check|check-?mark|circle-check|tick|yes)(?:[\s_-]|$)/i;
const CROSS = /(?:^|[\s_-])(?:cross|times|x-?mark|close|no)(?:[\s_-]|$)/i;

/** A table as lines of cells, each readable without the others. */
export interface TableText {
  readonly rows: readonly (readonly string[])[];
  readonly hasHeader: boolean;
}

interface Cell {
  readonly text: string;
  readonly element: HtmlElement;
}

/**
 * Whether a table holds data, which only its own markup and its content can tell: many pages use tables to place
 * things.
 */
export function isDataTable(table: HtmlElement): boolean {
  const role = table.attribute('role');
  if (role === 'presentation' || role === 'none') return false;
  const rows = rowsOf(table);
  if (rows === null || rows.length === 0) return false;
  const cells = rows.flatMap(({ cells: own }) => own);
  if (cells.some((cell) => cell.headings > 0 || holds(cell, 'table') || holds(cell, 'pre'))) return false;
  if (!rows.some((row) => row.cells.length > 1)) return false;
  if (cells.some(({ name }) => name === 'th')) return true;
  return cells.every((cell) => cell.letters <= MAX_CELL_LETTERS && cell.paragraphs < 3);
}

/** @returns rows without those that only announce a merged cell of the next one */
export function tableText(table: HtmlElement): TableText {
  const sources = rowsOf(table) ?? [];
  const rows: string[][] = [];
  /** By column: the cell that reaches down here, and for how many rows more. */
  const above: ({ text: string; rows: number } | undefined)[] = [];
  let budget = MAX_REPETITION;
  const repeated = (text: string): string => {
    const copy = text.length > MAX_REPEATED_LETTERS ? '' : text;
    budget -= copy.length + 1;
    return copy;
  };
  for (const source of sources) {
    const row: string[] = [];
    if (budget < 0) above.length = 0;
    const cells: Cell[] = source.cells.map((element) => ({
      element,
      text: flowOf(element) || iconOf(element),
    }));
    const takeAbove = (): void => {
      for (let upper = above[row.length]; upper !== undefined; upper = above[row.length]) {
        upper.rows -= 1;
        if (upper.rows <= 0) above[row.length] = undefined;
        row.push(repeated(upper.text));
      }
    };
    for (const { element, text } of cells) {
      takeAbove();
      if (row.length >= MAX_COLUMNS) break;
      // The title of a group of rows is not said of each column.
      const isWhole = cells.length === 1 && row.length === 0;
      const columns = budget < 0 ? 1 : Math.min(span(element, 'colspan'), MAX_COLUMNS - row.length);
      const down = span(element, 'rowspan') - 1;
      for (let column = 0; column < columns; column += 1) {
        if (down > 0) above[row.length] = { text, rows: down };
        row.push(column === 0 ? text : isWhole ? '' : repeated(text));
      }
    }
    takeAbove();
    const saysNothing = cells.length > 0 && cells.every(({ element }) => span(element, 'rowspan') > 1);
    if (!saysNothing || source === sources.at(-1)) rows.push(row);
  }
  return { rows, hasHeader: hasHeader(sources) };
}

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

/** `null` when something stands in the table that is in no cell. */
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

/** Names of columns: a `thead`, or a first row of `th` alone; one `th` before `td` names its row. */
function hasHeader(rows: readonly Row[]): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  return (
    first.isHead ||
    (first.cells.length > 1 &&
      first.cells.filter(({ name }) => name === 'td').length <= 1 &&
      first.cells.some(({ name }) => name === 'th') &&
      first.cells.at(-1)?.name === 'th')
  );
}

/** Tables that compare put signs where words would be: what a picture says of itself, else its sign. */
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
  // `rowspan=0` reaches to the end; the limits are the standard's.
  if (name === 'rowspan' && value === 0) return 65_534;
  return Number.isFinite(value) && value > 1 ? Math.min(value, name === 'colspan' ? 1_000 : 65_534) : 1;
}

function holds(element: HtmlElement, name: string): boolean {
  return (
    element.complexBlocks > 0 &&
    element.children.some((child) => typeof child !== 'string' && (child.name === name || holds(child, name)))
  );
}
