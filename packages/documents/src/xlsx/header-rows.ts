import type { MergedRanges } from './merged-ranges.js';
import type { SheetRow } from './sheet-reader.js';

const MAX_HEADER_ROWS = 5;

/** Whether a cell has no text. */
function isBlank(text: string | undefined): boolean {
  return (text ?? '').trim() === '';
}

export function filledCells({ cells }: SheetRow): number {
  return cells.reduce((count, text) => count + (isBlank(text) ? 0 : 1), 0);
}

/**
 * Whether a row has column names: two or more cells, at least one of them a word, and no numbers except years. Dates are
 * column names if there are several.
 */
export function isHeaderRow(row: SheetRow): boolean {
  return (
    filledCells(row) > 1 && row.cells.some((text, column) => isName(row, text, column)) && hasOnlyNames(row)
  );
}

/**
 * Whether a row names groups of columns: cells that are merged with cells to their right. Such a row is a part of a header
 * only if {@link continuesHeader} holds for the next row.
 */
export function isGroupRow(row: SheetRow, merges: MergedRanges): boolean {
  return filledCells(row) > 1 && merges.groupsIn(row.number).length > 0 && hasOnlyNames(row);
}

/**
 * Whether a row is the next row of a header: the row above names groups of columns, and this one only has the names of
 * columns in the groups. Other columns have their name in one of the rows, or in a cell that is merged over both.
 */
export function continuesHeader(head: readonly SheetRow[], row: SheetRow, merges: MergedRanges): boolean {
  const last = head.at(-1);
  if (last === undefined || head.length >= MAX_HEADER_ROWS || row.number !== last.number + 1) return false;
  const groups = merges.groupsIn(last.number);
  if (groups.length === 0 || !hasOnlyNames(row)) return false;
  let named = 0;
  for (const [column, text] of row.cells.entries()) {
    if (isBlank(text) || merges.continuesAbove(row.number, column)) continue;
    const isInGroup = groups.some(({ left, right }) => left <= column && column <= right);
    if (!isInGroup && !isBlank(last.cells[column])) return false;
    if (isInGroup) named += 1;
  }
  return named > 0;
}

function hasOnlyNames(row: SheetRow): boolean {
  const dates = row.kinds.filter((kind) => kind === 'date').length;
  return row.cells.every((text, column) => {
    if (isBlank(text) || /^(?:19|20)\d\d$/.test(text.trim())) return true;
    const kind = row.kinds[column];
    if (kind === 'date') return dates > 1;
    return kind === undefined && (isName(row, text, column) || !/\d/.test(text));
  });
}

function isName({ kinds }: SheetRow, text: string, column: number): boolean {
  return kinds[column] === undefined && Number.isNaN(Number(text)) && /\p{L}|^\s*#\s*$/u.test(text);
}
