import type { FetchResult } from '@citewell/web';

/** A page as the guarded client brings it, without its body. */
export function fetchResult(url: string, facts: Partial<FetchResult> = {}): FetchResult {
  return {
    url,
    status: 200,
    isUnchanged: false,
    headers: {},
    contentType: 'text/html',
    charset: null,
    etag: null,
    lastModified: null,
    robotsTags: [],
    canonicalUrl: null,
    retryAfterMs: null,
    body: (async function* () {})(),
    discard: () => undefined,
    ...facts,
  };
}
