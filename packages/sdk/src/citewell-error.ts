/**
 * The codes of the interface, and the HTTP status that each stands for. An error inside a stream carries a code
 * alone, so the table is needed here.
 */
export const API_ERROR_STATUS = {
  INVALID_REQUEST: 400,
  USAGE_LIMIT: 402,
  UNAUTHORIZED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT: 429,
  INTERNAL: 500,
  UPSTREAM_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

/** What the server answered. */
export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

/**
 * What happened on this side of the wire.
 *
 * - `NETWORK`: no answer, or one that broke off.
 * - `TIMEOUT`: the limit of the request, or of a wait, ran out.
 * - `STREAM_INCOMPLETE`: a stream ended without saying that it is complete.
 * - `INVALID_RESPONSE`: an answer that is not one of this interface: often the address is another server's.
 */
export type ClientErrorCode = 'NETWORK' | 'TIMEOUT' | 'STREAM_INCOMPLETE' | 'INVALID_RESPONSE';

/** Any code; a newer server may have more than are listed. Reasons of a failed datasource are among them. */
export type ErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

/** One field that was refused: where it stands in the request, and why. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** What is known of a failure besides its code and its message. */
export interface CitewellErrorContext {
  status?: number;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** Every failure of the client but an abort, which throws the signal's own reason. Branch on `code`. */
export class CitewellError extends Error {
  readonly code: ErrorCode;
  /** HTTP status; inside a stream, the one that the code stands for; 0 when no server said anything. */
  readonly status: number;
  /** The fields that were refused; mostly with `INVALID_REQUEST`. */
  readonly details: readonly ErrorDetail[];
  /** Names the request in the server's log. */
  readonly requestId: string | null;
  /** How long the server asks to wait, in seconds. */
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

/** The status behind a code of the interface; 500 for a code that this version does not know. */
export function statusOfCode(code: string): number {
  const known: Readonly<Record<string, number>> = API_ERROR_STATUS;
  return known[code] ?? 500;
}
