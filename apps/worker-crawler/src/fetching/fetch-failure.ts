import type { IngestionErrorCode } from '@citewell/contracts/errors';
import type { WebFetchError } from '@citewell/web';

/** Requests for one URL in one crawl. */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

/** The code under which a user reads of a failed request. */
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
 * The code and sentence of a request that is not repeated any more. A server that asks for a pause is not called an
 * external service whose limit the work waits for: this crawl is over for the page.
 */
export function finalFailureOf(error: WebFetchError): { code: IngestionErrorCode; sentence: string } {
  const code = codeOf(error);
  if (code !== 'RATE_LIMITED') return { code, sentence: error.userMessage };
  const status = error.status === undefined ? '' : ` (status ${error.status})`;
  return {
    code: 'FETCH_FAILED',
    sentence: `The web server asked for a pause${status} at every attempt, so the page was given up. Sync again later. If it fails again, ask the operator for a slower pace (CRAWL_DELAY_MS), or the owner of the site to allow more requests.`,
  };
}

/**
 * When a failed request is repeated in this crawl: when the server asks for it, up to an hour; else after 2 s, 4 s, 8 s.
 * Null when repeating is pointless, or was tried often enough.
 *
 * @param attempts that failed before this one
 */
export function retryAt(error: WebFetchError, attempts: number, now = Date.now()): Date | null {
  if (error.kind !== 'transient' && error.kind !== 'rate-limited') return null;
  return nextAttemptAt(attempts, now, error.retryAfterMs);
}

/** As {@link retryAt}, for any failure that may pass. @param requestedMs pause that the server asks for */
export function nextAttemptAt(attempts: number, now = Date.now(), requestedMs?: number): Date | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  const pauseMs = requestedMs ?? FIRST_PAUSE_MS * 2 ** attempts;
  return new Date(now + Math.min(pauseMs, LONGEST_PAUSE_MS));
}
