import { escapeMarkdown, markdownTable } from '../answers/markdown-table.js';
import type { Language } from '../question/function-words.js';
import { rangeName } from './question-dates.js';
import type { TableCondition } from './asked-table.js';
import { TABLE_MESSAGES } from './table-messages.js';

/** The figures of a numeric column over all rows that were found. */
export interface ColumnFigures {
  readonly column: string;
  /** Null: what the column counts cannot be added, as percentages. */
  readonly sum: number | null;
  readonly average: number | null;
  readonly least: number;
  readonly greatest: number;
  /** ISO 4217, or a symbol. Null: no money. */
  readonly currency: string | null;
  /** After the number, such as `kg` or `%`. Empty without one. */
  readonly unit: string;
}

/** With the name of the column. */
type ShownCondition = TableCondition & { readonly column: string };

/** The rows that satisfy all conditions but one. */
export interface OtherRows extends Pick<TableResult, 'count' | 'figures'> {
  /** That condition, which excludes. */
  readonly condition: ShownCondition;
  readonly conditions: readonly ShownCondition[];
}

/** What a table has for the conditions of a question. */
export interface TableResult {
  /** Of the document, and of the sheet or table where it has several. */
  readonly name: string;
  readonly conditions: readonly ShownCondition[];
  /** All rows that satisfy the conditions. */
  readonly count: number;
  /** Words of the question that no condition uses. */
  readonly unused: readonly string[];
  /** Rows that may be meant if one of these words excludes some. */
  readonly others: readonly OtherRows[];
  readonly header: readonly string[];
  /** The first of these rows, as the document shows them. */
  readonly rows: readonly (readonly string[])[];
  readonly figures: readonly ColumnFigures[];
  /** Names of columns of money in several currencies. */
  readonly mixed: readonly string[];
  /** Numeric columns with cells of these rows that have no number. */
  readonly unread: readonly { readonly column: string; readonly count: number }[];
  /** Columns of conditions with cells that have no date. */
  readonly undated: readonly { readonly column: string; readonly count: number }[];
  readonly hasTotals: boolean;
}

/** Decimals of an average. */
const MAX_DECIMALS = 4;

/**
 * The rows of a table that satisfy conditions, in Markdown: how many there are and what was the condition, the first rows, and
 * the figures of numeric columns.
 *
 * @param number of the citation
 */
export function tableAnswer(result: TableResult, number: number, language: Language): string {
  const messages = TABLE_MESSAGES[language];
  const { name, count, rows, unused, others } = result;
  const shown = String(rows.length);
  const sentenceOf = (all: Pick<TableResult, 'count' | 'conditions'>): string =>
    fill(messages.rows[all.count === 1 ? 0 : 1], {
      count: new Intl.NumberFormat(language).format(all.count),
      table: escapeMarkdown(name),
      conditions: conditionsText(all.conditions, language),
    });
  const figures = [
    ...result.figures.map((one) => figuresRow(one, one.column, language)),
    ...others.flatMap(({ condition, figures: all }) =>
      all.map((one) => figuresRow(one, `${one.column}, ${conditionsText([condition], language)}`, language)),
    ),
  ];
  const notes = [
    ...(count > rows.length && rows.length > 0 ? [fill(messages.first, { count: shown })] : []),
    ...(result.hasTotals && count > 1 ? [messages.totals] : []),
    ...result.undated.map(({ column, count: cells }) => noteOf(messages.undated, column, cells)),
    ...result.mixed.map((column) => noteOf(messages.mixed, column, 0)),
    ...result.unread.map(({ column, count: cells }) => noteOf(messages.unread, column, cells)),
  ];
  return [
    `${sentenceOf(result)} [${number}]`,
    ...(unused.length > 0 ? [fill(messages.unused, { words: escapeMarkdown(unused.join(', ')) })] : []),
    ...(others.length > 0
      ? [[messages.others, ...others.map((one) => `- ${sentenceOf(one)}`)].join('\n')]
      : []),
    ...(rows.length > 0 ? [markdownTable(result.header, rows)] : []),
    ...(figures.length > 0 ? [markdownTable(['', ...messages.figures], figures)] : []),
    ...(notes.length > 0 ? [notes.join(' ')] : []),
  ].join('\n\n');
}

/** "Customer = Müller GmbH and Date = May 2026" */
function conditionsText(conditions: readonly ShownCondition[], language: Language): string {
  const or = new Intl.ListFormat(language, { type: 'disjunction' });
  const and = new Intl.ListFormat(language, { type: 'conjunction' });
  const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: false });
  return and.format(
    conditions.map(({ column, texts, numbers, ranges, isNot }) => {
      const values = [
        ...texts,
        ...numbers.map((value) => decimal.format(value)),
        ...ranges.map((range) => rangeName(range, language)),
      ];
      return `${escapeMarkdown(column)} ${isNot === true ? '≠' : '='} ${escapeMarkdown(or.format(values))}`;
    }),
  );
}

function figuresRow(
  { sum, average, least, greatest, ...form }: ColumnFigures,
  name: string,
  language: Language,
): string[] {
  const exact = (value: number | null): string => (value === null ? '' : figure(value, 10, form, language));
  const rounded = average === null ? '' : figure(average, MAX_DECIMALS, form, language);
  return [name, exact(sum), rounded, exact(least), exact(greatest)];
}

/** A sum of decimal fractions has a binary error behind the decimals that count. */
function figure(
  value: number,
  maxDecimals: number,
  { currency, unit }: Pick<ColumnFigures, 'currency' | 'unit'>,
  language: Language,
): string {
  const isCode = currency !== null && /^[A-Z]{3}$/.test(currency);
  const text = new Intl.NumberFormat(language, {
    ...(isCode ? { style: 'currency', currency } : {}),
    ...(isCode && maxDecimals === MAX_DECIMALS ? {} : { maximumFractionDigits: maxDecimals }),
  }).format(Number(value.toPrecision(14)));
  const after = isCode ? '' : (currency ?? unit);
  return after === '' ? text : `${text} ${after}`;
}

function noteOf(message: string, column: string, count: number): string {
  return fill(message, { column: escapeMarkdown(column), count: String(count) });
}

function fill(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\{([a-z]{1,12})\}/g, (whole, name: string) => values[name] ?? whole);
}
