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

/** What a table has for the conditions of a question. */
export interface TableResult {
  /** Of the document, and of the sheet or table where it has several. */
  readonly name: string;
  /** With the name of the column. */
  readonly conditions: readonly (TableCondition & { readonly column: string })[];
  /** All rows that satisfy the conditions. */
  readonly count: number;
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
  const { count, rows, figures } = result;
  const shown = String(rows.length);
  const sentence = fill(messages.rows[count === 1 ? 0 : 1], {
    count: new Intl.NumberFormat(language).format(count),
    table: escapeMarkdown(result.name),
    conditions: conditionsText(result, language),
  });
  const notes = [
    ...(count > rows.length && rows.length > 0 ? [fill(messages.first, { count: shown })] : []),
    ...(result.hasTotals && count > 1 ? [messages.totals] : []),
    ...result.undated.map(({ column, count: cells }) => noteOf(messages.undated, column, cells)),
    ...result.mixed.map((column) => noteOf(messages.mixed, column, 0)),
    ...result.unread.map(({ column, count: cells }) => noteOf(messages.unread, column, cells)),
  ];
  return [
    `${sentence} [${number}]`,
    ...(rows.length > 0 ? [markdownTable(result.header, rows)] : []),
    ...(figures.length > 0
      ? [
          markdownTable(
            ['', ...messages.figures],
            figures.map((one) => figuresRow(one, language)),
          ),
        ]
      : []),
    ...(notes.length > 0 ? [notes.join(' ')] : []),
  ].join('\n\n');
}

/** "Customer = Müller GmbH and Date = May 2026" */
function conditionsText({ conditions }: TableResult, language: Language): string {
  const or = new Intl.ListFormat(language, { type: 'disjunction' });
  const and = new Intl.ListFormat(language, { type: 'conjunction' });
  const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: false });
  return and.format(
    conditions.map(({ column, texts, numbers, ranges }) => {
      const values = [
        ...texts,
        ...numbers.map((value) => decimal.format(value)),
        ...ranges.map((range) => rangeName(range, language)),
      ];
      return `${escapeMarkdown(column)} = ${escapeMarkdown(or.format(values))}`;
    }),
  );
}

function figuresRow(
  { column, sum, average, least, greatest, ...form }: ColumnFigures,
  language: Language,
): string[] {
  const exact = (value: number | null): string => (value === null ? '' : figure(value, 10, form, language));
  const rounded = average === null ? '' : figure(average, MAX_DECIMALS, form, language);
  return [column, exact(sum), rounded, exact(least), exact(greatest)];
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
