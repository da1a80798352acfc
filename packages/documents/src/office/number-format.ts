import {
  format,
  getFormatFromId,
  isDateFormat,
  isValidFormat,
  TOKEN_DATETIME,
  TOKEN_LOCALE,
  tokenize,
} from 'numfmt';

// The order of day and month depends on the locale of the reader, so these dates are written so that all readers
// understand them.
const DATE = 'yyyy-mm-dd';

/** A compiled format code of a spreadsheet (ECMA-376 Part 1, 18.8.31). */
export interface NumberFormat {
  readonly isDate: boolean;
  /** Whether hours or minutes can be more than those of a day. */
  readonly isDuration: boolean;
  /** The number as a cell shows it; `''` when the format hides it. */
  readonly showNumber: (value: number) => string;
  readonly showText: (text: string) => string;
}

/** The last day that a cell can show is 31 December 9999. */
const END_OF_DATES = 2_958_466;
/** Days between 1 January 1904 and the first day of the usual calendar of dates. */
const DAYS_UNTIL_1904 = 1462;
/** Characters that a sheet shows of a number without a format. */
const GENERAL_CHARACTERS = 11;
/** Numbers have 15 significant digits. Larger ones are not numbers of things. */
const END_OF_DIGITS = 1e16;

/** Excel refuses longer format codes. */
const MAX_CODE_CHARACTERS = 255;

const GENERAL: NumberFormat = {
  isDate: false,
  isDuration: false,
  showNumber: showGeneral,
  showText: (text) => text,
};

/**
 * Compiles a format code. A code that Excel would refuse shows numbers without a format.
 *
 * @param startsIn1904 whether day 0 is 1 January 1904 (18.2.28)
 */
export function numberFormat(code: string, startsIn1904 = false): NumberFormat {
  if (code.length > MAX_CODE_CHARACTERS || /^\s*(?:general\s*)?$/i.test(code)) return GENERAL;
  const pattern = portable(code);
  if (!isValidFormat(pattern)) return GENERAL;
  const isDate = isDateFormat(pattern);
  const isDuration = /\[(?:h+|m+|s+)\]/i.test(pattern);
  const isPlainText = !pattern.includes('@') && pattern.split(';').length < 4;
  const patternOf = isDate ? yearsOf(pattern) : () => pattern;
  return {
    isDate,
    isDuration,
    showNumber: (value) => {
      if (!isDate) return show(pattern, value);
      if (isDuration && value < 0 && !pattern.includes(';')) return `-${show(pattern, -value)}`;
      const day = startsIn1904 && !isDuration ? value + DAYS_UNTIL_1904 : value;
      // A cell shows hash signs.
      if (!isDuration && (day < 0 || day >= END_OF_DATES)) return showGeneral(value);
      return show(patternOf(day), day);
    },
    showText: isPlainText ? (text) => text : (text) => format(pattern, text),
  };
}

/** Like {@link numberFormat}, for an id of a format that the file does not define (ECMA-376 Part 1, 18.8.30). */
export function builtInFormat(id: number, startsIn1904 = false): NumberFormat {
  const code = String(getFormatFromId(id) ?? 'General').replace('m/d/yyyy', DATE);
  const own = numberFormat(code, startsIn1904);
  if (!isNationalDate(id)) return own;
  const [time, date, both] = ['h:mm:ss', DATE, `${DATE} h:mm`].map((each) =>
    numberFormat(each, startsIn1904),
  );
  const formatOf = (value: number): NumberFormat => (value < 1 ? time : value % 1 === 0 ? date : both) ?? own;
  return {
    isDate: true,
    isDuration: false,
    showText: own.showText,
    showNumber: (value) => formatOf(value).showNumber(value),
  };
}

/** Whether a format of East Asian and Thai versions of Excel shows dates or times: which, depends on the version. */
function isNationalDate(id: number): boolean {
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) || (id >= 71 && id <= 81);
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

/** Sheets have few different days. */
const dates = new Map<number, string>();
const MAX_DATES = 10_000;

/** The date of a day number as `YYYY-MM-DD`, with ` HH:MM:SS` if it has a time, which is alone before day 1. */
export function dateOf(value: number, startsIn1904: boolean): string | undefined {
  const day = startsIn1904 && value >= 1 ? value + DAYS_UNTIL_1904 : value;
  if (day < 0 || day >= END_OF_DATES) return undefined;
  const known = dates.get(day);
  if (known !== undefined) return known;
  const seconds = Math.round((day - EPOCH_DAYS) * 86_400);
  // Excel has a 29 February 1900.
  const shifted = day >= 1 && day < 61 ? seconds + 86_400 : seconds;
  const [date = '', time = ''] = new Date(shifted * 1_000).toISOString().split(/[T.]/);
  const text = day < 1 ? time : time === '00:00:00' ? date : `${date} ${time}`;
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(day, text);
  return text;
}

const DAY_MS = 86_400_000;
/** Day 0 of sheets in days before 1 January 1970. */
const EPOCH_DAYS = 25_569;
/** A locale with the calendar 7: `D07041E`, `th-TH,107`. */
const BUDDHIST = /^[0-9a-f]{1,2}07[0-9a-f]{4}$|,[0-9a-f]{0,2}07$/i;

/** Returns what writes the years of other calendars into a format of dates: Buddhist years, eras of Japan and Taiwan. */
function yearsOf(pattern: string): (day: number) => string {
  const tokens = tokenize(pattern);
  const locale = tokens.find(({ type }) => type === TOKEN_LOCALE)?.value.slice(1) ?? '';
  const withFields = (shown: (field: string) => string): string =>
    tokens.map(({ type, raw }) => (type === TOKEN_DATETIME ? shown(raw) : raw)).join('');
  const isTaiwan = /404$|^zh-TW/i.test(locale);
  const hasEra = tokens.some(({ type, raw }) => type === TOKEN_DATETIME && /^g/i.test(raw));
  if (!isTaiwan && !hasEra && !/411$|^ja/i.test(locale)) {
    const own = BUDDHIST.test(locale) ? withFields((field) => field.replace(/y/gi, 'b')) : pattern;
    return () => own;
  }
  const part = (type: 'era' | 'year', language: string, era: 'long' | 'narrow' = 'long') => {
    const calendar = `${language}-u-ca-${isTaiwan ? 'roc' : 'japanese'}`;
    const dates = new Intl.DateTimeFormat(calendar, { era, year: 'numeric', timeZone: 'UTC' });
    return (day: number): string =>
      dates.formatToParts((Math.trunc(day) - EPOCH_DAYS) * DAY_MS).find((item) => item.type === type)
        ?.value ?? '';
  };
  // The first year has a name of its own, 元, if the format says so.
  const year = part('year', locale.includes('gannen') ? 'ja' : 'en');
  const era = part('era', isTaiwan ? 'zh-TW' : 'ja');
  const letter = isTaiwan ? era : part('era', 'ja', 'narrow');
  return (day) =>
    withFields((field) => {
      if (/^e/i.test(field)) return `"${year(day).padStart(Math.min(field.length, 2), '0')}"`;
      if (!/^g/i.test(field)) return field;
      if (field.length === 1) return `"${letter(day)}"`;
      return `"${field.length === 2 && !isTaiwan ? era(day).charAt(0) : era(day)}"`;
    });
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
