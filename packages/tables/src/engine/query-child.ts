// Main file of a process that answers statements about files of tables, which are attached as `d1`, `d2`, …. Statements may be hostile, and so may the file.
// Node's permission model does not apply to SQLite, so SQLite's own limits and authorizer confine the statements.
import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { numberParts } from '../read-number.js';
import type { QueryErrorCode, QueryReply, QueryRequest, SqlValue, TableView } from './query.protocol.js';

/** Length of one value, in bytes. */
const MAX_VALUE_BYTES = 1_000_000;
const MAX_STATEMENT_BYTES = 20_000;
/** Characters of all values of a result. */
const MAX_RESULT_CHARACTERS = 2_000_000;

/** What begins and ends a comment. */
const COMMENTS = [
  ['--', '\n'],
  ['/*', '*/'],
] as const;

const ALLOWED: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

class QueryFailure extends Error {
  constructor(
    readonly code: QueryErrorCode,
    message: string,
  ) {
    super(message);
  }
}

let hasRefused = false;
/** The views that exist, with their tables, and as they were asked for. */
let views: ReadonlyMap<string, string> = new Map();
let existing = '[]';
const reads = new Set<string>();

process.on('disconnect', () => process.exit(0));

const paths = process.argv.slice(2);
const database = openDatabase();
/** Names that mean a table of a file where no column of it is read. */
const tableNames = new Set(
  paths
    .flatMap((_, at) => database.prepare(`SELECT name FROM d${at + 1}.sqlite_schema`).all())
    .map(({ name }) => String(name)),
);
database.setAuthorizer(authorize);
process.on('message', (request: QueryRequest) => reply(answer(request)));
reply({ kind: 'ready' });

function openDatabase(): DatabaseSync {
  const options = {
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    // The types of Node do not have it yet.
    limits: { length: MAX_VALUE_BYTES, sqlLength: MAX_STATEMENT_BYTES, attach: paths.length },
  };
  const opened = new DatabaseSync(':memory:', options);
  opened.function('currency_of', { deterministic: true }, currencyOfCell);
  opened.exec('PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF');
  for (const [at, path] of paths.entries()) {
    const url = pathToFileURL(path);
    // The file never changes, so SQLite needs neither locks nor a look at a journal.
    url.search = '?mode=ro&immutable=1';
    opened.prepare(`ATTACH ? AS d${at + 1}`).run(url.href);
  }
  opened.exec('PRAGMA query_only = ON');
  return opened;
}

/** The currency of the shown text of a cell. */
function currencyOfCell(text: unknown): string | null {
  return typeof text === 'string' ? (numberParts(text.trim())?.currency ?? null) : null;
}

function authorize(
  action: number,
  table: string | null,
  column: string | null,
  schema: string | null,
  accessor: string | null,
): number {
  const isAllowed =
    ALLOWED.has(action) &&
    (action !== constants.SQLITE_READ || views.size === 0 || mayRead({ table, column, schema, accessor }));
  if (isAllowed) return constants.SQLITE_OK;
  hasRefused = true;
  return constants.SQLITE_DENY;
}

/** Views read their table. Anything else reads views. */
function mayRead({
  table,
  column,
  schema,
  accessor,
}: Record<'table' | 'column' | 'schema' | 'accessor', string | null>): boolean {
  // A part of the statement without columns that are read, or a table whose rows are only counted.
  if (schema === null) return !tableNames.has(String(table)) && !String(table).startsWith('sqlite_');
  if (schema === 'temp') {
    reads.add(`${table}.${column}`);
    return views.has(String(table));
  }
  // A part of the statement may have the name of a view, so the table is compared, too.
  reads.add(String(accessor));
  return views.get(String(accessor)) === `${schema}.${table}`;
}

function replaceViews(all: readonly TableView[]): void {
  const wanted = JSON.stringify(all);
  if (wanted === existing) return;
  database.setAuthorizer(null);
  database.exec('PRAGMA query_only = OFF');
  for (const name of views.keys()) database.exec(`DROP VIEW IF EXISTS temp."${name}"`);
  views = new Map(all.map(({ name, table }) => [name, table]));
  existing = '';
  for (const { name, statement } of all) database.prepare(`CREATE TEMP VIEW "${name}" AS ${statement}`).run();
  existing = wanted;
  database.exec('PRAGMA query_only = ON');
  database.setAuthorizer(authorize);
}

function answer(request: QueryRequest): QueryReply {
  hasRefused = false;
  try {
    replaceViews(request.views);
    reads.clear();
    return run(request);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof QueryFailure) return { kind: 'failure', code: error.code, message };
    return { kind: 'failure', code: hasRefused ? 'NOT_ALLOWED' : codeOf(error), message };
  }
}

function run({ statement, params, limit }: QueryRequest): QueryReply {
  const prepared = database.prepare(statement);
  // SQLite compiles the first statement and ignores the rest.
  if (statement.slice(prepared.sourceSQL.length).trim() !== '')
    throw new QueryFailure('NOT_ALLOWED', 'Only one statement is allowed.');
  const columns = prepared.columns().map(({ name }) => name);
  if (columns.length === 0 || isExplanation(statement))
    throw new QueryFailure('NOT_ALLOWED', 'Only SELECT is allowed.');
  prepared.setReturnArrays(true);
  const rows: SqlValue[][] = [];
  let characters = 0;
  for (const row of prepared.iterate(...params)) {
    if (rows.length >= limit) return { kind: 'result', columns, rows, hasMore: true, reads: [...reads] };
    const values = (row as unknown as unknown[]).map(readable);
    for (const value of values) characters += typeof value === 'string' ? value.length : 8;
    if (characters > MAX_RESULT_CHARACTERS)
      throw new QueryFailure('TOO_LARGE', 'The result is too large. Select fewer or shorter columns.');
    rows.push(values);
  }
  return { kind: 'result', columns, rows, hasMore: false, reads: [...reads] };
}

function readable(value: unknown): SqlValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  throw new QueryFailure('INVALID', 'A value is neither text nor a number.');
}

/** Primary result codes of SQLite. */
const SQLITE_NOMEM = 7;
const SQLITE_CORRUPT = 11;
const SQLITE_TOOBIG = 18;
const SQLITE_NOTADB = 26;

function codeOf(error: unknown): QueryErrorCode {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (code === SQLITE_NOMEM) return 'MEMORY';
  if (code === SQLITE_TOOBIG) return 'TOO_LARGE';
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB ? 'UNREADABLE' : 'INVALID';
}

function reply(message: QueryReply): void {
  process.send?.(message);
}

/** Whether the statement is an EXPLAIN. SQLite allows it only at the start, and does not ask the authorizer. */
function isExplanation(statement: string): boolean {
  for (let rest = statement.trimStart(); ;) {
    const comment = COMMENTS.find(([begin]) => rest.startsWith(begin));
    if (comment === undefined) return /^explain\b/i.test(rest);
    const [begin, end] = comment;
    const at = rest.indexOf(end, begin.length);
    if (at < 0) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
}
