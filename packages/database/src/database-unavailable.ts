import { QueryFailedError } from 'typeorm';

/** PostgreSQL error classes 08 (connection) and 57P (operator intervention), and what sockets say. */
const CONNECTION_CODES = /^(?:08\w{3}|57P\w{2}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** The driver has no codes for these. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;

/** Whether an error means that the database cannot be reached now, and not that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const inner: unknown = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  if (!(inner instanceof Error)) return false;
  if ('code' in inner && typeof inner.code === 'string' && CONNECTION_CODES.test(inner.code)) return true;
  return CONNECTION_MESSAGES.test(inner.message);
}
