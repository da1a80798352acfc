import type { AskedColumn, TableCondition, TableLookups } from '@citewell/retrieval';
import { cellTerm, type SqlValue } from '@citewell/tables';

/** A statement with the values of its `?`. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** Rows that it may return. */
  readonly limit: number;
}

/** A condition with the values of its `?`. */
export interface Where {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** A column with its name in SQL. */
export interface StoredColumn extends Omit<AskedColumn, 'least' | 'greatest'> {
  readonly sqlName: string;
  readonly hasMixedCurrencies: boolean;
  readonly unit: string;
  /** All different texts of a column that has few; null for others. */
  readonly values: readonly string[] | null;
}

/** A table of a document; see `writeTables`. */
export interface StoredTable {
  readonly id: number;
  readonly sqlName: string;
  readonly name: string;
  readonly sheet: string | null;
  readonly page: number | null;
  /** Without totals. */
  readonly rows: number;
  readonly totals: number;
  readonly columns: readonly StoredColumn[];
}

/** Tables of a document that are asked. */
export const MAX_TABLES = 50;
const MAX_COLUMNS = 2_000;
/** Cells with one beginning. Of more, none count: the list would not be complete. */
export const MAX_BEGUN = 200;
/** Figures are made of so many columns. */
const MAX_FIGURES = 12;
/** Shown columns of a row. */
const MAX_SHOWN = 12;
/** The greatest text, which ends a range of beginnings. */
const LAST = '\u{10FFFF}';

export const TABLES: Statement = {
  sql: 'SELECT id, sql_name, name, sheet, page, total_count, row_count FROM tables ORDER BY id',
  params: [],
  limit: MAX_TABLES,
};

export const COLUMNS: Statement = {
  sql: `SELECT table_id, position, name, sql_name, type, currency, mixed_currencies, unit, distinct_values
        FROM columns
        ORDER BY table_id, position`,
  params: [],
  limit: MAX_COLUMNS,
};

/** Cells with one of the texts: table, position, value. */
export function textsStatement({ texts }: TableLookups): Statement {
  const terms = [...new Set(texts.map(cellTerm))];
  return {
    sql: `SELECT table_id, position, value FROM cell_terms WHERE term IN (${marks(terms)})`,
    params: terms,
    limit: 1_000,
  };
}

/** Cells that begin with a text: table, position, value. */
export function begunStatement(beginning: string): Statement {
  return {
    sql: 'SELECT table_id, position, value FROM cell_terms WHERE term >= ? AND term < ?',
    params: [beginning, `${beginning}${LAST}`],
    limit: MAX_BEGUN,
  };
}

/** The smallest and the greatest value of each of these columns. */
export function rangesStatement(table: StoredTable, columns: readonly StoredColumn[]): Statement {
  const ranges = columns.map(({ sqlName }) => `min(${sqlName}), max(${sqlName})`).join(', ');
  return { sql: `SELECT ${ranges} FROM ${table.sqlName} WHERE _total = 0`, params: [], limit: 1 };
}

/** The cells with one of the numbers: position, value. */
export function numbersStatement(
  table: StoredTable,
  columns: readonly StoredColumn[],
  numbers: readonly number[],
): Statement {
  const parts = columns.map(
    ({ position, sqlName }) =>
      `SELECT DISTINCT ${position}, ${sqlName} FROM ${table.sqlName} WHERE ${sqlName} IN (${marks(numbers)})`,
  );
  return {
    sql: parts.join(' UNION ALL '),
    params: columns.flatMap(() => numbers),
    limit: 1_000,
  };
}

/** The first rows that satisfy the conditions: number of the row, its offsets, and the shown texts of the columns. */
export function rowsStatement(
  table: StoredTable,
  { sql, params }: Where,
  columns: readonly StoredColumn[],
  limit: number,
): Statement {
  const texts = columns.map(shownName).join(', ');
  return {
    sql: `SELECT _row, _from, _to, ${texts} FROM ${table.sqlName} WHERE ${sql} ORDER BY _row LIMIT ${limit}`,
    params,
    limit,
  };
}

/** Longest text of a cell that a page of a table shows. */
const MAX_SHOWN_CHARACTERS = 1_000;

/**
 * Some rows in their order: number of the row, its offsets, whether it is a total, whether it satisfies the conditions, and the
 * shown texts of all columns.
 *
 * @param page.isAll other rows, too
 */
export function pageStatement(
  table: StoredTable,
  { sql, params }: Where,
  { isAll, offset, limit }: { isAll: boolean; offset: number; limit: number },
): Statement {
  const texts = table.columns.map((column) => `substr(${shownName(column)}, 1, ${MAX_SHOWN_CHARACTERS})`);
  return {
    sql: `SELECT _row, _from, _to, _total, ${isAll ? `(${sql})` : '1'}, ${texts.join(', ')} FROM ${table.sqlName}
          ${isAll ? '' : `WHERE ${sql}`} ORDER BY _row LIMIT ? OFFSET ?`,
    // One row more tells whether there are others.
    params: [...params, limit + 1, offset],
    limit,
  };
}

/**
 * How many rows satisfy the conditions; then five values of each numeric column: sum, average, smallest, greatest, and cells with
 * digits that have no number; then, of each column of dates in the conditions, cells of the table that have no date.
 */
export function figuresStatement(
  table: StoredTable,
  { sql, params }: Where,
  numeric: readonly StoredColumn[],
  dates: readonly StoredColumn[],
): Statement {
  const figures = numeric.map(
    ({ sqlName }) =>
      `, sum(${sqlName}), avg(${sqlName}), min(${sqlName}), max(${sqlName}), count(CASE WHEN ${isUnread(sqlName)} THEN 1 END)`,
  );
  const undated = dates.map(
    ({ sqlName }) => `, (SELECT count(*) FROM ${table.sqlName} WHERE _total = 0 AND ${isUnread(sqlName)})`,
  );
  return {
    sql: `SELECT count(*)${figures.join('')}${undated.join('')} FROM ${table.sqlName} WHERE ${sql}`,
    params,
    limit: 1,
  };
}

/** Whether the numbers of a column are those of the rows, such as order numbers: all different, and whole. */
export function identifiersStatement({ sqlName }: StoredTable, column: StoredColumn): Statement {
  const name = column.sqlName;
  return {
    sql: `SELECT count(DISTINCT ${name}) = count(${name}) AND total(${name} <> CAST(${name} AS INTEGER)) = 0
          FROM ${sqlName} WHERE _total = 0`,
    params: [],
    limit: 1,
  };
}

/** The columns of numbers, except those of years. */
export function numericColumns(
  columns: readonly (StoredColumn & AskedColumn)[],
): (StoredColumn & AskedColumn)[] {
  const areYears = ({ type, least, greatest }: AskedColumn): boolean =>
    type === 'number' && Number(least) >= 1900 && Number(greatest) <= 2100;
  return columns
    .filter((column) => isNumeric(column) && column.least !== null && !areYears(column))
    .slice(0, MAX_FIGURES);
}

export function isNumeric({ type }: Pick<AskedColumn, 'type'>): boolean {
  return type === 'number' || type === 'money' || type === 'percent';
}

/** The columns that are shown: those of the conditions, and the first others, in their order. */
export function shownColumns(
  { columns }: StoredTable,
  conditions: readonly TableCondition[],
): readonly StoredColumn[] {
  const asked = new Set(conditions.map(({ position }) => position));
  const others = columns
    .filter(({ position }) => !asked.has(position))
    .slice(0, Math.max(0, MAX_SHOWN - asked.size));
  return columns.filter((column) => asked.has(column.position) || others.includes(column));
}

/** The rows that satisfy all conditions, without totals. */
export function whereOf({ columns }: StoredTable, conditions: readonly TableCondition[]): Where {
  const parts = ['_total = 0'];
  const params: (string | number)[] = [];
  for (const { position, texts, numbers, ranges, isNot } of conditions) {
    const { sqlName: name = '', type } = columns.find((column) => column.position === position) ?? {};
    const equal = [...texts, ...numbers];
    const alternatives = [
      ...(equal.length > 0 ? [`${name} IN (${marks(equal)})`] : []),
      ...ranges.map(() => `(${name} >= ? AND ${name} < ?)`),
    ];
    const condition = `(${alternatives.join(' OR ')})`;
    parts.push(isNot === true ? `${condition} IS NOT TRUE` : condition);
    // Nobody knows whether a date that cannot be read is another one.
    if (isNot === true && type !== 'text') parts.push(`NOT (${isUnread(name)})`);
    params.push(...equal, ...ranges.flatMap(({ from, to }) => [from, to]));
  }
  return { sql: parts.join(' AND '), params };
}

export function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

function shownName({ sqlName, type }: StoredColumn): string {
  return type === 'text' ? sqlName : `${sqlName}_shown`;
}

function isUnread(name: string): string {
  return `${name} IS NULL AND ${name}_shown GLOB '*[0-9]*'`;
}
