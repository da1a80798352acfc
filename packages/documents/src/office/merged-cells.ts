import type { CellContent } from '../document/document.js';
import type { DocumentBuilder } from '../document/document-builder.js';

/** Markers for a cell covered by a merge: it shows the text of the cell to the left, or above. */
export const LEFT = Symbol('merged with the cell to the left');
export const ABOVE = Symbol('merged with the cell above');

export type GridCell = string | typeof LEFT | typeof ABOVE;

/** Longer texts are not repeated, because they are not names of rows or columns. */
const MAX_REPEATED_CHARACTERS = 200;

/**
 * Repeats the text of merged cells in every cell that they cover, so that each row can be understood on its
 * own in any chunk. The text of a row that is a single merged cell is a title and not repeated.
 */
function fillMerged(rows: readonly (readonly GridCell[])[]): string[][] {
  const filled: string[][] = [];
  for (const row of rows) {
    const above = filled.at(-1);
    const isTitle = row.every((cell, column) => (column === 0) === (typeof cell === 'string'));
    const cells: string[] = [];
    for (const [column, cell] of row.entries()) {
      if (typeof cell === 'string') cells.push(cell);
      else if (isTitle && cell === LEFT) cells.push('');
      else cells.push(repeated((cell === LEFT ? cells[column - 1] : above?.[column]) ?? ''));
    }
    filled.push(cells);
  }
  return filled;
}

/**
 * Adds a table with merged cells filled. A table with a single cell is a frame around text.
 *
 * @param headers how many rows are repeated as the header on each page: several are joined
 */
export function addGrid(
  grid: readonly (readonly GridCell[])[],
  headers: number,
  builder: DocumentBuilder,
): void {
  const filled = fillMerged(grid);
  const isJoined = headers > 1 && headers < filled.length;
  const rows = isJoined ? [joinHeader(filled.slice(0, headers)), ...filled.slice(headers)] : filled;
  const contents = (isJoined ? grid.slice(headers - 1) : grid).map(coveredCells);
  const [only] = rows;
  if (rows.length === 1 && only?.length === 1) builder.block('paragraph', only[0] ?? '');
  else builder.table(rows, { headerRow: rows.length > 1, contents });
}

function coveredCells(row: readonly GridCell[]): readonly CellContent[] | undefined {
  if (row.every((cell) => typeof cell === 'string')) return undefined;
  return row.map((cell) => (typeof cell === 'string' ? undefined : null));
}

function repeated(text: string): string {
  return text.length > MAX_REPEATED_CHARACTERS ? '' : text;
}

/**
 * Joins the rows of a header into one, with the texts of each column from top to bottom: `2024 / Q1`.
 *
 * @param rows with merged cells filled
 */
export function joinHeader(rows: readonly (readonly string[])[]): string[] {
  const length = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length }, (_, column) => {
    const texts = rows.map((row) => (row[column] ?? '').trim()).filter((text) => text !== '');
    return texts.filter((text, index) => text !== texts[index - 1]).join(' / ');
  });
}
