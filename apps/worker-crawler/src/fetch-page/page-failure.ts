import { IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';
import type { WebFetchError } from '@citewell/web';
import { codeOf } from '../crawl-site/failure.js';

/**
 * What a failed fetch is called where it ends the run of a page. A server that asks us to wait every time we come is one
 * that fails: only a provider, whom all documents wait for, is waited for without end.
 */
const CODES_OF_A_PAGE: Partial<Record<IngestionErrorCode, IngestionErrorCode>> = {
  PAGE_GONE: 'PAGE_REFUSED',
  RATE_LIMITED: 'FETCH_FAILED',
};

/** What a failed fetch means for the run of a page. @param hasServed whether there was a page that can be gone */
export function pageFailureOf(error: WebFetchError, hasServed: boolean): IngestionError {
  const code = codeOf(error);
  if (code === 'PAGE_GONE' && hasServed) return new IngestionError(code, { cause: error });
  return new IngestionError(CODES_OF_A_PAGE[code] ?? code, {
    cause: error,
    detail: error.userMessage,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}
