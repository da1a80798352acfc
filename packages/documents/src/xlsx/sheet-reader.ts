import type { CellContent } from '../document/document.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { RunText } from '../office/run-text.js';
import { isSymbolFont, symbolText } from '../office/symbol-fonts.js';
import {
  childElements,
  childText,
  descendant,
  hasFlag,
  isOn,
  readXmlPieces,
  textContent,
  type XmlElement,
} from '../xml/xml-tree.js';
import { columnIndex } from './merged-ranges.js';
import { builtInFormat, dateOf, type NumberFormat, numberFormat } from '../office/number-format.js';

const MAX_COLUMNS = 16_384;
/** A character as `_x000D_` (18.18.95, ST_Xstring). */
const ESCAPED = /_x([0-9a-f]{4})_/gi;

export interface SheetContext {
  readonly sharedStrings: readonly StringItem[];
  readonly formats: CellFormats;
  readonly builder: DocumentBuilder;
  /** Gets the headers and footers of printed sheets. */
  readonly margins: string[];
}

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  /** Texts by column, from 0. */
  readonly cells: string[];
  /** Columns with numbers, and with dates or times. Other columns have texts. */
  readonly kinds: readonly ('number' | 'date' | undefined)[];
  /** What the cells hold, by column. */
  readonly contents: CellContent[];
}

/**
 * Reads a worksheet row by row (ECMA-376 18.3.1).
 *
 * @param visit called with each row that has text
 */
export async function readSheet(
  xml: AsyncIterable<string>,
  context: SheetContext,
  visit: (row: SheetRow) => void,
): Promise<void> {
  let previous = 0;
  await readXmlPieces(xml, new Set(['row', 'headerFooter']), (row) => {
    if (row.name === 'headerFooter') return void context.margins.push(...marginTexts(row));
    // Row numbers and cell references are optional; the default is the next row or cell.
    const number = Number(row.attributes['r'] ?? previous + 1) || previous + 1;
    previous = number;
    const cells: string[] = [];
    const kinds: ('number' | 'date' | undefined)[] = [];
    const contents: CellContent[] = [];
    let next = 0;
    for (const cell of childElements(row, 'c')) {
      const column = columnOf(cell.attributes['r']) ?? next;
      next = column + 1;
      if (column >= MAX_COLUMNS) continue;
      const { text: whole, kind, content, unstruck = '' } = readCell(cell, context);
      const isStruckOut = context.formats.isStruck(cell.attributes['s']);
      const text = isStruckOut ? unstruck : whole;
      if (isStruckOut) context.builder.leaveOut('deleted', whole.replace(unstruck, ''));
      if (text.trim() === '') continue;
      cells[column] = text;
      if (kind !== undefined) kinds[column] = kind;
      if (content !== undefined) contents[column] = content;
    }
    if (cells.length > 0) visit({ number, cells: Array.from(cells, (text) => text ?? ''), kinds, contents });
  });
}

/** Codes in headers and footers for fields, fonts, and the three sections (18.3.1.46). */
const MARGIN_CODE = /&(?:"[^"]{0,200}"|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|\d{1,3}|.)/gis;
/** The text of codes. Numbers of pages are recognized by a digit. */
const MARGIN_TEXTS: Readonly<Record<string, string>> = {
  '&&': '&',
  '&P': '1',
  '&N': '1',
  '&C': '\t',
  '&R': '\t',
};

/** The texts of the headers and footers that are printed (18.3.1.46). */
function marginTexts(margins: XmlElement): string[] {
  const { differentFirst = '0', differentOddEven = '0' } = margins.attributes;
  return childElements(margins)
    .filter(({ name }) => !name.startsWith('first') || isOn(differentFirst))
    .filter(({ name }) => !name.startsWith('even') || isOn(differentOddEven))
    .map((margin) =>
      textContent(margin).replace(MARGIN_CODE, (code) => MARGIN_TEXTS[code.toUpperCase()] ?? ''),
    );
}

/** The text of a string, and that of its runs with a font of their own, which the font of a cell does not strike out. */
export interface StringItem {
  readonly text: string;
  readonly unstruck: string;
}

