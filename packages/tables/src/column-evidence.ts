import { type DateParts, dateParts, dateValue, type DayOrder, timeValue } from './read-date.js';
import {
  currencyOf,
  type DecimalMark,
  hasLeadingZero,
  type NumberParts,
  numberParts,
  readingOf,
  valueOf,
} from './read-number.js';
import type { ColumnType, TableColumn } from './typed-table.js';

/** What a cell of a workbook holds: a number, a date as text, or null if it is covered by a merged cell. */
export type CellContent = number | string | null | undefined;

/** How the values of a column are read. */
export interface ColumnFormat extends Omit<TableColumn, 'name'> {
  readonly decimal: DecimalMark;
  readonly order: DayOrder;
  /** Years name a row, also in a cell that is merged over several rows. Other numbers must count once. */
  readonly areYears: boolean;
  /** The name of the column has the unit, and its cells have none. */
  readonly isUnitInHeader?: true;
}

/** What columns of the same table tell about the others. */
export interface TableLocale {
  readonly decimal: DecimalMark | null;
  readonly order: DayOrder | null;
}

/** This share of the cells with digits must read as the type of the column, or all of at least ten but one. */
const MIN_SHARE = 0.95;
const isMost = (count: number, all: number): boolean =>
  count >= all * MIN_SHARE || (count === all - 1 && all >= 10);
/** Words such as `n/a` in a column of numbers: few of all cells, or few different ones. */
const MAX_WORDS = 0.1;
const MAX_WORD_KINDS = 3;
const MAX_WORD_KIND_SHARE = 0.5;
/** After so many cells, a column of other texts is not examined further. */
const SAMPLE = 2_000;
const MAX_KINDS = 8;
/** Numbers such as 20260131 are dates if all of a column are. */
const MIN_COMPACT_DATES = 3;
/** Numbers that all have so many digits are those of articles and accounts. */
const IDENTIFIER_DIGITS = 11;
const FIRST_YEAR = 1000;
const LAST_YEAR = 2200;

/** Counts how the cells of a column read, and decides its type from all of them. */
export class ColumnEvidence {
  /** Cells with text. */
  filled = 0;
  private words = 0;
  private readonly wordKinds = new Set<string>();
  private numbers = 0;
  private leadingZeros = 0;
  private dotDecimals = 0;
  private commaDecimals = 0;
  private dotOrGroup = 0;
  private commaOrGroup = 0;
  private ungrouped = 0;
  private small = 0;
  private years = 0;
  private compactDates = 0;
  /** Lengths of numbers without marks; 0 when they differ. */
  private digitsLength: number | undefined;
  private readonly currencies = new Map<string | null, number>();
  private readonly units = new Map<string, number>();
  private dates = 0;
  private undecidedDates = 0;
  private dayFirst = 0;
  private monthFirst = 0;
  private times = 0;
  private isText = false;

  add(text: string, content: CellContent): void {
    if (text === '' || content === null) return;
    this.filled += 1;
    if (this.isText) return;
    if (typeof content === 'number') this.addNumber(text, content);
    else if (content !== undefined) this.addContent(content);
    else if (/\d/.test(text)) this.addText(text);
    else if (/\p{L}/u.test(text)) this.addWord(text);
    else this.filled -= 1;
    if (this.filled >= SAMPLE && this.filled % SAMPLE === 0)
      this.isText = this.numbers + this.dates + this.times < this.filled * (1 - MAX_WORD_KIND_SHARE);
  }

  private get hasYears(): boolean {
    return this.years > 0 && this.years === this.numbers;
  }

  /** The decimal mark and the order of dates that the cells of this column show. */
  get locale(): TableLocale {
    const { dotDecimals: dot, commaDecimals: comma } = this;
    return {
      decimal: dot === comma ? null : dot > comma ? '.' : ',',
      order:
        this.dayFirst === this.monthFirst
          ? null
          : this.dayFirst > this.monthFirst
            ? 'day first'
            : 'month first',
    };
  }

  /** @param others the locale of other columns, or of the file, where this column does not tell */
  format(others: TableLocale): ColumnFormat {
    const decimal = this.decimalMark(others);
    const order = this.locale.order ?? others.order;
    const format = {
      decimal: decimal ?? '.',
      order: order ?? 'day first',
      areYears: this.hasYears,
      currency: null,
    };
    const type = this.type(decimal !== null, order !== null);
    if (type !== 'number') return { ...format, type };
    return { ...format, ...this.kindOfNumbers() };
  }

