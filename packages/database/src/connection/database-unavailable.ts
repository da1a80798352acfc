import { QueryFailedError } from 'typeorm';

/** PostgreSQL error classes 08 (connection) and 57P (operator intervention), and what sockets say. */
const CONNECTION_CODES = /^(?:08\w{3}|57P\w{2}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** The driver has no codes for these. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;

/** Whether an error means that the database cannot be reached now, and not that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = driverError(error);
  return CONNECTION_CODES.test(code) || CONNECTION_MESSAGES.test(message);
}

/** character_not_in_repertoire, untranslatable_character, and what `jsonb` says of half a surrogate pair. */
const UNSTORABLE_CODES: ReadonlySet<string> = new Set(['22021', '22P05', '22P02']);

/** Whether a statement failed because a text has a character that Postgres does not store: U+0000, or half a pair. */
export function isUnstorableText(error: unknown): boolean {
  return UNSTORABLE_CODES.has(driverError(error).code);
}

/** Whether a row could not be written because what it refers to is not there any more (foreign_key_violation). */
export function isReferenceGone(error: unknown): boolean {
  return driverError(error).code === '23503';
}

function driverError(error: unknown): { code: string; message: string } {
  const inner: unknown = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  if (!(inner instanceof Error)) return { code: '', message: '' };
  return {
    code: 'code' in inner && typeof inner.code === 'string' ? inner.code : '',
    message: inner.message,
  };
}