/** Reads a string item (18.4.8) without phonetic guides. Struck text is left out. */
export function stringItem(item: XmlElement, builder: DocumentBuilder): StringItem {
  const [all, own] = [new RunText(), new RunText()];
  for (const child of childElements(item)) {
    const isRun = child.name === 'r';
    if (!isRun && child.name !== 't') continue;
    if (hasFlag(child, 'rPr', 'strike')) {
      builder.leaveOut('deleted', textContent(child));
      continue;
    }
    const isRaised = isRun && descendant(child, 'rPr', 'vertAlign')?.attributes['val'] === 'superscript';
    const text = isRun ? runText(child) : textContent(child);
    all.add(text, isRaised);
    if (descendant(child, 'rPr') !== undefined) own.add(text, isRaised);
  }
  return { text: unescapeString(all.take()), unstruck: unescapeString(own.take()) };
}

function runText(run: XmlElement): string {
  const text = childElements(run, 't').map(textContent).join('');
  const font = descendant(run, 'rPr', 'rFont')?.attributes['val'];
  return isSymbolFont(font) ? symbolText(text, font) : text;
}

function unescapeString(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

interface ShownCell {
  readonly text: string;
  readonly kind?: 'number' | 'date';
  readonly content?: CellContent;
  readonly unstruck?: string;
}

function readCell(cell: XmlElement, context: SheetContext): ShownCell {
  const value = childText(cell, 'v') ?? '';
  const type = cell.attributes['t'];
  if (value === '' && type !== 'inlineStr') return { text: formulaOf(cell) };
  const format = context.formats.of(cell.attributes['s']);
  switch (type) {
    case 's':
    case 'inlineStr': {
      const [inline] = childElements(cell, 'is').map((item) => stringItem(item, context.builder));
      const item = type === 's' ? context.sharedStrings[Number(value)] : inline;
      return { ...shown(item?.text ?? '', format.showText, context), unstruck: item?.unstruck ?? '' };
    }
    case 'str':
      return shown(unescapeString(value), format.showText, context);
    case 'b':
      return { text: value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value };
    case 'd':
      return { text: value, kind: 'date' };
    case 'e':
      return { text: value };
    case undefined:
    default: {
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) return { text: value };
      const shownCell = shown(number, format.showNumber, context);
      if (!format.isDate) return { ...shownCell, kind: 'number', content: number };
      if (format.isDuration) return { ...shownCell, kind: 'date' };
      return { ...shownCell, kind: 'date', content: dateOf(number, context.formats.startsIn1904) };
    }
  }
}

function shown<T extends string | number>(
  value: T,
  show: (value: T) => string,
  { builder }: SheetContext,
): ShownCell {
  const text = show(value);
  if (text === '') builder.leaveOut('hidden', String(value));
  return { text };
}

/** A formula whose result is not in the file. Excel calculates such a cell when it opens the file. */
function formulaOf(cell: XmlElement): string {
  if (childText(cell, 'v') !== undefined) return '';
  const code = (childText(cell, 'f') ?? '').trim();
  return code === '' ? '' : `=${code}`;
}

/** The column, from 0, of a reference such as `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0];
  return letters === undefined ? undefined : columnIndex(letters);
}

/** The formats of a workbook by the indices that cells have. */
export class CellFormats {
  private readonly formats: NumberFormat[];
  private readonly general = builtInFormat(0);
  /** Indices of formats whose font strikes text out. */
  private readonly struck: ReadonlySet<number>;

  /** @param startsIn1904 whether day 0 is 1 January 1904 (18.2.28) */
  constructor(
    styles: XmlElement | undefined,
    readonly startsIn1904: boolean,
  ) {
    const codes = new Map<number, NumberFormat>();
    const custom = descendant(styles, 'numFmts');
    for (const { attributes } of childElements(custom, 'numFmt')) {
      codes.set(Number(attributes['numFmtId']), numberFormat(attributes['formatCode'] ?? '', startsIn1904));
    }
    const fonts = childElements(descendant(styles, 'fonts'), 'font').map((font) => hasFlag(font, 'strike'));
    const cells = childElements(descendant(styles, 'cellXfs'), 'xf');
    this.struck = new Set(
      [...cells.keys()].filter((index) => fonts[Number(cells[index]?.attributes['fontId'])]),
    );
    this.formats = cells.map((xf) => {
      const id = Number(xf.attributes['numFmtId'] ?? 0);
      return codes.get(id) ?? builtInFormat(id, startsIn1904);
    });
  }

  /** @param style index of the cell's style */
  of(style: string | undefined): NumberFormat {
    return this.formats[Number(style ?? 0)] ?? this.general;
  }

  isStruck(style: string | undefined): boolean {
    return this.struck.has(Number(style ?? 0));
  }
}
