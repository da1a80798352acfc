import { CitewellError } from '../citewell-error.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/**
 * If the server asks for a longer delay, the error goes to the caller: a call should not block for minutes.
 */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Temporary failures. A proxy responds with 502 or 504 while the server restarts. */
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Whether a request may be sent more than once. */
export interface Retryability {
  /** A GET, or a request with an `Idempotency-Key`. */
  isRetryable: boolean;
  hasIdempotencyKey: boolean;
}

/**
 * The delay before the next attempt in milliseconds, or null if there should be no further attempt.
 *
 * @param attempt number of failed attempts before this one
 * @param random 0 to 1, for the jitter
 */
export function retryDelayMs(
  error: unknown,
  { isRetryable, hasIdempotencyKey }: Retryability,
  attempt: number,
  random: number = Math.random(),
): number | null {
  if (!isRetryable || !(error instanceof CitewellError)) return null;
  const { status, code, retryAfterSeconds } = error;
  const isTransient =
    code === 'NETWORK' ||
    code === 'TIMEOUT' ||
    TRANSIENT_STATUSES.includes(status) ||
    // The first request with this key is still in progress. A later attempt gets its response.
    (hasIdempotencyKey && status === 409 && retryAfterSeconds !== null);
  if (!isTransient) return null;
  if (retryAfterSeconds !== null) {
    return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1_000;
  }
  // Exponential backoff with jitter, so that clients that failed together do not retry together.
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random / 2);
}

/** Parses `Retry-After` (RFC 9110, 10.2.3), a number or a date, to seconds. Null if absent or invalid. */
export function parseRetryAfter(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
