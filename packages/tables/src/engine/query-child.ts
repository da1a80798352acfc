// Main file of a process that answers statements about one file of tables. Statements may be hostile, and so may the file.
// Node's permission model does not apply to SQLite, so SQLite's own limits and authorizer confine the statements.
import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { QueryErrorCode, QueryReply, QueryRequest, SqlValue } from './query.protocol.js';

/** Length of one value, in bytes. */
const MAX_VALUE_BYTES = 1_000_000;
const MAX_STATEMENT_BYTES = 20_000;
/** Characters of all values of a result. */
const MAX_RESULT_CHARACTERS = 2_000_000;

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

process.on('disconnect', () => process.exit(0));

const database = openDatabase(process.argv[2] ?? '');
process.on('message', (request: QueryRequest) => reply(answer(request)));
reply({ kind: 'ready' });

function openDatabase(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  // The file never changes, so SQLite needs neither locks nor a look at a journal.
  url.search = '?mode=ro&immutable=1';
  const options = {
    readOnly: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    // The types of Node do not have it yet.
    limits: { length: MAX_VALUE_BYTES, sqlLength: MAX_STATEMENT_BYTES, attach: 0 },
  };
  const opened = new DatabaseSync(url, options);
  opened.exec('PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA query_only = ON');
  opened.setAuthorizer((action) => {
    if (ALLOWED.has(action)) return constants.SQLITE_OK;
    hasRefused = true;
    return constants.SQLITE_DENY;
  });
  return opened;
}

function answer(request: QueryRequest): QueryReply {
  hasRefused = false;
  try {
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
  if (columns.length === 0) throw new QueryFailure('NOT_ALLOWED', 'Only SELECT is allowed.');
  prepared.setReturnArrays(true);
  const rows: SqlValue[][] = [];
  let characters = 0;
  for (const row of prepared.iterate(...params)) {
    if (rows.length >= limit) return { kind: 'result', columns, rows, hasMore: true };
    const values = (row as unknown as unknown[]).map(readable);
    for (const value of values) characters += typeof value === 'string' ? value.length : 8;
    if (characters > MAX_RESULT_CHARACTERS)
      throw new QueryFailure('TOO_LARGE', 'The result is too large. Select fewer or shorter columns.');
    rows.push(values);
  }
  return { kind: 'result', columns, rows, hasMore: false };
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
