import type { DocumentBuilder } from '../document/document-builder.js';
import type { CellContent } from '../document/document.js';
import type { DocumentParser } from '../document-parser.js';
import { addMargins } from '../office/margin-text.js';
import { OdfObjects } from '../odt/odf-objects.js';
import { CONTENT, openPackage } from '../odt/odf-package.js';
import { OdtBody } from '../odt/odt-body.js';
import { OdtStyles, STYLE_ELEMENTS } from '../odt/odt-styles.js';
import { blockText, commentOf } from '../odt/odt-text.js';
import { MergedRanges } from '../xlsx/merged-ranges.js';
import type { SheetRow } from '../xlsx/sheet-reader.js';
import { SheetTables } from '../xlsx/sheet-table.js';
import {
  childElements,
  descendants,
  readXmlElements,
  readXmlPieces,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { cellsOfRow, columnName, countOf, readCell } from './ods-cells.js';

const MAX_ROWS = 1_048_576;
/** Rows and shapes of sheets, and copies of cells: of changes, and of other files. */
const CONTENT_ELEMENTS: ReadonlySet<string> = new Set([
  ...STYLE_ELEMENTS,
  'dde-links',
  'shapes',
  'table-row',
  'tracked-changes',
]);
const MARGINS = /^(?:header|footer)(?:-left|-first)?$/;
/** Fields of headers and footers. Their values in the file are placeholders. */
const FIELDS: ReadonlySet<string> = new Set([
  'date',
  'file-name',
  'page-count',
  'sheet-name',
  'time',
  'title',
]);

/** Reads workbooks (ODF 1.0 to 1.3, 9): each sheet is a heading and tables, then its shapes and comments. */
export const odsParser: DocumentParser = {
  async parse({ bytes, container, onProgress }, builder) {
    const archive = openPackage(bytes, container, builder);
    const styles = new OdtStyles();
    const common = archive.readText('styles.xml');
    if (common !== null) readXmlElements(common, STYLE_ELEMENTS, (style) => styles.add(style));
    const body = new OdtBody(builder, styles, new OdfObjects(archive));
    const masters = new Set<string>();
    const hidden: string[] = [];
    let sheets = 0;
    let sheet: Sheet | undefined;
    const finishSheet = (): void => {
      sheet?.finish();
      if (sheet !== undefined) onProgress({ done: sheets, total: sheets + 1 });
      sheet = undefined;
    };
    await readXmlPieces(
      archive.readTextPieces(CONTENT),
      CONTENT_ELEMENTS,
      (element) => {
        if (STYLE_ELEMENTS.has(element.name)) styles.add(element);
        else if (element.name === 'table-row') sheet?.addRow(element);
        else if (element.name === 'shapes') sheet?.addShapes(element);
        else if (element.name === 'tracked-changes')
          for (const text of descendants(element, 'p')) builder.leaveOut('deleted', textContent(text));
      },
      ({ name: element, attributes: { name = '', 'style-name': style } }) => {
        if (element !== 'table') return;
        finishSheet();
        sheets += 1;
        sheet = new Sheet(name, body);
        if (styles.property('table', style, 'table-properties', 'display') === 'false') hidden.push(name);
        masters.add(styles.attribute('table', style, 'master-page-name') ?? '');
      },
    );
    finishSheet();
    onProgress({ done: sheets, total: sheets });
    if (common !== null) addMargins(marginsOf(common, masters, body), builder);
    body.objects.unread.warn(builder);
    builder.setMetadata('sheets', sheets).setMetadata('hiddenSheets', hidden.join(', '));
  },
};

/** A merged cell. */
interface Span {
  readonly left: number;
  readonly right: number;
  readonly rows: number;
}

/** Adds a sheet while its rows are read. */
class Sheet {
  private readonly merges = new MergedRanges();
  private readonly tables: SheetTables;
  private readonly shapes: XmlElement[] = [];
  private readonly comments: string[] = [];
  private readonly builder: DocumentBuilder;
  /** Of the last row, from 1. */
  private number = 0;
  private hasHeading = false;

  constructor(
    private readonly name: string,
    private readonly body: OdtBody,
  ) {
    this.builder = body.builder;
    this.tables = new SheetTables(this.builder, this.merges);
  }

  /** Adds a row as often as it is repeated. Many sheets end with a million rows without text. */
  addRow(row: XmlElement): void {
    const repeated = Math.min(countOf(row, 'number-rows-repeated'), MAX_ROWS - this.number);
    const first = this.number + 1;
    this.number += repeated;
    if (repeated <= 0) return;
    const { cells, kinds, contents, spans } = this.readRow(row, first);
    if (cells.length === 0) return;
    this.addHeading();
    for (let number = first; number < first + repeated; number += 1) {
      for (const { left, right, rows } of spans)
        this.merges.add({ left, right, top: number, bottom: number + rows - 1 });
      const own = { number, cells: [...cells], kinds, contents: [...contents] };
      this.merges.fill(number, own.cells, own.contents);
      this.tables.row(own);
    }
  }

  addShapes(shapes: XmlElement): void {
    this.shapes.push(...childElements(shapes));
  }

  /** Adds what follows the rows. */
  finish(): void {
    this.tables.close();
    const shown = this.shapes.filter((shape) => hasContent(shape));
    if (shown.length + this.comments.length > 0) this.addHeading();
    for (const shape of shown) this.body.add(shape);
    this.body.finish();
    for (const comment of this.comments) this.builder.block('paragraph', comment);
  }

  private readRow(row: XmlElement, number: number): Omit<SheetRow, 'number'> & { readonly spans: Span[] } {
    const cells: string[] = [];
    const kinds: ('number' | 'date' | undefined)[] = [];
    const contents: CellContent[] = [];
    const spans: Span[] = [];
    for (const { column, repeated, isCovered, columns, rows, element } of cellsOfRow(row)) {
      this.addNotes(element, `${columnName(column)}${number}`);
      const { text, kind, content } = readCell(element, this.body);
      if (isCovered) {
        this.builder.leaveOut('hidden', text);
        continue;
      }
      if (columns > 1 || rows > 1) spans.push({ left: column, right: column + columns - 1, rows });
      if (text === '') continue;
      for (let at = column; at < column + repeated; at += 1) {
        cells[at] = text;
        if (kind !== undefined) kinds[at] = kind;
        if (content !== undefined) contents[at] = content;
      }
    }
    return { cells: Array.from(cells, (text) => text ?? ''), kinds, contents, spans };
  }

  /** Keeps the comments and shapes of a cell. */
  private addNotes(cell: XmlElement, reference: string): void {
    for (const child of childElements(cell)) {
      const comment = child.name === 'annotation' ? commentOf(child, this.body) : '';
      if (comment !== '') this.comments.push(`${reference} ${comment}`);
      else if (child.name !== 'annotation' && child.name !== 'p') this.shapes.push(child);
    }
  }

  private addHeading(): void {
    // Level 2, because a level 1 heading would become the title of the document.
    if (!this.hasHeading) this.builder.heading(2, this.name);
    this.hasHeading = true;
  }
}

function hasContent(shape: XmlElement): boolean {
  return (
    shape.attributes['href'] !== undefined || shape.name === 'p' || childElements(shape).some(hasContent)
  );
}

/** The headers and footers of the sheets (ODF 1.3, 16.9). */
function marginsOf(styles: string, masters: ReadonlySet<string>, body: OdtBody): string[] {
  const texts: string[] = [];
  readXmlElements(styles, new Set(['master-page']), (master) => {
    if (!masters.has(master.attributes['name'] ?? '')) return;
    for (const margin of childElements(master))
      if (MARGINS.test(margin.name) && margin.attributes['display'] !== 'false')
        texts.push(blockText(withoutFields(margin), body));
  });
  return texts;
}

function withoutFields(element: XmlElement): XmlElement {
  const kept = element.children.filter((child) => typeof child === 'string' || !FIELDS.has(child.name));
  return {
    ...element,
    children: kept.map((child) => (typeof child === 'string' ? child : withoutFields(child))),
  };
}
