import type { SqlValue, TableView } from '@citewell/tables';
import { labelText } from '@citewell/retrieval';

/** A column as a model may query it. */
export interface OfferedColumn {
  readonly name: string;
  readonly sqlName: string;
  readonly type: string;
  /** ISO 4217, or a symbol. */
  readonly currency: string | null;
  /** Money of several currencies: there is a column for each instead. Null: not so. */
  readonly currencies: readonly string[] | null;
  /** After all numbers. */
  readonly unit: string;
  /** Cells that could not be read as the type, and have no value. */
  readonly unreadCells: number;
  /** The different texts of a column with few short ones; null for others. */
  readonly values: readonly string[] | null;
}

/** A table of a document that a model may query. */
export interface OfferedTable {
  /** In statements of the model: `t1`. */
  readonly name: string;
  /** `d1.t1`: the file of the document, and the table in it. */
  readonly stored: string;
  readonly title: string;
  readonly sheet: string | null;
  readonly page: number | null;
  readonly rowCount: number;
  readonly totalCount: number;
  readonly columns: readonly OfferedColumn[];
  readonly firstRows: readonly (readonly SqlValue[])[];
  /** The number of the passage that is cited for it. */
  readonly number: number;
  readonly datasourceId: string;
  readonly datasourceName: string;
}

/** Columns of a table that are offered. SQLite returns up to 2,000. */
const MAX_COLUMNS = 60;
/** Characters of all tables in a prompt, and of one. */
const MAX_CHARACTERS = 12_000;
const MAX_TABLE = 5_000;
/** Longer texts of a prompt are truncated. */
const MAX_CELL = 80;
/** The suffix of the view with the rows of totals. */
const TOTALS = '_totals';
/** Currencies of a column with several that have a column of their own. */
const MAX_CURRENCIES = 6;

/** A column of a view: its name, the expression in SQL, and the form of its numbers. */
interface ViewColumn {
  readonly name: string;
  readonly expression: string;
  /** A currency, `%` or a unit; null for other numbers and texts. */
  readonly form: string | null;
  readonly of: OfferedColumn;
}

/** The columns of the views of a table. */
function viewColumns({ columns }: OfferedTable): ViewColumn[] {
  const taken = new Set(columns.flatMap(({ sqlName }) => [sqlName, `${sqlName}_shown`]));
  return columns.slice(0, MAX_COLUMNS).flatMap((column) => {
    const { sqlName, currencies, unreadCells } = column;
    const value = quoted(sqlName);
    const shown = {
      name: `${sqlName}_shown`,
      expression: quoted(`${sqlName}_shown`),
      form: null,
      of: column,
    };
    if (currencies === null) {
      const plain = { name: sqlName, expression: value, form: formOf(column), of: column };
      return column.type !== 'text' && unreadCells > 0 ? [plain, shown] : [plain];
    }
    const currency = `currency_of(${shown.expression})`;
    const each = currencies.slice(0, MAX_CURRENCIES).map((code) => ({
      name: freeName(`${sqlName}_${/^\w+$/.test(code) ? code.toLowerCase() : 'symbol'}`, taken),
      expression: `CASE WHEN ${currency} = ${literal(code)} THEN ${value} END`,
      form: code,
      of: column,
    }));
    return [...each, shown];
  });
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

function formOf({ type, currency, unit }: OfferedColumn): string | null {
  if (type === 'money') return currency;
  if (type === 'percent') return '%';
  return type === 'number' && unit !== '' ? unit : null;
}

/**
 * The views that a model may read, which do not have rows with totals: those are in views of their own.
 *
 * @param scaled numbers of this form are multiplied by the factor
 */
export function viewsOf(
  tables: readonly OfferedTable[],
  scaled?: { readonly form: string; readonly factor: number },
): TableView[] {
  return tables.flatMap((table) => {
    const others = viewColumns(table).map(({ name, expression, form }) => {
      const isScaled = scaled !== undefined && form === scaled.form;
      return `${isScaled ? `(${expression}) * ${scaled.factor}` : expression} AS ${quoted(name)}`;
    });
    const view = (name: string, total: number): TableView => ({
      name,
      table: table.stored,
      statement: `SELECT ${['"_row"', ...others].join(', ')} FROM ${table.stored} WHERE "_total" = ${total}`,
    });
    return [view(table.name, 0), ...(table.totalCount > 0 ? [view(`${table.name}${TOTALS}`, 1)] : [])];
  });
}

/** The tables that a statement reads. @param reads see `QueryResult` */
export function tablesRead(tables: readonly OfferedTable[], reads: readonly string[]): OfferedTable[] {
  return tables.filter(({ name }) => reads.includes(name) || reads.includes(`${name}${TOTALS}`));
}

/** The forms of the numbers in the columns that a statement reads. */
export function formsRead(tables: readonly OfferedTable[], reads: readonly string[]): string[] {
  return [...new Set(columnsRead(tables, reads).flatMap(({ form }) => form ?? []))];
}

/** What has to be known of the columns that a statement reads. */
export function notesOf(tables: readonly OfferedTable[], reads: readonly string[]): string[] {
  return columnsRead(tables, reads).flatMap(({ name, of }) =>
    of.unreadCells > 0 && name === of.sqlName
      ? [
          `${of.unreadCells} cells of ${name} are no ${of.type}, so they are NULL. ${name}_shown has their text.`,
        ]
      : [],
  );
}

function columnsRead(tables: readonly OfferedTable[], reads: readonly string[]): ViewColumn[] {
  const read = new Set(reads);
  return tables.flatMap((table) =>
    viewColumns(table).filter(
      ({ name }) => read.has(`${table.name}.${name}`) || read.has(`${table.name}${TOTALS}.${name}`),
    ),
  );
}

/** Why a statement with an unknown column has failed, if the column is one of amounts in several currencies. */
export function mixedColumnReason(tables: readonly OfferedTable[], message: string): string | null {
  const [, name = ''] = /no such column: (?:\w+\.)?"?([^\s"]+)/.exec(message) ?? [];
  for (const table of tables) {
    const column = table.columns.find(({ sqlName, currencies }) => sqlName === name && currencies !== null);
    if (column === undefined) continue;
    const names = viewColumns(table).flatMap((one) =>
      one.of === column && one.form !== null ? one.name : [],
    );
    return `${name} has amounts in several currencies (${column.currencies?.join(', ')}), which are not added or compared. Use one column for each currency: ${names.join(', ')}.`;
  }
  return null;
}

