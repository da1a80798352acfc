import { API_ERROR_STATUS, type ApiErrorCode, type ErrorDetail } from '@citewell/contracts/api-errors';

/**
 * An error that the client detects.
 *
 * - `NETWORK`: no response, or the connection failed during the response.
 * - `TIMEOUT`: the timeout of the request, or of a wait, expired.
 * - `STREAM_INCOMPLETE`: a stream ended without its end marker.
 * - `INVALID_RESPONSE`: the response does not follow the API. Often the address belongs to another server.
 */
export type ClientErrorCode = 'NETWORK' | 'TIMEOUT' | 'STREAM_INCOMPLETE' | 'INVALID_RESPONSE';

/** Any error code. It may be one that is not listed: of a newer server, or of a failed datasource. */
export type ErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

/** Details of a failure, in addition to its code and message. */
export interface CitewellErrorContext {
  status?: number;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/**
 * Every failure, except an abort, which throws the reason of the signal. The codes that programs handle most have a
 * subclass, such as {@link NotFoundError}. For all others, branch on `code`.
 */
export class CitewellError extends Error {
  readonly code: ErrorCode;
  /** HTTP status. For an error inside a stream, the status of its code. 0 if there was no response. */
  readonly status: number;
  /** The rejected fields; usually with `INVALID_REQUEST`. */
  readonly details: readonly ErrorDetail[];
  /** Identifies the request in the log of the server. */
  readonly requestId: string | null;
  /** The delay that the server asks for, in seconds. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, context: CitewellErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'CitewellError';
    this.code = code;
    this.status = context.status ?? 0;
    this.details = context.details ?? [];
    this.requestId = context.requestId ?? null;
    this.retryAfterSeconds = context.retryAfterSeconds ?? null;
  }
}

/** `INVALID_REQUEST`: see `details`. */
export class InvalidRequestError extends CitewellError {}
/** `UNAUTHORIZED` or `FORBIDDEN`: the API key is missing or wrong, or lacks a scope. */
export class AccessDeniedError extends CitewellError {}
/** `NOT_FOUND`: it does not exist, or belongs to another organization. */
export class NotFoundError extends CitewellError {}
/** `CONFLICT`: the state does not allow the request. */
export class ConflictError extends CitewellError {}
/** `USAGE_LIMIT`: a limit of the organization has been reached. */
export class UsageLimitError extends CitewellError {}
/** `RATE_LIMIT`: too many requests; see `retryAfterSeconds`. */
export class RateLimitError extends CitewellError {}
/** `NETWORK`: no response, or the connection failed during the response. */
export class NetworkError extends CitewellError {}
/** `TIMEOUT`: the timeout of a request, or of a wait, expired. */
export class TimeoutError extends CitewellError {}

const CLASSES: ReadonlyMap<ErrorCode, typeof CitewellError> = new Map([
  ['INVALID_REQUEST', InvalidRequestError],
  ['UNAUTHORIZED', AccessDeniedError],
  ['FORBIDDEN', AccessDeniedError],
  ['NOT_FOUND', NotFoundError],
  ['CONFLICT', ConflictError],
  ['USAGE_LIMIT', UsageLimitError],
  ['RATE_LIMIT', RateLimitError],
  ['NETWORK', NetworkError],
  ['TIMEOUT', TimeoutError],
]);

/** Creates an error of the class of its code. */
export function errorOf(code: ErrorCode, message: string, context?: CitewellErrorContext): CitewellError {
  return new (CLASSES.get(code) ?? CitewellError)(code, message, context);
}

/** The HTTP status of an API error code; 500 for an unknown code. */
export function statusOfCode(code: string): number {
  const known: Readonly<Record<string, number>> = API_ERROR_STATUS;
  return known[code] ?? 500;
}
