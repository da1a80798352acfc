import { CitewellError } from '../citewell-error.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A server that asks for more is left to the caller: nobody wants a call that hangs for minutes. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Busy, or away for a moment. 502 and 504 are what a proxy says of a server that is restarting. */
const PASSING_STATUSES: readonly number[] = [429, 502, 503, 504];

/** What a request promises about being sent twice. */
export interface Repeatability {
  /** A GET, or a request with an `Idempotency-Key`. */
  isRepeatable: boolean;
  hasIdempotencyKey: boolean;
}

/**
 * How long to wait before the next attempt, or null when there should be none.
 *
 * @param attempt how many have failed before this one
 * @param random 0..1, for the jitter
 */
export function retryDelayMs(
  error: unknown,
  { isRepeatable, hasIdempotencyKey }: Repeatability,
  attempt: number,
  random: number = Math.random(),
): number | null {
  if (!isRepeatable || !(error instanceof CitewellError)) return null;
  const { status, code, retryAfterSeconds } = error;
  const isPassing =
    code === 'NETWORK' ||
    code === 'TIMEOUT' ||
    PASSING_STATUSES.includes(status) ||
    // The first request of this key is still being carried out: its answer will be given again.
    (hasIdempotencyKey && status === 409 && retryAfterSeconds !== null);
  if (!isPassing) return null;
  if (retryAfterSeconds !== null) {
    return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1_000;
  }
  // Half fixed, half random, so that clients that failed together do not come back together.
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random / 2);
}

/** `Retry-After` (RFC 9110, 10.2.3) in seconds: a number, or a date to wait for. Null when absent or not readable. */
export function parseRetryAfter(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
