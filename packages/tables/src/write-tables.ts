import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { cellTerm } from './cell-term.js';
import type { TableColumn, TypedTable } from './typed-table.js';

const SCHEMA = `
  CREATE TABLE tables (
    id INTEGER PRIMARY KEY, name TEXT, sql_name TEXT, sheet TEXT, page INTEGER, row_count INTEGER, total_count INTEGER
  );
  CREATE TABLE columns (
    table_id INTEGER, position INTEGER, name TEXT, sql_name TEXT, type TEXT, currency TEXT, mixed_currencies INTEGER,
    unit TEXT, unread_cells INTEGER, distinct_values TEXT,
    PRIMARY KEY (table_id, position)
  ) WITHOUT ROWID;
  CREATE TABLE cell_terms (
    term TEXT, table_id INTEGER, position INTEGER, value TEXT, PRIMARY KEY (term, table_id, position, value)
  ) WITHOUT ROWID;`;

/** Longer texts are prose and no values that a question names. */
const MAX_TERM_CHARACTERS = 100;
/** A column with at most so many different texts has them in `distinct_values`. */
const MAX_DISTINCT = 20;
/** A name of SQL is cut to this length. */
const MAX_NAME = 40;

/**
 * Writes the typed tables of a document to a new SQLite file, which the engine reads.
 *
 * - `tables(id, name, sql_name, sheet, page, row_count, total_count)`: `sql_name` is `t1`, `t2`, …; `row_count` does not
 *   include totals
 * - `columns(table_id, position, name, sql_name, type, currency, mixed_currencies, unit, unread_cells, distinct_values)`:
 *   `position` from 1; `distinct_values` is a JSON array for text columns with few different texts, else null
 * - `t1(_row, _from, _to, _total, <sql_name> …)`: the number of the row, its offsets, 1 for totals, and the values. A
 *   column that is not text has its shown text in `<sql_name>_shown`
 * - `cell_terms(term, table_id, position, value)`: the different short texts of text columns, by {@link cellTerm}
 *
 * @returns the number of tables; without any, no file is written
 */
export function writeTables(tables: Iterable<TypedTable>, path: string): number {
  let count = 0;
  write(tables, path, (_, written) => {
    count = written;
  });
  return count;
}

/** The file that {@link writeTables} writes, for a document whose tables are small. Null without tables. */
export function tablesFile(tables: Iterable<TypedTable>): Uint8Array | null {
  let file: Uint8Array | null = null;
  write(tables, ':memory:', (database) => {
    // The types of Node do not have it yet.
    file = (database as DatabaseSync & { serialize(): Uint8Array }).serialize();
  });
  return file;
}

/** @param use called with the tables and their number, if there are any */
function write(
  tables: Iterable<TypedTable>,
  path: string,
  use: (database: DatabaseSync, count: number) => void,
): void {
  let database: DatabaseSync | undefined;
  let id = 0;
  try {
    for (const table of tables) {
      database ??= createDatabase(path);
      id += 1;
      writeTable(database, id, table);
    }
    database?.exec('COMMIT');
    if (database) use(database, id);
  } finally {
    database?.close();
  }
}

function createDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  // A file that is not complete is not used, so nothing has to survive a crash.
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; BEGIN; ${SCHEMA}`);
  return database;
}

function writeTable(database: DatabaseSync, id: number, table: TypedTable): void {
  const names = sqlNames(database, table.columns);
  const isTyped = table.columns.map(({ type }) => type !== 'text');
  const fields = names.flatMap((name, index) => (isTyped[index] === true ? [name, `${name}_shown`] : [name]));
  database.exec(
    `CREATE TABLE t${id} (_row INTEGER, _from INTEGER, _to INTEGER, _total INTEGER, ${fields.join(', ')})`,
  );
  const insert = new RowInserter(database, `t${id}`, fields.length + 4);
  /** The different texts of each column. */
  const texts = table.columns.map(() => new Set<string>());
  let rows = 0;
  let totals = 0;
  for (const { cells, isTotal, from, to, number } of table.rows) {
    const values: (number | string | null)[] = [number, from, to, isTotal ? 1 : 0];
    for (const [index, { value, text }] of cells.entries()) {
      const shown = text === '' ? null : text;
      if (isTyped[index] === true) values.push(value);
      else if (shown !== null) texts[index]?.add(shown);
      values.push(shown);
    }
    insert.add(values);
    if (isTotal) totals += 1;
    else rows += 1;
  }
  insert.flush();
  database
    .prepare('INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(id, table.name, `t${id}`, table.sheet ?? null, table.page ?? null, rows, totals);
  for (const [index, column] of table.columns.entries())
    writeColumn(database, { table: id, position: index + 1, name: names[index] ?? '' }, column, [
      ...(texts[index] ?? []),
    ]);
}

/** SQLite takes at most 32,766 values. Many rows in one statement take less time. */
const MAX_VALUES = 600;

/** Inserts rows, several at a time. */
class RowInserter {
  private readonly values: (number | string | null)[] = [];
  private readonly batch: StatementSync;
  private readonly batchLength: number;

  constructor(
    private readonly database: DatabaseSync,
    private readonly table: string,
    private readonly width: number,
  ) {
    const rows = Math.max(1, Math.trunc(MAX_VALUES / width));
    this.batchLength = rows * width;
    this.batch = this.prepare(rows);
  }

  add(row: readonly (number | string | null)[]): void {
    for (const value of row) this.values.push(value);
    if (this.values.length < this.batchLength) return;
    this.batch.run(...this.values);
    this.values.length = 0;
  }

  flush(): void {
    if (this.values.length > 0) this.prepare(this.values.length / this.width).run(...this.values);
    this.values.length = 0;
  }

  private prepare(rows: number): StatementSync {
    const row = `(?${', ?'.repeat(this.width - 1)})`;
    return this.database.prepare(`INSERT INTO ${this.table} VALUES ${row}${`, ${row}`.repeat(rows - 1)}`);
  }
}

function writeColumn(
  database: DatabaseSync,
  { table, position, name }: { table: number; position: number; name: string },
  { name: title, type, currency, mixedCurrencies = false, unit, unreadCells = 0 }: TableColumn,
  values: readonly string[],
): void {
  writeTerms(database, table, position, values);
  const isShort =
    values.length <= MAX_DISTINCT && values.every(({ length }) => length <= MAX_TERM_CHARACTERS);
  const distinct = type === 'text' && isShort ? JSON.stringify(values) : null;
  database
    .prepare('INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      table,
      position,
      title,
      name,
      type,
      currency,
      mixedCurrencies ? 1 : 0,
      unit ?? null,
      unreadCells,
      distinct,
    );
}

/** In the order of the terms, in which SQLite stores them faster. */
function writeTerms(
  database: DatabaseSync,
  table: number,
  position: number,
  values: readonly string[],
): void {
  const terms = values
    .filter(({ length }) => length <= MAX_TERM_CHARACTERS)
    .map((value) => ({ term: cellTerm(value), value }))
    .filter(({ term }) => term !== '')
    .sort((a, b) => (a.term < b.term ? -1 : 1));
  const insert = new RowInserter(database, 'cell_terms', 4);
  for (const { term, value } of terms) insert.add([term, table, position, value]);
  insert.flush();
}

/** Names of columns in SQL: letters, digits and underscores, unique, and no keywords. */
function sqlNames(database: DatabaseSync, columns: readonly TableColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }, index) => {
    const letters = cellTerm(name)
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_|_$/g, '')
      .slice(0, MAX_NAME)
      .toWellFormed();
    let plain = /^\p{L}/u.test(letters) ? letters : `c_${letters === '' ? index + 1 : letters}`;
    if (!isName(database, plain)) plain = `c_${plain}`;
    let unique = plain;
    for (let count = 2; taken.has(unique) || taken.has(`${unique}_shown`); count += 1)
      unique = `${plain}_${count}`;
    taken.add(unique).add(`${unique}_shown`);
    return unique;
  });
}

/** Whether SQLite takes a text as a name: it is no keyword. */
function isName(database: DatabaseSync, text: string): boolean {
  try {
    database.prepare(`SELECT ${text} FROM (SELECT 1 AS ${text}) AS t ORDER BY ${text}`);
    return true;
  } catch {
    return false;
  }
}
