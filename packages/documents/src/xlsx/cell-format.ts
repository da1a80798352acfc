import { childElements, descendant, type XmlElement } from '../xml/xml-tree.js';
import { numberFormat, type FormatNumber } from './number-format.js';

type CellFormat = 'general' | 'date' | 'time' | 'datetime' | FormatNumber;

/**
 * Built-in number formats, which files do not define (ECMA-376 18.8.30), as far as they do not depend on the
 * locale.
 */
const BUILT_IN: Readonly<Record<number, CellFormat>> = {
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'datetime',
  45: 'time',
  46: 'time',
  47: 'time',
};

const BUILT_IN_NUMBERS: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
};

const DAY_MS = 86_400_000;

/** Formats the numbers of cells as they appear in the sheet. */
export class CellFormats {
  private readonly formats: CellFormat[];

  /** @param startsIn1904 whether day 0 is 1 January 1904 (18.2.28) */
  constructor(
    styles: XmlElement | undefined,
    private readonly startsIn1904: boolean,
  ) {
    const codes = new Map<number, string>();
    const custom = descendant(styles, 'numFmts');
    for (const format of custom === undefined ? [] : childElements(custom, 'numFmt')) {
      codes.set(Number(format.attributes['numFmtId']), format.attributes['formatCode'] ?? '');
    }
    const cells = descendant(styles, 'cellXfs');
    this.formats = (cells === undefined ? [] : childElements(cells, 'xf')).map((xf) => {
      const id = Number(xf.attributes['numFmtId'] ?? 0);
      const code = codes.get(id) ?? BUILT_IN_NUMBERS[id];
      return code === undefined ? (BUILT_IN[id] ?? 'general') : formatOfCode(code);
    });
  }

  /**
   * Formats the value of a cell.
   *
   * @param style index of the cell's style
   * @param value the stored value
   */
  format(style: number, value: string): string {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    const format = this.formats[style] ?? 'general';
    if (format === 'general') return shortest(number);
    // `toFixed` would use an exponent for larger numbers.
    if (typeof format === 'function') return Math.abs(number) < 1e21 ? format(number) : shortest(number);
    return this.formatDate(format, number) ?? shortest(number);
  }

  private formatDate(format: 'date' | 'time' | 'datetime', serial: number): string | null {
    if (serial < 0 || serial > 2_958_466) return null;
    // Day 60 of the 1900 system is the non-existent 29 February 1900, so earlier days are shifted by one.
    const offset = this.startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
    // Rounded to seconds, because fractions of a day are not exact in binary.
    const iso = new Date(offset + Math.round((serial * DAY_MS) / 1000) * 1000).toISOString();
    const date = iso.slice(0, 10);
    const time = iso.slice(11, 19).replace(/:00$/, '');
    if (format === 'date') return date;
    if (format === 'time') return serial < 1 ? time : null;
    return `${date} ${time}`;
  }
}

/** Spreadsheets store and show at most 15 digits; further digits are rounding errors. */
function shortest(number: number): string {
  return String(Number(number.toPrecision(15)));
}

function formatOfCode(code: string): CellFormat {
  // Remove literal text, colours, locales and padding.
  const letters = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]/gi, '').split(';', 1)[0] ?? '';
  if (/general|@/i.test(letters)) return 'general';
  const hasTime = /[hs]/i.test(letters);
  const hasDate = /[yd]/i.test(letters) || (/m/i.test(letters) && !hasTime);
  if (hasDate) return hasTime ? 'datetime' : 'date';
  if (hasTime) return 'time';
  return (letters.trim() === '' ? null : numberFormat(code)) ?? 'general';
}
