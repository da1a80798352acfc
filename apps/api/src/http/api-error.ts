import { API_ERROR_STATUS, type ApiErrorCode, type ErrorDetail } from '@citewell/contracts/errors';

/** An answer that is an error, decided on by us. Its message is for the person who called. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.status = API_ERROR_STATUS[code];
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** What is not there, or not in this organization: both look the same. */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no such ${what}.`);
}

/** A value, or the error that says it does not exist. */
export function found<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw notFound(what);
  return value;
}

/**
 * A field that is refused.
 *
 * @param message the rest of a sentence that begins with the field's name: `is missing`, `must be a list`
 */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', sayOf(path, message), { details: [{ path, message }] });
}

/** The sentence about a field, or about the `body` as a whole. */
export function sayOf(path: string, message: string): string {
  return `${path === 'body' ? 'The body' : path} ${message}.`;
}
