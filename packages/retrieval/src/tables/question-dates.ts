import { monthNames, MONTHS, WRITTEN_MONTHS } from '../analysis/months.js';
import { foldWord } from '../analysis/word-folder.js';
import type { Range } from '../analysis/sentence-window.js';
import type { Language } from '../question/function-words.js';
import { CALENDAR, numberWords } from '../support/number-words.js';
import { readQuantities } from '../support/read-quantities.js';
import { isFunctionWord } from './range-words.js';

/** Days of the calendar as `2026-05-01`; `to` is exclusive. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** A day, month, quarter or year that a question names. */
export interface AskedDate extends Range {
  /** Null: any year. */
  readonly year: number | null;
  /** The first month, from 1, and how many. Null: the whole year. */
  readonly months: { readonly first: number; readonly count: number } | null;
  readonly day: number | null;
}

type DateParts = Pick<AskedDate, 'year' | 'months' | 'day'>;

const YEAR = String.raw`((?:19|20)\d{2})`;
const MONTH = String.raw`(0?[1-9]|1[0-2])`;
const OF = String.raw`(?:\s(?:of |de |del |des Jahres )?|[/-])?`;
/** Longest first, so that the whole name is found. */
const NAMES = [...MONTHS.keys()].toSorted((a, b) => b.length - a.length).join('|');
/** 五月. The last ones begin with others. */
const CHINESE_MONTHS = monthNames('zh', [{ month: 'long' }]).flat();
const QUARTERS = String.raw`(?:quarter|quartal|trimestre)`;
/** A verb at the beginning of a sentence, unless a year or another month follows: "May we …" */
const INITIAL_VERB = /(?:^|[.?!:]\s+)(?:May|March)\s+(?!(?:and|or|vs\.?|to)\s|\d)/u;
/** Forms that `readQuantities` does not read: a year and a month in digits or in another language, a quarter, 5月 */
const FORMS: readonly (readonly [RegExp, (match: readonly (string | undefined)[]) => DateParts])[] = [
  [
    new RegExp(String.raw`(?<![\d.,/-])${YEAR}[-/]${MONTH}(?![\d/-])`, 'gu'),
    ([, year, month]) => monthOf(month, year),
  ],
  [
    new RegExp(String.raw`(?<![\d.,/-])${MONTH}[./]${YEAR}(?!\d)`, 'gu'),
    ([, month, year]) => monthOf(month, year),
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\d]|\d\.? )(${NAMES})\.?\s(?:de |del |of )?${YEAR}(?!\d)`, 'giu'),
    ([, name = '', year]) => monthOf(String(MONTHS.get(name.toLowerCase())), year),
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\d])[QT]([1-4])(?:${OF}${YEAR})?(?![\p{L}\d])`, 'giu'),
    ([, quarter, year]) => quarterOf(quarter, year),
  ],
  [
    new RegExp(String.raw`(?<!\d)${YEAR}[ /-]?Q([1-4])(?![\p{L}\d])`, 'giu'),
    ([, year, quarter]) => quarterOf(quarter, year),
  ],
  [
    new RegExp(
      String.raw`(?<![\d.,])([1-4])(?:\.|st|nd|rd|th|er|e|[ºª])*\s?${QUARTERS}(?:${OF}${YEAR})?(?![\p{L}\d])`,
      'giu',
    ),
    ([, quarter, year]) => quarterOf(quarter, year),
  ],
  [
    new RegExp(String.raw`(?<![\d年])\s?${MONTH}[月월](?!\s?\d)`, 'gu'),
    ([, month]) => monthOf(month, undefined),
  ],
  [
    new RegExp(CHINESE_MONTHS.toReversed().join('|'), 'gu'),
    ([name = '']) => monthOf(String(1 + CHINESE_MONTHS.indexOf(name)), undefined),
  ],
];

/**
 * The days, months, quarters and years that a question names, in order. A month without a year has the year of the question if it
 * names one year. Null if a date cannot be read in one way only: "04/07/2026" in English, "May 2025 and 2026".
 */
export function askedDates(question: string, language: Language): readonly AskedDate[] | null {
  if (language === 'en' && INITIAL_VERB.test(question)) return null;
  const found: AskedDate[] = [];
  const add = (range: Range, parts: DateParts): void => {
    if (!found.some(({ start, end }) => start < range.end && range.start < end))
      found.push({ start: range.start, end: range.end, ...parts });
  };
  for (const [pattern, read] of FORMS)
    for (const match of question.matchAll(pattern))
      add({ start: match.index, end: match.index + match[0].length }, read(match));
  const dates = new Map<number, { text: string; parts: Map<string, readonly number[]> }>();
  for (const { start, text, values, dimension } of readQuantities(question, language)) {
    if (!Object.values<string>(CALENDAR).includes(dimension)) continue;
    const date = dates.get(start) ?? { text, parts: new Map<string, readonly number[]>() };
    date.parts.set(dimension, values);
    dates.set(start, date);
  }
  for (const [start, { text, parts }] of dates) {
    // With strokes, the day is first in other languages than English.
    const isAmbiguous = new Set(parts.get(CALENDAR.month)).size > 1;
    if (isAmbiguous && language === 'en') return null;
    const [year = null] = parts.get(CALENDAR.year) ?? [];
    const [month] = parts.get(CALENDAR.month) ?? [];
    const [day = null] = parts.get(CALENDAR.day) ?? [];
    if (month === undefined && (year === null || year < 1900)) continue;
    add(
      { start, end: start + text.length },
      { year, months: month === undefined ? null : { first: month, count: 1 }, day },
    );
  }
  for (const [month, range] of namedMonths(question, language)) add(range, monthOf(String(month), undefined));
  return withYears(found.toSorted((a, b) => a.start - b.start));
}