/** A sum or an average of a column, without an expression. */
const ADDED =
  /\b(?:sum|avg|total)\s{0,9}\(\s{0,9}(?:distinct\s{1,9})?(?:"?\w{1,60}"?\.)?"?([\p{L}\p{N}_]{1,60})"?\s{0,9}\)/giu;

const ALIAS = /\bas\s{1,9}"?([\p{L}\p{N}_]{1,60})/giu;

/** Why a statement is not run that adds texts: SQLite would take "$20" for 0, and "10 €" for 10. */
export function addedTextReason(tables: readonly OfferedTable[], sql: string): string | null {
  const aliases = new Set(Array.from(sql.matchAll(ALIAS), ([, name]) => name));
  for (const [, name = ''] of sql.matchAll(ADDED)) {
    const isText = tables.some((table) =>
      viewColumns(table).some(
        (column) =>
          column.name === name &&
          (column.of.type === 'text' || (column.name !== column.of.sqlName && column.form === null)),
      ),
    );
    // A part of the statement may give the name to numbers.
    if (isText && !aliases.has(name))
      return `${name} is text, which cannot be added. Read the numbers in its texts with CAST and replace, and leave out texts that are no numbers.`;
  }
  return null;
}

/** The tables for the prompt: as JSON, so that no cell can end its text. */
export function describeTables(tables: readonly OfferedTable[]): string {
  let left = MAX_CHARACTERS;
  return tables
    .flatMap((table) => {
      const json = [3, 1, 0].map((rows) => described(table, rows)).find(({ length }) => length <= MAX_TABLE);
      const text = json ?? described(table, 0).slice(0, MAX_TABLE);
      left -= text.length;
      return left < 0 ? [] : [`[${table.number}] ${table.name}\n<passage>\n${text}\n</passage>`];
    })
    .join('\n\n');
}

function described(table: OfferedTable, rowCount: number): string {
  const { name, title, sheet, page, columns, firstRows, totalCount, datasourceName } = table;
  return jsonOf({
    table: name,
    rows: table.rowCount,
    ...(totalCount > 0 ? { rows_of_totals: `${totalCount} in ${name}${TOTALS}` } : {}),
    document: labelText(datasourceName),
    title: labelText(title),
    ...(sheet === null || sheet === title ? {} : { sheet: labelText(sheet) }),
    ...(page === null ? {} : { page }),
    columns: [
      { name: '_row', type: 'number of the row' },
      ...viewColumns(table).map(({ name: sqlName, form, of }) => ({
        name: sqlName,
        title: labelText(of.name),
        type: sqlName === of.sqlName || form !== null ? typeText(of, form) : 'text of the cells',
        ...(rowCount > 0 && of.values !== null && sqlName === of.sqlName
          ? { values: of.values.map(shortened) }
          : {}),
      })),
    ],
    ...(columns.length > MAX_COLUMNS ? { left_out: `${columns.length - MAX_COLUMNS} more columns` } : {}),
    ...(rowCount > 0 ? { first_rows: firstRows.slice(0, rowCount).map((row) => row.map(shortened)) } : {}),
  });
}

function typeText({ type, unreadCells }: OfferedColumn, form: string | null): string {
  const unread = unreadCells > 0 ? `, ${unreadCells} cells are no ${type} and NULL` : '';
  if (type === 'percent') return `percent, 12.5 is 12.5 %${unread}`;
  if (type === 'date') return `date, text as 2026-05-31${unread}`;
  if (type === 'time') return `time, text as 17:30:00${unread}`;
  return `${type}${form === null ? '' : ` in ${form}`}${unread}`;
}

/** JSON in which nothing looks like the end of a passage. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

function shortened(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.length > MAX_CELL
    ? `${value.slice(0, MAX_CELL).toWellFormed()}…`
    : value;
}

/** A name in SQL. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
