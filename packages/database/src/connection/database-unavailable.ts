import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { READ_ONLY, WatchedClient, type WatchSettings } from './watched-client.js';

/**
 * Thrown when the pool has no connection to give and its driver names no code: it cannot connect in time, or was ended.
 */
export class NoConnectionError extends Error {
  readonly code = 'NO_CONNECTION';

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'NoConnectionError';
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** A pool whose errors have a code. */
class CodedPool extends pg.Pool {
  constructor(config: pg.PoolConfig & WatchSettings) {
    // The type of the option has no constructor with settings, which the pool passes on.
    super({ ...config, Client: WatchedClient as unknown as new () => pg.ClientBase });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (callback === undefined) return super.connect();
    return super.connect((error, client, release) =>
      callback(
        error === undefined || 'code' in error ? error : new NoConnectionError(error),
        client,
        release,
      ),
    );
  }
}

/** The driver for TypeORM. */
export const POSTGRES_DRIVER = { ...pg, Pool: CodedPool };

/**
 * PostgreSQL error classes 08 (connection) and 57P (operator intervention), a server that became a standby, and codes of
 * socket errors.
 */
const CONNECTION_CODES = new RegExp(
  `^(?:08\\w{3}|57P\\w{2}|${READ_ONLY}|NO_CONNECTION|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$`,
);

/**
 * Whether an error means that the database cannot be reached now, rather than that the statement is wrong.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return CONNECTION_CODES.test(codeOf(error)) || isBrokenConnection(error);
}

/** character_not_in_repertoire, untranslatable_character, and the error of `jsonb` for half a surrogate pair. */
const UNSTORABLE_CODES: ReadonlySet<string> = new Set(['22021', '22P05', '22P02']);

/** Whether a text has a character that Postgres cannot store: U+0000, or half a surrogate pair. */
export function isUnstorableText(error: unknown): boolean {
  return UNSTORABLE_CODES.has(codeOf(error));
}

/** Whether a statement failed because the server has no space left on its disk (disk_full). */
export function isDatabaseFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** data_corrupted, index_corrupted, io_error, and undefined_file for the file of a table. */
const DAMAGE_CODES: ReadonlySet<string> = new Set(['XX001', 'XX002', '58030', '58P01']);

/** Whether a statement failed because the server cannot read its own data. A retry does not help. */
export function isDatabaseDamaged(error: unknown): boolean {
  return DAMAGE_CODES.has(codeOf(error));
}

/** Whether a row refers to a row that does not exist any more (foreign_key_violation). */
export function isReferenceGone(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/** Whether another row has the same value in unique columns. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** A statement failed on a connection that broke: the driver throws plain errors for that, without a code. */
function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { driverError } = error as { driverError: unknown };
  return driverError instanceof Error && driverError.name === 'Error' && !('code' in driverError);
}

/** The code of an error of the database or of a socket; empty for other errors. */
export function codeOf(error: unknown): string {
  const inner: unknown = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  return inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
}
