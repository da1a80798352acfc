import type { IngestionErrorCode } from '@citewell/contracts/errors';
import type { WebFetchError } from '@citewell/web';

/** Fetches of one URL in one crawl. */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

/** The code under which a user reads of a failed fetch. */
export function codeOf(error: WebFetchError): IngestionErrorCode {
  if (error.status === 404 || error.status === 410) return 'PAGE_GONE';
  switch (error.kind) {
    case 'blocked':
      return 'ADDRESS_BLOCKED';
    case 'rate-limited':
      return 'RATE_LIMITED';
    case 'transient':
      return 'FETCH_FAILED';
    case 'permanent':
      return error.code === 'TOO_LARGE' || error.code === 'DECOMPRESSION_BOMB'
        ? 'PAGE_TOO_LARGE'
        : 'PAGE_REFUSED';
  }
}

/**
 * When a failed fetch is worth another try in this crawl: when the server wants it, up to an hour; else after 2 s, 4 s,
 * 8 s. Null when it is not, or was tried often enough.
 *
 * @param attempts that failed before this one
 */
export function retryAt(error: WebFetchError, attempts: number, now = Date.now()): Date | null {
  if (error.kind !== 'transient' && error.kind !== 'rate-limited') return null;
  return nextTryAt(attempts, now, error.retryAfterMs);
}

/** As {@link retryAt}, for a failure that may pass, whatever it is. @param wishedMs how long the server wants us to wait */
export function nextTryAt(attempts: number, now = Date.now(), wishedMs?: number): Date | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  const pauseMs = wishedMs ?? FIRST_PAUSE_MS * 2 ** attempts;
  return new Date(now + Math.min(pauseMs, LONGEST_PAUSE_MS));
}
