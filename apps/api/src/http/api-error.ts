import { API_ERROR_STATUS, type ApiErrorCode, type ErrorDetail } from '@citewell/contracts/errors';
import type { Result } from '@citewell/database';

/** Longer messages are truncated: a message may quote a value that the client sent. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * An error response. The message is a sentence for the user, of at most 500 characters. The status is that of the code, or
 * the given one.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    options: {
      details?: readonly ErrorDetail[];
      retryAfterSeconds?: number;
      status?: number;
      cause?: unknown;
    } = {},
  ) {
    super(truncated(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.status = options.status ?? API_ERROR_STATUS[code];
    this.details = options.details?.map((detail) => ({ ...detail, message: truncated(detail.message) }));
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Not found, or owned by another organization. Both return 404, so that ids cannot be probed. */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no such ${what}.`);
}

/** Returns the value. @throws {@link ApiError} `NOT_FOUND` when it is null or undefined */
export function found<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw notFound(what);
  return value;
}

/** Returns the value of a result. @throws the error that `errors` has for its refusal */
export function unwrap<Value, Reason extends string>(
  result: Result<Value, Reason>,
  errors: Readonly<Record<Reason, (ids: readonly string[]) => Error>>,
): Value {
  if (result.ok) return result.value;
  throw errors[result.reason](result.ids);
}

/** Returns the only item of the items with a name. @throws {@link ApiError} `NOT_FOUND`, or `CONFLICT` for several */
export function onlyNamed<Item>([item, other]: readonly Item[], what: string): Item {
  if (other !== undefined)
    throw new ApiError('CONFLICT', `Several ${what}s have this name. Use the id instead.`);
  return found(item, what);
}

/**
 * An invalid field of a request.
 *
 * @param path such as `config.schedule`; `body` is the whole body
 * @param message completes a sentence that begins with the field's name: `is missing`, `must be a list`
 */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', fieldSentence(path, message), { details: [{ path, message }] });
}

/** The sentence about a field. @param path as in {@link invalid} */
export function fieldSentence(path: string, message: string): string {
  return `${path === 'body' ? 'The body' : path} ${message}.`;
}

function truncated(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
}
