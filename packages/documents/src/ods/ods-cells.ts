import type { CellContent } from '../document/document.js';
import { paragraphText, type TextContext } from '../odt/odt-text.js';
import { childElements, type XmlElement } from '../xml/xml-tree.js';

/** The columns of the largest sheet. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;

export interface OdsCell {
  /** Of the first cell that it describes, from 0. */
  readonly column: number;
  /** How many cells beside each other it describes. */
  readonly repeated: number;
  /** Whether another cell is merged over it. */
  readonly isCovered: boolean;
  /** Of a merged cell. */
  readonly columns: number;
  readonly rows: number;
  readonly element: XmlElement;
}

/** The cells of a row (ODF 1.3, 9.1.4), those without content, too. */
export function* cellsOfRow(row: XmlElement): Generator<OdsCell> {
  let column = 0;
  for (const element of childElements(row)) {
    const isCovered = element.name === 'covered-table-cell';
    if (!isCovered && element.name !== 'table-cell') continue;
    const repeated = Math.min(countOf(element, 'number-columns-repeated'), MAX_COLUMNS - column);
    if (repeated <= 0) return;
    yield {
      column,
      repeated,
      isCovered,
      columns: countOf(element, 'number-columns-spanned'),
      rows: countOf(element, 'number-rows-spanned'),
      element,
    };
    column += repeated;
  }
}

/** How often an element counts. No sheet has more rows. */
export function countOf({ attributes }: XmlElement, attribute: string): number {
  const count = Number(attributes[attribute] ?? 1);
  return Number.isInteger(count) ? Math.min(MAX_ROWS, Math.max(1, count)) : 1;
}

export interface CellText {
  readonly text: string;
  readonly kind?: 'number' | 'date' | undefined;
  readonly content?: CellContent;
}

/** The text that a cell shows, which the file has, and its value. Hidden and struck text is left out. */
export function readCell(cell: XmlElement, context: TextContext): CellText {
  const { attributes } = cell;
  const style = context.styles.textStyle('table-cell', attributes['style-name']);
  const paragraphs = childElements(cell).filter(({ name }) => name === 'p');
  const shown = paragraphs
    .map((paragraph) => paragraphText(paragraph, [], context, style).text.trim())
    .join('\n')
    .trim();
  const value = valueOf(attributes);
  // Some programs write values only.
  if (paragraphs.length === 0) return { ...value, text: value.text || formulaOf(attributes['formula']) };
  if (shown !== '' || paragraphs.some(({ children }) => children.length > 0))
    return { ...value, text: shown };
  // A format such as `;;;` shows nothing. Without a format, a program has not written the text.
  if (context.styles.attribute('table-cell', attributes['style-name'], 'data-style-name') === undefined)
    return value;
  context.builder.leaveOut('hidden', value.text);
  return { text: '' };
}

/** The value of a cell (ODF 1.3, 19.389), as a text for cells that have no other. */
function valueOf(attributes: XmlElement['attributes']): CellText {
  const { 'value-type': type, value = '', currency = '' } = attributes;
  const number = Number(value);
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage': {
      if (value === '' || !Number.isFinite(number)) return { text: value };
      const percent = `${Number((number * 100).toPrecision(15))}%`;
      const text = type === 'percentage' ? percent : `${number} ${currency}`.trim();
      return { text, kind: 'number', content: number };
    }
    case 'date': {
      const [date = '', time = ''] = (attributes['date-value'] ?? '').split('T');
      const text = time === '' || /^00:00:00(?:\.0+)?$/.test(time) ? date : `${date} ${time.slice(0, 8)}`;
      return { text, kind: 'date', ...(/^\d{4}-\d\d-\d\d$/.test(date) ? { content: text } : {}) };
    }
    case 'time': {
      const text = timeOf(attributes['time-value'] ?? '');
      return {
        text,
        kind: 'date',
        ...(/^[01]\d|^2[0-3]/.test(text) && text.length === 8 ? { content: text } : {}),
      };
    }
    case 'boolean':
      return { text: (attributes['boolean-value'] ?? '').toUpperCase() };
    case undefined:
    default:
      return { text: attributes['string-value'] ?? '' };
  }
}

/** `PT04H05M06S` as `04:05:06` (XML Schema, duration). */
function timeOf(duration: string): string {
  const [, sign = '', hours = '0', minutes = '0', seconds = '0'] =
    /^(-?)PT?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?$/.exec(duration) ?? [];
  return `${sign}${[hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')}`;
}

/** A formula whose result is not in the file, without the namespace of its language: `of:=SUM([.A1:.A3])`. */
function formulaOf(formula = ''): string {
  return formula.slice(formula.indexOf('=') < 0 ? formula.length : formula.indexOf('='));
}

/** The name of a column, from 0: `AB`. */
export function columnName(column: number): string {
  const rest = Math.trunc(column / 26) - 1;
  return `${rest < 0 ? '' : columnName(rest)}${String.fromCharCode(65 + (column % 26))}`;
}
