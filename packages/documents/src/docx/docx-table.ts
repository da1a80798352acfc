import { ABOVE, fillMerged, type GridCell, LEFT } from '../office/merged-cells.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';

/** Around elements without a meaning of their own for the reader. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  'sdt',
  'sdtContent',
  'ins',
  'moveTo',
  'customXml',
  'smartTag',
  'AlternateContent',
  'Choice',
]);

/** Wider spans are mistakes or malice. */
const MAX_SPAN = 63;

/** Rows of a table, with merged cells filled (ECMA-376 17.4). @param textOf reads a cell */
export function tableRows(table: XmlElement, textOf: (cell: XmlElement) => string): string[][] {
  return fillMerged(
    childrenThrough(table, 'tr').map((row) => {
      const before = spanOf(descendant(row, 'trPr', 'gridBefore'), 0);
      const cells = childrenThrough(row, 'tc').flatMap((cell): GridCell[] => {
        const span = Math.max(1, spanOf(descendant(cell, 'tcPr', 'gridSpan'), 1));
        const merge = descendant(cell, 'tcPr', 'vMerge');
        // The lower cells of a vertical merge are hidden by the first (17.4.84).
        const continues = merge !== undefined && merge.attributes['val'] !== 'restart';
        if (continues) return Array.from<GridCell>({ length: span }).fill(ABOVE);
        return [textOf(cell), ...Array.from<GridCell>({ length: span - 1 }).fill(LEFT)];
      });
      return [...Array.from({ length: before }, () => ''), ...cells];
    }),
  );
}

function spanOf(element: XmlElement | undefined, usual: number): number {
  const span = Number(element?.attributes['val'] ?? usual);
  return Number.isInteger(span) ? Math.min(MAX_SPAN, Math.max(0, span)) : usual;
}

/** Children of a name, also inside of content controls and other wrappers. */
function childrenThrough(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === name) return [child];
    return WRAPPERS.has(child.name) ? childrenThrough(child, name) : [];
  });
}
