import { ABOVE, fillMerged, type GridCell, joinHeader, LEFT } from '../office/merged-cells.js';
import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { isOn } from './docx-run-styles.js';

/** Elements whose children are read as if they were not wrapped. */
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

/** Larger spans are errors or attacks. */
const MAX_SPAN = 63;

/**
 * The rows of a table, with merged cells filled (ECMA-376 17.4). Rows that repeat on each page as the header are joined into
 * one.
 *
 * @param readers.textOf returns the text of a cell
 * @param readers.isShown whether a row is shown
 */
export function tableRows(
  table: XmlElement,
  { textOf, isShown }: { textOf: (cell: XmlElement) => string; isShown: (row: XmlElement) => boolean },
): string[][] {
  const shown = childrenInWrappers(table, 'tr').filter(isShown);
  const rows = fillMerged(
    shown.map((row) => {
      const before = spanOf(descendant(row, 'trPr', 'gridBefore'), 0);
      const cells = childrenInWrappers(row, 'tc').flatMap((cell): GridCell[] => {
        const span = Math.max(1, spanOf(descendant(cell, 'tcPr', 'gridSpan'), 1));
        const merge = descendant(cell, 'tcPr', 'vMerge');
        // In a vertical merge, only the first cell is shown (17.4.84).
        const continues = merge !== undefined && merge.attributes['val'] !== 'restart';
        if (continues) return Array.from<GridCell>({ length: span }).fill(ABOVE);
        return [textOf(cell), ...Array.from<GridCell>({ length: span - 1 }).fill(LEFT)];
      });
      return [...Array.from({ length: before }, () => ''), ...cells];
    }),
  );
  const firstOther = shown.findIndex((row) => !isHeader(row));
  return firstOther > 1 ? [joinHeader(rows.slice(0, firstOther)), ...rows.slice(firstOther)] : rows;
}

function isHeader(row: XmlElement): boolean {
  const flag = descendant(row, 'trPr', 'tblHeader');
  return flag !== undefined && isOn(flag.attributes['val']);
}

function spanOf(element: XmlElement | undefined, fallback: number): number {
  const span = Number(element?.attributes['val'] ?? fallback);
  return Number.isInteger(span) ? Math.min(MAX_SPAN, Math.max(0, span)) : fallback;
}

/** Children with a name, including those inside of content controls and other wrappers. */
function childrenInWrappers(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === name) return [child];
    return WRAPPERS.has(child.name) ? childrenInWrappers(child, name) : [];
  });
}