/** "May and June 2026", "May, 2026": the year counts for all months. */
function withYears(dates: readonly AskedDate[]): readonly AskedDate[] | null {
  const named = dates.filter(({ months }) => months !== null);
  const whole = dates.filter(({ months }) => months === null);
  const years = new Set(dates.flatMap(({ year }) => year ?? []));
  const isDated = named.every(({ year }) => year !== null);
  if (whole.length === 0 ? isDated || years.size === 0 : named.length === 0) return dates;
  const [year = null] = years;
  // "May 2025 and 2026" may mean the whole year, or May again.
  if (years.size > 1 || (whole.length > 0 && named.some((date) => date.year !== null))) return null;
  return [
    // The words of the year belong to the first month.
    ...named.slice(0, 1).map((date) => ({
      ...date,
      year,
      start: Math.min(date.start, ...whole.map(({ start }) => start)),
      end: Math.max(date.end, ...whole.map(({ end }) => end)),
    })),
    ...named.slice(1).map((date) => ({ ...date, year })),
  ];
}

/** Most years in which a month without a year is searched. */
const MAX_YEARS = 12;

/**
 * The days of a date. If it names no year, those of each year in which a column has dates. Empty for too many years, and for a day
 * that is none.
 *
 * @param least the first day of the column
 * @param greatest the last one
 */
export function rangesOf({ year, months, day }: AskedDate, least: string, greatest: string): DateRange[] {
  const [first = 0, last = 0] = [least, greatest].map((date) => Number(date.slice(0, 4)));
  if (year === null && last - first >= MAX_YEARS) return [];
  const years = year === null ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [year];
  const all = years.flatMap((one) => {
    const month = (months?.first ?? 1) - 1;
    if (day === null) return [{ from: iso(one, month, 1), to: iso(one, month + (months?.count ?? 12), 1) }];
    // 29 February is a day of some years.
    const isDay = new Date(Date.UTC(one, month, day)).getUTCMonth() === month;
    return isDay ? [{ from: iso(one, month, day), to: iso(one, month, day + 1) }] : [];
  });
  const within = all.filter(({ from, to }) => from <= greatest && to > least);
  return within.length > 0 ? within : all;
}

function iso(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** "2026", "Q2 2026", "May 2026" or "May 3, 2026" in a language. */
export function rangeName({ from, to }: DateRange, language: Language): string {
  const start = new Date(from);
  const end = new Date(to);
  const months =
    12 * (end.getUTCFullYear() - start.getUTCFullYear()) + end.getUTCMonth() - start.getUTCMonth();
  const isWhole = start.getUTCDate() === 1 && end.getUTCDate() === 1;
  if (isWhole && months === 12) return from.slice(0, 4);
  if (isWhole && months === 3) return `Q${1 + start.getUTCMonth() / 3} ${from.slice(0, 4)}`;
  const options: Intl.DateTimeFormatOptions =
    isWhole && months === 1 ? { month: 'long', year: 'numeric' } : { dateStyle: 'long' };
  return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(start);
}

function monthOf(month: string | undefined, year: string | undefined): DateParts {
  return {
    year: year === undefined ? null : Number(year),
    months: { first: Number(month), count: 1 },
    day: null,
  };
}

function quarterOf(quarter: string | undefined, year: string | undefined): DateParts {
  return {
    year: year === undefined ? null : Number(year),
    months: { first: 3 * Number(quarter) - 2, count: 3 },
    day: null,
  };
}

/** Shorter names of months are other words, too. */
const MIN_MONTH = 4;

/** Whether a word is the name of a month in any language: the question may be in another one than it seems. */
export function isMonthName(word: string): boolean {
  return word.length >= MIN_MONTH && !isFunctionWord(foldWord(word)) && MONTHS.has(word.toLowerCase());
}

const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/**
 * The months that stand alone. In English and German, "may" and "march" are other words. Those of another language than the
 * question's count if they are written as there: "Mars" is no month in English.
 */
function* namedMonths(question: string, language: Language): Generator<[number, Range]> {
  const { months } = numberWords(language);
  for (const { 0: word, index } of question.matchAll(WORD)) {
    const isCapital = /^\p{Lu}/u.test(word) || !['en', 'de'].includes(language);
    const own = isCapital ? months.get(word.toLowerCase()) : undefined;
    const month = own ?? (isMonthName(word) ? WRITTEN_MONTHS.get(word) : undefined);
    if (month !== undefined) yield [month, { start: index, end: index + word.length }];
  }
}