  private type(hasDecimal: boolean, hasOrder: boolean): ColumnType {
    const { numbers, dates, times, words, filled, isText } = this;
    const read = filled - words;
    const areWordsFew =
      words <= filled * MAX_WORDS ||
      (this.wordKinds.size <= MAX_WORD_KINDS && words <= filled * MAX_WORD_KIND_SHARE);
    if (isText || read === 0 || !areWordsFew) return 'text';
    if (isMost(dates, read) && (this.undecidedDates === 0 || (hasOrder && !this.hasBothOrders)))
      return 'date';
    if (isMost(times, read)) return 'time';
    if (this.compactDates >= MIN_COMPACT_DATES && this.compactDates === filled) return 'date';
    if ((this.digitsLength ?? 0) >= IDENTIFIER_DIGITS) return 'text';
    return isMost(numbers, read) && hasDecimal && this.leadingZeros === 0 && this.hasOneUnit
      ? 'number'
      : 'text';
  }

  private get hasBothOrders(): boolean {
    return this.dayFirst > 0 && this.monthFirst > 0;
  }

  /** The unit of most numbers; empty without one. */
  private get unit(): string {
    return [...this.units].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
  }

  /** Numbers with another unit, or without the one of the others, have no value: 500 BC among years, 900000 among 1.2M. */
  private get otherUnits(): number {
    return this.numbers - (this.units.get(this.unit) ?? 0);
  }

  private get hasOneUnit(): boolean {
    return isMost(this.units.get(this.unit) ?? this.numbers, this.numbers);
  }

  private decimalMark(others: TableLocale): DecimalMark | null {
    const { dotDecimals: dot, commaDecimals: comma, dotOrGroup, commaOrGroup } = this;
    if (dot > 0 || comma > 0) return dot >= comma ? '.' : ',';
    if (dotOrGroup === 0 && commaOrGroup === 0) return '.';
    // Thousands without groups beside it: the mark is no group. Years never have groups.
    if (this.ungrouped > this.years) return dotOrGroup > 0 ? '.' : ',';
    if (dotOrGroup === 0) return others.decimal ?? '.';
    // Only the thousands have the mark: it is a group.
    if (this.small > 0 && dotOrGroup > 1 && commaOrGroup === 0) return ',';
    return others.decimal;
  }

  private kindOfNumbers(): Pick<
    ColumnFormat,
    'type' | 'currency' | 'mixedCurrencies' | 'unit' | 'unreadCells'
  > {
    const codes = [...this.currencies.keys()].filter((code) => code !== null);
    const { unit } = this;
    const unread = this.filled - this.words - this.numbers + this.otherUnits;
    const rest = unread > 0 ? { unreadCells: unread } : {};
    if (unit === '%') return { type: 'percent', currency: null, ...rest };
    const withUnit = unit === '' ? rest : { unit, ...rest };
    const [first = null] = codes;
    if (first === null) return { type: 'number', currency: null, ...withUnit };
    if (codes.length === 1) return { type: 'money', currency: first, ...withUnit };
    return { type: 'money', currency: null, mixedCurrencies: true, ...withUnit };
  }

  private addWord(text: string): void {
    this.words += 1;
    if (this.wordKinds.size <= MAX_WORD_KINDS) this.wordKinds.add(text);
  }

  private addNumber(text: string, value: number): void {
    const parts = numberParts(text);
    this.numbers += 1;
    if (parts !== null) this.addAffixes(parts);
    if (parts?.digits === text && Number.isInteger(value)) this.addDigits(text);
    else this.digitsLength = 0;
  }

  /** A number without marks, sign and unit. */
  private addDigits(text: string): void {
    this.digitsLength = (this.digitsLength ?? text.length) === text.length ? text.length : 0;
    if (text.length === 4 && Number(text) >= FIRST_YEAR && Number(text) <= LAST_YEAR) this.years += 1;
    if (text.length === 8 && dateParts(text) !== null) this.compactDates += 1;
  }

  private addContent(content: string): void {
    if (content.includes('-')) this.dates += 1;
    else this.times += 1;
  }

