import { childElements, readXmlPieces, textContent, type XmlElement } from '../xml/xml-tree.js';
import { columnIndex } from './merged-ranges.js';
import type { CellFormats } from './cell-format.js';

const MAX_COLUMNS = 16_384;

export interface SheetContext {
  readonly sharedStrings: readonly string[];
  readonly formats: CellFormats;
}

/**
 * Reads a worksheet row by row (ECMA-376 18.3.1).
 *
 * @param visit called with the row number from 1 and the cells by column, except for rows without text
 */
export async function readSheet(
  xml: AsyncIterable<string>,
  context: SheetContext,
  visit: (row: number, cells: string[]) => void,
): Promise<void> {
  let previous = 0;
  await readXmlPieces(xml, new Set(['row']), (row) => {
    // Row numbers and cell references are optional; the default is the next row or cell.
    const number = Number(row.attributes['r'] ?? previous + 1) || previous + 1;
    previous = number;
    const cells: string[] = [];
    for (const cell of childElements(row, 'c')) {
      const column = columnOf(cell.attributes['r']) ?? cells.length;
      if (column >= MAX_COLUMNS) continue;
      const text = cellText(cell, context);
      if (text.trim() !== '') cells[column] = text;
    }
    if (cells.length > 0)
      visit(
        number,
        Array.from(cells, (text) => text ?? ''),
      );
  });
}

/** The text of a string item (18.4.8) without phonetic guides. */
export function stringItem(item: XmlElement): string {
  return childElements(item)
    .map((child) => {
      if (child.name === 't') return textContent(child);
      return child.name === 'r' ? childElements(child, 't').map(textContent).join('') : '';
    })
    .join('');
}

function cellText(cell: XmlElement, { sharedStrings, formats }: SheetContext): string {
  const element = childElements(cell, 'v')[0];
  const value = element === undefined ? '' : textContent(element);
  switch (cell.attributes['t']) {
    case 's':
      return sharedStrings[Number(value)] ?? '';
    case 'inlineStr':
      return childElements(cell, 'is').map(stringItem).join('');
    case 'b':
      return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
    case 'str':
    case 'e':
    case 'd':
      return value;
    case undefined:
    default:
      return formats.format(Number(cell.attributes['s'] ?? 0), value);
  }
}

/** The column, from 0, of a reference such as `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0];
  return letters === undefined ? undefined : columnIndex(letters);
}
