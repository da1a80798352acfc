import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { OfficePackage, type Relationship } from '../office/office-package.js';
import { childElements, descendant, readXmlPieces } from '../xml/xml-tree.js';
import { CellFormats } from './cell-format.js';
import { MergedRanges } from './merged-ranges.js';
import { addDrawings, hasDrawings } from './sheet-drawings.js';
import { readSheet, stringItem, type SheetContext } from './sheet-reader.js';
import { SheetTables } from './sheet-table.js';

/** Workbooks (ECMA-376, SpreadsheetML): a sheet is a heading and its tables, row by row. */
export const xlsxParser: DocumentParser = {
  async parse({ bytes, onProgress }, builder) {
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
      sharedStrings: await sharedStrings(office, main),
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
      if (relationship !== undefined && office.has(relationship.target)) {
        await addSheet(office, relationship, { name, builder, context });
      }
      onProgress({ done: index + 1, total: sheets.length });
    }
    builder.setMetadata('sheets', sheets.length).setMetadata('hiddenSheets', hidden.join(', '));
  },
};

interface SheetTarget {
  readonly name: string;
  readonly builder: DocumentBuilder;
  readonly context: SheetContext;
}

async function addSheet(
  office: OfficePackage,
  { type, target }: Relationship,
  sheet: SheetTarget,
): Promise<void> {
  const { builder, name, context } = sheet;
  // Not before there is something on it: a sheet without anything is not there.
  let isNamed = false;
  const named = (): void => {
    // Level 2, because the name of a sheet is no title of the workbook.
    if (!isNamed) builder.heading(2, name);
    isNamed = true;
  };
  if (type === 'worksheet') {
    // The merges stand behind the rows that they are needed for: the part is gone through twice.
    const merges = await MergedRanges.read(office.textPieces(target));
    const tables = new SheetTables(builder);
    await readSheet(office.textPieces(target), context, (row, cells) => {
      named();
      merges.fill(row, cells);
      tables.row(row, cells);
    });
    tables.close();
  }
  if (hasDrawings(office, target)) {
    named();
    addDrawings(office, target, builder);
  }
}

async function sharedStrings(office: OfficePackage, main: string): Promise<string[]> {
  const part = office.relatedPart(main, 'sharedStrings');
  const strings: string[] = [];
  if (part === undefined || !office.has(part)) return strings;
  await readXmlPieces(office.textPieces(part), new Set(['si']), (item) => strings.push(stringItem(item)));
  return strings;
}
