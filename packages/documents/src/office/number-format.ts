import { format, isDateFormat, isValidFormat } from 'numfmt';

// The order of day and month depends on the locale of the reader, so these dates are written so that all readers
// understand them.
const DATE = 'yyyy-mm-dd';

const DATE_TIME = 'yyyy-mm-dd h:mm';
const DATE_OR_TIME: DateOrTimeCode = { date: DATE, time: 'h:mm' };
const DATE_OR_TIME_WITH_SECONDS: DateOrTimeCode = { date: DATE, time: 'h:mm:ss' };

/**
 * Codes of the formats that files refer to by an id only (ECMA-376 Part 1, 18.8.30). Ids from 27 to 36 and from 50 to 58
 * are formats of East Asian versions of Excel, ids from 59 to 81 those of the Thai version.
 */
const BUILT_IN_CODES: ReadonlyMap<number, string | DateOrTimeCode> = new Map<number, string | DateOrTimeCode>(
  [
    [1, '0'],
    [2, '0.00'],
    [3, '#,##0'],
    [4, '#,##0.00'],
    [5, '"$"#,##0_);\\("$"#,##0\\)'],
    [6, '"$"#,##0_);[Red]\\("$"#,##0\\)'],
    [7, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
    [8, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)'],
    [9, '0%'],
    [10, '0.00%'],
    [11, '0.00E+00'],
    [12, '# ?/?'],
    [13, '# ??/??'],
    [14, DATE],
    [15, 'd-mmm-yy'],
    [16, 'd-mmm'],
    [17, 'mmm-yy'],
    [18, 'h:mm AM/PM'],
    [19, 'h:mm:ss AM/PM'],
    [20, 'h:mm'],
    [21, 'h:mm:ss'],
    [22, DATE_TIME],
    [27, DATE],
    [28, DATE],
    [29, DATE],
    [30, DATE],
    [31, DATE],
    [32, 'h:mm'],
    [33, 'h:mm:ss'],
    [34, DATE_OR_TIME],
    [35, DATE_OR_TIME_WITH_SECONDS],
    [36, DATE],
    [37, '#,##0_);\\(#,##0\\)'],
    [38, '#,##0_);[Red]\\(#,##0\\)'],
    [39, '#,##0.00_);\\(#,##0.00\\)'],
    [40, '#,##0.00_);[Red]\\(#,##0.00\\)'],
    [41, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)'],
    [42, '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)'],
    [43, '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'],
    [44, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'],
    [45, 'mm:ss'],
    [46, '[h]:mm:ss'],
    [47, 'mm:ss.0'],
    [48, '##0.0E+0'],
    [49, '@'],
    [50, DATE],
    [51, DATE],
    [52, DATE],
    [53, DATE],
    [54, DATE],
    [55, DATE_OR_TIME],
    [56, DATE_OR_TIME_WITH_SECONDS],
    [57, DATE],
    [58, DATE],
    [59, '0'],
    [60, '0.00'],
    [61, '#,##0'],
    [62, '#,##0.00'],
    [67, '0%'],
    [68, '0.00%'],
    [69, '# ?/?'],
    [70, '# ??/??'],
    [71, DATE],
    [72, 'd-mmm-yy'],
    [73, 'd-mmm'],
    [74, 'mmm-yy'],
    [75, 'h:mm'],
    [76, 'h:mm:ss'],
    [77, DATE_TIME],
    [78, 'mm:ss'],
    [79, '[h]:mm:ss'],
    [80, 'mm:ss.0'],
    [81, DATE],
  ],
);

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
/** Characters that a sheet shows of a number without a format. */
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
  const patternOf = isDate ? yearsOf(pattern) : () => pattern;
  return {
    isDate,
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

const DAY_MS = 86_400_000;
/** Day 0 of sheets in days before 1 January 1970. */
const EPOCH_DAYS = 25_569;
const LOCALE = /\[\$-([^\]]{1,40})\]/;
/** A locale with the calendar 7: `D07041E`, `th-TH,107`. */
const BUDDHIST = /^[0-9a-f]{1,2}07[0-9a-f]{4}$|,[0-9a-f]{0,2}07$/i;
/** Excel refuses longer format codes. */
const MAX_CODE_CHARACTERS = 255;
/** The names of eras (`g`) and the years in them (`e`), and what else has such letters. */
// At most 255 characters: a format code.
const ERA_FIELDS = /"[^"]*"|\\.|\[[^\]]*\]|g+|e+/gi;

/** Returns what writes the years of other calendars into a format of dates: Buddhist years, eras of Japan and Taiwan. */
function yearsOf(pattern: string): (day: number) => string {
  const locale = LOCALE.exec(pattern)?.[1] ?? '';
  if (pattern.length > MAX_CODE_CHARACTERS) return () => pattern;
  if (BUDDHIST.test(locale)) return () => pattern.replace(/y/gi, 'b');
  const isTaiwan = /404$|^zh-TW/i.test(locale);
  const hasEra = pattern.match(ERA_FIELDS)?.some((field) => /^g/i.test(field)) === true;
  if (!isTaiwan && !hasEra && !/411$|^ja/i.test(locale)) return () => pattern;
  const part = (type: 'era' | 'year', language: string, era: 'long' | 'narrow' = 'long') => {
    const calendar = `${language}-u-ca-${isTaiwan ? 'roc' : 'japanese'}`;
    const dates = new Intl.DateTimeFormat(calendar, { era, year: 'numeric', timeZone: 'UTC' });
    return (day: number): string =>
      dates.formatToParts((Math.trunc(day) - EPOCH_DAYS) * DAY_MS).find((item) => item.type === type)
        ?.value ?? '';
  };
  // The first year has a name of its own, 元, if the format says so.
  const year = part('year', locale.includes('gannen') ? 'ja' : 'en');
  const [era, letter] = isTaiwan
    ? [part('era', 'zh-TW'), part('era', 'zh-TW')]
    : [part('era', 'ja'), part('era', 'ja', 'narrow')];
  return (day) =>
    pattern.replace(ERA_FIELDS, (field) => {
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

/** A format that shows a time for numbers below 1, and else a date: its meaning depends on the language of Excel. */
interface DateOrTimeCode {
  readonly date: string;
  readonly time: string;
}
