import { monthNames } from '@citewell/retrieval/plain-text';
import { cellTerm } from './cell-term.js';

export type DayOrder = 'day first' | 'month first';

/** A date as it is written. Of numbers only, the order of day and month is that of the column. */
export interface DateParts {
  readonly year: number;
  /** Null when `first` and `second` are day and month in an order that the text does not tell. */
  readonly month: number | null;
  readonly day: number;
  readonly first: number;
  readonly second: number;
  /** `HH:MM:SS`, or an empty text. */
  readonly time: string;
}

const MAX_CHARACTERS = 45;
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:\s?([ap])\.?m\.?)?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?`;
/** A mark of a footnote may follow. */
const END = String.raw`(?:(?:T|,?\s+)${CLOCK})?(?:\*{1,5}|†|\[\w{1,3}\])?$`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${END}`, 'i');
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${END}`, 'i');
const EAST_ASIAN = new RegExp(
  String.raw`^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]${END}`,
  'i',
);
const WEEKDAY = String.raw`(?:\p{L}{2,12}\.?,?\s+)?`;
const DAY_NAME_YEAR = new RegExp(
  String.raw`^${WEEKDAY}(\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[\s-]+(?:de\s+)?(\p{L}{3,12})\.?,?[\s-]+(?:del?\s+)?(\d{4}|\d{2})${END}`,
  'iu',
);
const NAME_DAY_YEAR = new RegExp(
  String.raw`^${WEEKDAY}(\p{L}{3,12})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})${END}`,
  'iu',
);
const NAME_YEAR = /^(\p{L}{3,12})\.?,?[\s-]+(\d{4})$/u;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;
const YEAR_MONTH = /^(\d{4})-(\d{2})$/;
const TIME = new RegExp(`^${CLOCK}$`, 'i');
const WHOLE_HOUR = /^(\d{1,2})\s?([ap]\.?m)\.?$/i;
/** Minutes and seconds of a race. */
const LAP = /^(\d{1,2}):(\d{2})[.,](\d{1,3})$/;

/** A column of a million rows has few different days. */
const memo = new Map<string, DateParts | null>();
const MAX_MEMO = 5_000;

/** Reads a date, with a time or without. A month is its first day. @returns null for another text, and for 31 February */
export function dateParts(text: string): DateParts | null {
  if (text.length > MAX_CHARACTERS || text.length < 6) return null;
  const known = memo.get(text);
  if (known !== undefined) return known;
  const parts = numericDate(text) ?? (/\p{L}/u.test(text) ? namedDate(text) : null);
  if (memo.size >= MAX_MEMO) memo.clear();
  memo.set(text, parts);
  return parts;
}

function numericDate(text: string): DateParts | null {
  let found = YEAR_FIRST.exec(text);
  if (found !== null) return known(found[1], found[3], found[4], clock(found, 5));
  found = YEAR_LAST.exec(text);
  if (found !== null) return yearLast(found);
  found = COMPACT.exec(text);
  if (found !== null) return known(found[1], found[2], found[3], '');
  found = YEAR_MONTH.exec(text);
  return found === null ? null : known(found[1], found[2], '1', '');
}

/** Dates with full stops have the day first. Two digits beside hyphens can be the year, too. */
function yearLast(found: RegExpExecArray): DateParts | null {
  const [, one, mark, two, written = ''] = found;
  if (written.length === 2 && mark === '-') return null;
  const time = clock(found, 5);
  if (time === null) return null;
  if (mark === '.') return known(written, two, one, time);
  const [first, second] = [Number(one), Number(two)];
  const isDate =
    Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
  return isDate ? { year: yearOf(written), month: null, day: 0, first, second, time } : null;
}

function namedDate(text: string): DateParts | null {
  let found = EAST_ASIAN.exec(text);
  if (found !== null) return known(found[1], found[2], found[3], clock(found, 4));
  found = DAY_NAME_YEAR.exec(text);
  if (found !== null) return known(found[3], monthOf(found[2]), found[1], clock(found, 4));
  found = NAME_DAY_YEAR.exec(text);
  if (found !== null) return known(found[3], monthOf(found[1]), found[2], clock(found, 4));
  found = NAME_YEAR.exec(text);
  return found === null ? null : known(found[2], monthOf(found[1]), '1', '');
}

function known(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
  time: string | null,
): DateParts | null {
  const parts = { year: yearOf(year ?? ''), month: Number(month), day: Number(day) };
  return time !== null && isDay(parts) ? { ...parts, first: 0, second: 0, time } : null;
}

/** The date in the form of SQLite; null when the day does not exist in this order. */
export function dateValue(parts: DateParts, order: DayOrder): string | null {
  const { year, first, second, time } = parts;
  const isDayFirst = order === 'day first';
  const month = parts.month ?? (isDayFirst ? second : first);
  const day = parts.month === null ? (isDayFirst ? first : second) : parts.day;
  if (!isDay({ year, month, day })) return null;
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return time === '' ? date : `${date} ${time}`;
}

/** The time in the form of SQLite, `00:01:46.50` for `1:46.50`; null for another text, and for durations of a day or more. */
export function timeValue(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return null;
  const found = TIME.exec(text.replace(WHOLE_HOUR, '$1:00 $2'));
  const [, minutes, seconds, fraction] = found === null ? (LAP.exec(text) ?? []) : [];
  if (minutes !== undefined && Number(minutes) < 60 && Number(seconds) < 60)
    return `00:${two(Number(minutes))}:${seconds}.${fraction}`;
  return found === null ? null : clock(found, 1);
}

/** @returns an empty text when there is no time, null when there is no such time */
function clock(found: RegExpExecArray, at: number): string | null {
  const [hours, minutes, seconds = '0', half] = found.slice(at, at + 4);
  if (hours === undefined || minutes === undefined) return '';
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${two(hour)}:${minutes}:${two(Number(seconds))}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function yearOf(written: string): number {
  const year = Number(written);
  if (written.length > 2) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function isDay({ year, month, day }: { year: number; month: number; day: number }): boolean {
  if (!(month >= 1 && month <= 12 && day >= 1)) return false;
  if (month === 2) return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'cs',
  'sv',
  'da',
  'nb',
  'fi',
  'tr',
  'ru',
  'uk',
];
let months: Map<string, number> | undefined;

function monthOf(name = ''): number | undefined {
  months ??= monthNumbers();
  return months.get(cellTerm(name));
}

function monthNumbers(): Map<string, number> {
  const numbers = new Map<string, number>();
  const forms = (['long', 'short'] as const).flatMap((month) => [
    { month, day: 'numeric' as const },
    { month },
  ]);
  for (const names of LANGUAGES.map((language) => monthNames(language, forms)))
    for (const [index, of] of names.entries())
      for (const name of of.map(cellTerm))
        if (/^\p{L}{3,}$/u.test(name) && !numbers.has(name)) numbers.set(name, index + 1);
  // The abbreviation that Intl does not have.
  numbers.set('sept', 9);
  return numbers;
}
