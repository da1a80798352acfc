// Sheets and questions of the rounds 4 to 6. Rows are drawn by a seed.
import type { Row, Sheet, TableQuestion } from './table-questions.js';

type Cell = string | number;
type Write = (value: Cell) => string;

/** Draws the cells of a row. */
interface Draw {
  /** Number of the row, from 0. */
  readonly k: number;
  /** One of the texts. */
  readonly p: (...texts: string[]) => string;
  /** A whole number. */
  readonly i: (least: number, greatest: number) => number;
  /** A day of a year, in months from the first to the last one. */
  readonly d: (year: number, first?: number, last?: number) => string;
  /** An amount with two decimals. */
  readonly m: (least: number, greatest: number) => number;
}

export function make(seed: number, count: number, row: (draw: Draw) => Row): Row[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const i = (least: number, greatest: number): number => least + Math.floor(next() * (greatest - least + 1));
  const two = (value: number): string => String(value).padStart(2, '0');
  const draw: Omit<Draw, 'k'> = {
    i,
    p: (...texts) => texts[Math.floor(next() * texts.length)] ?? '',
    d: (year, first = 1, last = 12) => `${year}-${two(i(first, last))}-${two(i(1, 28))}`,
    m: (least, greatest) => i(least * 100, greatest * 100) / 100,
  };
  return Array.from({ length: count }, (_, k) => row({ ...draw, k }));
}

export const written = {
  de: (value: Cell) => String(value).split('-').toReversed().join('.'),
  fr: (value: Cell) => String(value).split('-').toReversed().join('/'),
  long: (value: Cell) =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(String(value))),
  eur: (value: Cell) => `${Number(value).toFixed(2).replace('.', ',')} €`,
  gbp: (value: Cell) => `£${Number(value).toFixed(2)}`,
} satisfies Record<string, Write>;

/** @param formats how the cells of some columns are written; others as they are */
export function csvSheet(
  name: string,
  rows: readonly Row[],
  mark: string,
  formats: Readonly<Record<string, Write>> = {},
): Sheet {
  const columns = Object.keys(rows[0] ?? {});
  const quoted = (text: string): string => (text.includes(mark) ? `"${text}"` : text);
  const lines = rows.map((row) => columns.map((one) => quoted((formats[one] ?? String)(row[one] ?? ''))));
  const content = Buffer.from([columns, ...lines].map((cells) => cells.join(mark)).join('\n'));
  return { name, mimeType: 'text/csv', rows, content };
}

type Where = TableQuestion['where'];

/** Rows with these cells. */
export const is =
  (cells: Readonly<Record<string, Cell>>): Where =>
  (row) =>
    Object.entries(cells).every(([column, value]) => row[column] === value);

/** Rows with these cells, and a date that begins so. */
export const month =
  (column: string, start: string, cells: Readonly<Record<string, Cell>> = {}): Where =>
  (row) =>
    String(row[column]).startsWith(start) && is(cells)(row);

type Line = readonly [
  kind: TableQuestion['kind'],
  text: string,
  sheet: string | null,
  where: Where,
  sum?: string,
];

/** A question for rows that conditions on cells cannot say. */
export const none = (text: string): Line => ['none', text, null, () => false];

/** @param round in which the questions were asked first */
export function questionsOf(round: number, lines: readonly Line[]): TableQuestion[] {
  return lines.map(([kind, text, sheet, where, sum]) => ({
    kind,
    text,
    sheet,
    where,
    round,
    ...(sum === undefined ? {} : { sum }),
  }));
}
