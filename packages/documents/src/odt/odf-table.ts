import { ABOVE, type GridCell, LEFT } from '../office/merged-cells.js';
import { childElements, type XmlElement } from '../xml/xml-tree.js';

/** Elements around rows. */
const ROW_GROUPS: ReadonlySet<string> = new Set(['table-header-rows', 'table-rows', 'table-row-group']);

/** Larger spans and repetitions in the tables of texts are errors or attacks. */
const MAX_REPEATED = 63;

/** The rows of a table, in groups or not. */
export function rowsOf(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return ROW_GROUPS.has(child.name) ? rowsOf(child) : [];
  });
}

/** The cells of a row, with those that a merged cell covers. */
export function cellsOf(row: XmlElement, textOf: (cell: XmlElement) => string): GridCell[] {
  const cells: GridCell[] = [];
  /** The number of covered cells that belong to a cell of this row. */
  let covered = 0;
  for (const cell of childElements(row)) {
    const isCovered = cell.name === 'covered-table-cell';
    if (!isCovered && cell.name !== 'table-cell') continue;
    if (!isCovered) covered = countOf(cell, 'number-columns-spanned') - 1;
    const text = isCovered ? '' : textOf(cell);
    for (let repeated = countOf(cell, 'number-columns-repeated'); repeated > 0; repeated -= 1) {
      if (!isCovered) cells.push(text);
      else cells.push(covered > 0 ? LEFT : ABOVE);
      if (isCovered) covered -= 1;
    }
  }
  return cells;
}

function countOf(cell: XmlElement, attribute: string): number {
  const count = Number(cell.attributes[attribute] ?? 1);
  return Number.isInteger(count) ? Math.min(MAX_REPEATED, Math.max(1, count)) : 1;
}
