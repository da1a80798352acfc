import { IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';
import type { WebFetchError } from '@citewell/web';
import { finalFailureOf } from '../fetching/fetch-failure.js';
import type { RenderFailure } from '../rendering/render.protocol.js';

/** What a failed request is called if it ends the run of a single page. */
const CODES: Partial<Record<IngestionErrorCode, IngestionErrorCode>> = {
  PAGE_GONE: 'PAGE_REFUSED',
};

/** As with a file that its parser fails on, a few attempts are enough. */
const RENDER_CODES = {
  timeout: 'PARSE_TIMEOUT',
  crashed: 'PARSE_MEMORY',
  'too-large': 'PAGE_TOO_LARGE',
} as const satisfies Record<RenderFailure, IngestionErrorCode>;

/** The failure of a single page. @param hasServed whether there was content that can be gone */
export function pageFailureOf(error: WebFetchError, hasServed: boolean): IngestionError {
  const { code, sentence } = finalFailureOf(error);
  if (code === 'PAGE_GONE' && hasServed) return new IngestionError(code, { cause: error });
  return new IngestionError(CODES[code] ?? code, {
    cause: error,
    detail: sentence,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

/** The failure of a single page on which the browser failed. */
export function renderFailureOf(reason: RenderFailure, error: WebFetchError): IngestionError {
  return new IngestionError(RENDER_CODES[reason], { cause: error, detail: error.userMessage });
}
