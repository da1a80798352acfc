/** A cell that a merge covers: it shows what is to its left, or above it. */
export const LEFT = Symbol('merged with the cell to the left');
export const ABOVE = Symbol('merged with the cell above');

export type GridCell = string | typeof LEFT | typeof ABOVE;

/** Longer texts are not repeated: what a row needs to be understood on its own is a name. */
const MAX_REPEATED_CHARACTERS = 200;

/**
 * Repeats the text of merged cells in every cell that they cover, so that each row says by itself what it is about,
 * in whatever chunk it ends up. A row that is one single cell is said once: it is a title.
 */
export function fillMerged(rows: readonly (readonly GridCell[])[]): string[][] {
  const filled: string[][] = [];
  for (const row of rows) filled.push(fillRow(row, filled.at(-1)));
  return filled;
}

/** One row of {@link fillMerged}; `above` is the row above it as filled. */
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
