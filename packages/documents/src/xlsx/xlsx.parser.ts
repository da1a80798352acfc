import type { DocumentBuilder, TableWriter } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { OfficePackage } from '../office/office-package.js';
import { childElements, descendant, readXmlElements } from '../xml/xml-tree.js';
import { CellFormats } from './cell-format.js';
import { readSheet, stringItem, type SheetContext } from './sheet-reader.js';

/** Rows that lie further apart than this are two tables. */
const MAX_GAP_ROWS = 1;

/** Workbooks (ECMA-376, SpreadsheetML): a sheet is a heading and its tables, row by row. */
export const xlsxParser: DocumentParser = {
  parse({ bytes, onProgress }, builder) {
    const office = new OfficePackage(bytes);
    office.describe(builder);
    const main = office.mainPart('xl/workbook.xml');
    const workbook = office.tree(main, 'workbook');
    const relationships = office.relationships(main);
    const styles = office.relatedPart(main, 'styles');
    const startsIn1904 = ['1', 'true'].includes(
      descendant(workbook, 'workbookPr')?.attributes['date1904'] ?? '',
    );
    const context: SheetContext = {
      sharedStrings: sharedStrings(office, main),
      formats: new CellFormats(
        styles === undefined ? undefined : office.tree(styles, 'styleSheet'),
        startsIn1904,
      ),
    };

    const list = descendant(workbook, 'sheets');
    const sheets = list === undefined ? [] : childElements(list, 'sheet');
    const hidden: string[] = [];
    for (const [index, sheet] of sheets.entries()) {
      const name = sheet.attributes['name'] ?? '';
      const relationship = relationships.get(sheet.attributes['r:id'] ?? '');
      if ((sheet.attributes['state'] ?? 'visible') !== 'visible') hidden.push(name);
      if (relationship?.type === 'worksheet' && office.has(relationship.target)) {
        addSheet(builder, name, office.text(relationship.target), context);
      }
      onProgress({ done: index + 1, total: sheets.length });
    }
    builder.setMetadata('sheets', sheets.length).setMetadata('hiddenSheets', hidden.join(', '));
  },
};

function addSheet(builder: DocumentBuilder, name: string, xml: string, context: SheetContext): void {
  let table: TableWriter | undefined;
  let previous = 0;
  let hasHeading = false;
  readSheet(xml, context, (row, cells) => {
    if (table !== undefined && row > previous + MAX_GAP_ROWS) {
      table.close();
      table = undefined;
    }
    previous = row;
    if (table === undefined) {
      // Not before there is a row: a sheet without any is not there.
      // Level 2, because the name of a sheet is no title of the workbook.
      if (!hasHeading) builder.heading(2, name);
      hasHeading = true;
      table = builder.openTable({ headerRow: isHeaderRow(cells) });
    }
    table.row(cells);
  });
  table?.close();
}

/** Names of columns are words: two or more of them, and no number among them. */
function isHeaderRow(cells: readonly string[]): boolean {
  const filled = cells.filter((text) => text.trim() !== '');
  return filled.length > 1 && filled.every((text) => Number.isNaN(Number(text)));
}

function sharedStrings(office: OfficePackage, main: string): string[] {
  const part = office.relatedPart(main, 'sharedStrings');
  const strings: string[] = [];
  if (part === undefined || !office.has(part)) return strings;
  readXmlElements(office.text(part), new Set(['si']), (item) => strings.push(stringItem(item)));
  return strings;
}