  private addText(text: string): void {
    const parts = numberParts(text);
    const reading = parts === null ? 'none' : readingOf(parts.digits);
    if (parts !== null && reading !== 'none') {
      this.numbers += 1;
      this.addAffixes(parts);
      const { digits } = parts;
      if (reading === '.') this.dotDecimals += 1;
      else if (reading === ',') this.commaDecimals += 1;
      else if (reading === 'either' && digits.includes('.')) this.dotOrGroup += 1;
      else if (reading === 'either') this.commaOrGroup += 1;
      else if (!/\D/.test(digits)) {
        if (digits.length > 3) this.ungrouped += 1;
        else this.small += 1;
      }
      if (reading === 'same' && hasLeadingZero(digits)) this.leadingZeros += 1;
      if (digits === text && reading === 'same') this.addDigits(text);
      else this.digitsLength = 0;
      return;
    }
    const date = dateParts(text);
    if (date !== null) this.addDate(date);
    else if (timeValue(text) !== null) this.times += 1;
  }

  private addAffixes({ currency, unit }: NumberParts): void {
    for (const [kinds, kind] of [
      [this.currencies, currency],
      [this.units, unit],
    ] as [Map<unknown, number>, unknown][])
      if (kinds.has(kind) || kinds.size < MAX_KINDS) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }

  private addDate({ month, first, second }: DateParts): void {
    this.dates += 1;
    if (month !== null) return;
    this.undecidedDates += 1;
    if (first > 12) this.dayFirst += 1;
    if (second > 12) this.monthFirst += 1;
  }
}

/** The locale that most columns show. */
export function localeOf(columns: readonly ColumnEvidence[], file: TableLocale): TableLocale {
  const locales = columns.map(({ locale }) => locale);
  return {
    decimal: onlyOne(locales.map(({ decimal }) => decimal)) ?? file.decimal,
    order: onlyOne(locales.map(({ order }) => order)) ?? file.order,
  };
}

function onlyOne<Value>(values: readonly (Value | null)[]): Value | null {
  const kinds = new Set(values.filter((value) => value !== null));
  return kinds.size === 1 ? ([...kinds][0] ?? null) : null;
}

const IN_HEADER = /[([/,\s]([A-Z]{3}|[^\s\w()[\]]{1,3})[)\]]?$/u;

/** A currency or a percent sign in the name of a column of numbers: `Amount (EUR)`. */
export function withHeader(format: ColumnFormat, name: string): ColumnFormat {
  const { type, unit } = format;
  const sign = type === 'number' && unit === undefined ? IN_HEADER.exec(name)?.[1] : undefined;
  if (sign === undefined) return format;
  if (sign === '%') return { ...format, type: 'percent', isUnitInHeader: true };
  const currency = currencyOf(sign);
  return currency === null ? format : { ...format, type: 'money', currency };
}

/** The value of a cell in a column of this format; null if it does not read so. */
export function cellValue(text: string, content: CellContent, format: ColumnFormat): number | string | null {
  const { type, decimal, order, currency, mixedCurrencies, unit = type === 'percent' ? '%' : '' } = format;
  if (text === '') return null;
  if (type === 'text') return text;
  const isMerged = content === null;
  if (isMerged && type !== 'date' && type !== 'time' && !format.areYears) return null;
  if (type === 'time' || type === 'date') {
    if (typeof content === 'string') return content.includes('-') === (type === 'date') ? content : null;
    if (type === 'time') return timeValue(text);
    const parts = dateParts(text);
    return parts === null ? null : dateValue(parts, order);
  }
  if (typeof content === 'number')
    return type === 'percent' && text.endsWith('%') ? percentOf(content) : content;
  if (typeof content === 'string') return null;
  const parts = numberParts(text);
  if (parts === null) return null;
  // An amount of another currency or unit, which few cells have, must not be added.
  const isOther =
    (parts.currency !== null && parts.currency !== currency && mixedCurrencies !== true) ||
    (parts.unit !== unit && !(parts.unit === '' && format.isUnitInHeader === true));
  const value = isOther ? null : valueOf(parts.digits, decimal);
  return value === null || !parts.isNegative ? value : -value;
}

/** Without the digits that a multiplication of fractions adds: 7.000000000000001. */
function percentOf(fraction: number): number {
  return Number((fraction * 100).toPrecision(15 - 1));
}
