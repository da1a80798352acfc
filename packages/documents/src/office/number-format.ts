import { format, isDateFormat, isValidFormat } from 'numfmt';
import { BUILT_IN_CODES } from './built-in-formats.js';

/** A compiled format code of a spreadsheet (ECMA-376 Part 1, 18.8.31). */
export interface NumberFormat {
  readonly isDate: boolean;
  /** The number as a cell shows it; `''` when the format hides it. */
  readonly showNumber: (value: number) => string;
  readonly showText: (text: string) => string;
}

/** The last day that a cell can show is 31 December 9999. */
const END_OF_DATES = 2_958_466;
/** Days between 1 January 1904 and the first day of the usual calendar of dates. */
const DAYS_UNTIL_1904 = 1462;
/** A sheet shows at most so many characters of a number without a format. */
const GENERAL_CHARACTERS = 11;
/** Numbers have 15 significant digits. Larger ones are not numbers of things. */
const END_OF_DIGITS = 1e16;

const GENERAL: NumberFormat = { isDate: false, showNumber: showGeneral, showText: (text) => text };

/**
 * Compiles a format code. A code that Excel would refuse shows numbers without a format.
 *
 * @param startsIn1904 whether day 0 is 1 January 1904 (18.2.28)
 */
export function numberFormat(code: string, startsIn1904 = false): NumberFormat {
  if (/^\s*(?:general\s*)?$/i.test(code)) return GENERAL;
  const pattern = portable(code);
  if (!isValidFormat(pattern)) return GENERAL;
  const isDate = isDateFormat(pattern);
  const isDuration = /\[(?:h+|m+|s+)\]/i.test(pattern);
  const isPlainText = !pattern.includes('@') && pattern.split(';').length < 4;
  return {
    isDate,
    showNumber: (value) => {
      if (!isDate) return show(pattern, value);
      if (isDuration && value < 0 && !pattern.includes(';')) return `-${show(pattern, -value)}`;
      const day = startsIn1904 && !isDuration ? value + DAYS_UNTIL_1904 : value;
      // A cell shows hash signs.
      if (!isDuration && (day < 0 || day >= END_OF_DATES)) return showGeneral(value);
      return show(pattern, day);
    },
    showText: isPlainText ? (text) => text : (text) => format(pattern, text),
  };
}

/** Like {@link numberFormat}, for an id of a format that the file does not define (18.8.30). */
export function builtInFormat(id: number, startsIn1904 = false): NumberFormat {
  const code = BUILT_IN_CODES.get(id) ?? 'General';
  if (typeof code === 'string') return numberFormat(code, startsIn1904);
  const [time, date] = [numberFormat(code.time, startsIn1904), numberFormat(code.date, startsIn1904)];
  return { ...date, showNumber: (value) => (value < 1 ? time : date).showNumber(value) };
}

/**
 * Rewrites what the library shows in another way than Excel: a currency with a locale does not change the
 * separators of a number, Chinese codes name the halves of a day, and the short names of these may be in lower case.
 */
function portable(code: string): string {
  const plain = code.replace(/\[\$([^[\]-]+)-[^[\]]*\]/g, '[$$$1]');
  const halves = plain.replace(/上午\/下午/g, 'AM/PM').replace(/\ba\/p\b/g, 'A/P');
  return !plain.includes('上午') || /\[\$-/.test(plain) ? halves : `[$-804]${halves}`;
}

function show(pattern: string, value: number): string {
  return format(pattern, value).trim();
}

/**
 * Shows a number without a format. Integers keep all digits, where Excel has an exponent from twelve digits on: they are
 * numbers of articles and accounts, and Excel shows all digits when a person selects the cell.
 */
function showGeneral(value: number): string {
  if (Math.abs(value) >= 1e11 && Math.abs(value) < END_OF_DIGITS)
    return String(Number(value.toPrecision(15)));
  const text = String(value);
  return text.length <= GENERAL_CHARACTERS && !text.includes('e') ? text : format('General', value);
}
