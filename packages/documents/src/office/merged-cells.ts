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
export function fillMerged(rows: readonly (readonly GridCell[])[]): string[][] {
  const filled: string[][] = [];
  for (const row of rows) filled.push(fillRow(row, filled.at(-1)));
  return filled;
}

/** Fills one row, see {@link fillMerged}. `above` is the filled row above. */
export function fillRow(row: readonly GridCell[], above: readonly string[] | undefined): string[] {
  const isTitle = row.every((cell, column) => (column === 0) === (typeof cell === 'string'));
  const cells: string[] = [];
  for (const [column, cell] of row.entries()) {
    if (typeof cell === 'string') cells.push(cell);
    else if (isTitle && cell === LEFT) cells.push('');
    else cells.push(repeated((cell === LEFT ? cells[column - 1] : above?.[column]) ?? ''));
  }
  return cells;
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
