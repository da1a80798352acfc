import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { OfficePackage, type Relationship } from '../office/office-package.js';
import {
  childElements,
  childText,
  descendant,
  descendants,
  isOn,
  readXmlPieces,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { EmbeddedFiles, type EmbeddedParts, isEmbedded } from '../office/embedded-parts.js';
import { drawingParagraphs, drawingText, isHiddenShape, struckText } from '../office/drawing-text.js';
import { addMargins } from '../office/margin-text.js';
import { commentText } from '../document/canonical-text.js';
import {
  CellFormats,
  readSheet,
  type SheetContext,
  type SheetRow,
  type StringItem,
  stringItem,
} from './sheet-reader.js';
import { MergedRanges } from './merged-ranges.js';
import { SheetTables } from './sheet-table.js';

/** The author of the copy of a thread that older versions of Excel show. The id is that of its first comment. */
const THREAD_AUTHOR = /^tc=\{/;

const DRAWING_PARTS = /^(?:drawing|comments|threadedComment|oleObject|package)$/;

/** Reads workbooks (ECMA-376, SpreadsheetML): each sheet is a heading and tables. */
export const xlsxParser: DocumentParser = {
  async parse(input, builder) {
    const office = new OfficePackage(input.bytes, input.container);
    office.addMetadata(builder);
    const main = office.packagePart('officeDocument', 'xl/workbook.xml');
    const workbook = office.tree(main, 'workbook');
    const relationships = office.relationships(main);
    const styles = office.relatedPart(main, 'styles');
    const startsIn1904 = isOn(descendant(workbook, 'workbookPr')?.attributes['date1904'] ?? 'false');
    const context: SheetContext = {
      sharedStrings: await sharedStrings(office, main, builder),
      formats: new CellFormats(
        styles === undefined ? undefined : office.tree(styles, 'styleSheet'),
        startsIn1904,
      ),
      builder,
      margins: [],
    };
    const persons = personsOf(office, main);
    const files = new EmbeddedFiles(office, input, builder);

    const list = descendant(workbook, 'sheets');
    const sheets = childElements(list, 'sheet');
    const hidden: string[] = [];
    for (const [index, sheet] of sheets.entries()) {
      const name = sheet.attributes['name'] ?? '';
      const relationship = relationships.get(sheet.attributes['r:id'] ?? '');
      const { state = 'visible' } = sheet.attributes;
      if (state !== 'visible') hidden.push(name);
      const part = relationship?.target ?? '';
      if (relationship !== undefined && office.has(part) && office.isFirstVisit(part)) {
        // Only a program can show such a sheet. Excel offers to show other hidden sheets.
        const isLeftOut = state === 'veryHidden';
        await addSheet(office, relationship, { name, builder, context, persons, files, isLeftOut });
      }
      input.onProgress({ done: index + 1, total: sheets.length });
    }
    addMargins(context.margins, builder);
    office.close(builder);
    builder.setMetadata('sheets', sheets.length).setMetadata('hiddenSheets', hidden.join(', '));
  },
};

/** Sheets with cells; the other kinds have drawings only. */
const SHEETS: ReadonlySet<string> = new Set(['worksheet', 'xlMacrosheet', 'xlIntlMacrosheet']);

interface SheetTarget {
  readonly name: string;
  readonly builder: DocumentBuilder;
  readonly context: SheetContext;
  readonly persons: ReturnType<typeof personsOf>;
  readonly files: EmbeddedFiles;
  readonly isLeftOut: boolean;
}

async function addSheet(
  office: OfficePackage,
  { type, target }: Relationship,
  sheet: SheetTarget,
): Promise<void> {
  const { builder, name, context } = sheet;
  // The heading is added with the first content, so that empty sheets have none.
  let hasHeading = false;
  const addHeading = (): void => {
    // Level 2, because a level 1 heading would become the title of the document.
    if (!hasHeading) builder.heading(2, name);
    hasHeading = true;
  };
  const hasCells = SHEETS.has(type);
  if (sheet.isLeftOut) {
    const leaveOut = ({ cells }: SheetRow): unknown => builder.leaveOut('hidden', cells.join(' '));
    if (hasCells) await readSheet(office.textPieces(target), context, leaveOut);
    return;
  }
  if (hasCells) {
    // The merged cells follow the rows in the file, so the part is read twice.
    const merges = await MergedRanges.read(office.textPieces(target));
    const tables = new SheetTables(builder, merges);
    await readSheet(office.textPieces(target), context, (row) => {
      addHeading();
      merges.fill(row.number, row.cells, row.contents);
      tables.row(row);
    });
    tables.close();
  }
  if ([...office.relationships(target).values()].some((part) => DRAWING_PARTS.test(part.type))) {
    addHeading();
    await addDrawings(office, target, sheet);
  }
}

async function sharedStrings(
  office: OfficePackage,
  main: string,
  builder: DocumentBuilder,
): Promise<StringItem[]> {
  const part = office.relatedPart(main, 'sharedStrings');
  const strings: StringItem[] = [];
  if (part === undefined || !office.has(part)) return strings;
  await readXmlPieces(office.textPieces(part), new Set(['si']), (item) =>
    strings.push(stringItem(item, builder)),
  );
  return strings;
}

/** Adds text boxes, charts, diagrams, objects and cell comments of a sheet, each part once per file. */
async function addDrawings(
  office: OfficePackage,
  sheet: string,
  { builder, persons, files }: SheetTarget,
): Promise<void> {
  for (const [part, drawing] of office.newParts(sheet, 'drawing', 'wsDr')) {
    const anchors = childElements(drawing).toSorted((a, b) => rowOf(a) - rowOf(b));
    const embedded = await files.partsOf(part);
    for (const anchor of anchors) addShapes(anchor, builder, embedded);
  }
  (await files.partsOf(sheet, true)).addFiles();
  for (const comment of sheetComments(office, sheet, persons)) builder.block('paragraph', comment);
}

/** The row that a shape begins in. */
function rowOf(anchor: XmlElement): number {
  return Number(childText(descendant(anchor, 'from'), 'row')) || 0;
}

function addShapes(element: XmlElement, builder: DocumentBuilder, embedded: EmbeddedParts): void {
  for (const child of childElements(element)) {
    if (isHiddenShape(child)) builder.leaveOut('hidden', drawingText(child));
    else if (isEmbedded(child)) embedded.add(child);
    else if (child.name !== 'txBody') addShapes(child, builder, embedded);
    else
      builder.leaveOut('deleted', struckText(child)).block('paragraph', drawingParagraphs(child).join('\n'));
  }
}

/** Authors of threaded comments (MS-XLSX 2.6.203), by id. */
function personsOf(office: OfficePackage, main: string): ReadonlyMap<string | undefined, string | undefined> {
  const lists = office.newParts(main, 'person', 'personList');
  const persons = lists.flatMap(([, list]) => childElements(list, 'person'));
  return new Map(persons.map(({ attributes }) => [attributes['id'], attributes['displayName']]));
}

/** The comments of a sheet with the references of their cells. */
function sheetComments(office: OfficePackage, sheet: string, persons: SheetTarget['persons']): string[] {
  const threads = office.newParts(sheet, 'threadedComment', 'ThreadedComments').flatMap(([, list]) =>
    childElements(list, 'threadedComment').map((comment) => {
      const { ref, personId, dT: date = '' } = comment.attributes;
      const author = persons.get(personId);
      return atCell(ref, {
        author,
        date: date.slice(0, 'yyyy-mm-dd'.length),
        text: childText(comment, 'text'),
      });
    }),
  );
  const comments = office
    .newParts(sheet, 'comments', 'comments')
    .flatMap(([, part]) => commentsOf(part, threads.length > 0));
  return [...comments, ...threads];
}

/** @param hasThreads whether threads are read from their own part, and not from the copies for older versions */
function commentsOf(comments: XmlElement, hasThreads: boolean): string[] {
  const list = descendant(comments, 'authors');
  const authors = childElements(list, 'author').map(textContent);
  const entries = descendant(comments, 'commentList');
  return childElements(entries, 'comment').map((comment) => {
    const { ref, authorId } = comment.attributes;
    const author = authors[Number(authorId)] ?? '';
    const text = [...descendants(comment, 't')].map(textContent).join('');
    if (!THREAD_AUTHOR.test(author)) return atCell(ref, { author, text });
    return hasThreads ? '' : atCell(ref, { text });
  });
}

function atCell(
  reference = '',
  { author, date, text = '' }: { author?: string | undefined; date?: string; text: string | undefined },
): string {
  const comment = commentText({ author, date, text });
  return comment === '' ? '' : `${reference} ${comment}`.trim();
}
