import { describe, expect, it } from '@jest/globals';
import { readResponseFacts } from './guarded-http.client.js';

const BASE = new URL('https://example.org/a/b');
const canonical = (link: string | string[]): string | null =>
  // Node joins repeated headers, but some versions do not join all of them.
  readResponseFacts({ link: link as string }, BASE, 0).canonicalUrl;

describe('readResponseFacts', () => {
  it('reads the headers, and returns null for absent ones', () => {
    const headers = {
      etag: 'W/"1"',
      'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT',
      'x-robots-tag': ['noindex', 'otherbot: nofollow'],
      'retry-after': '3',
    };
    // The type allows one value only, but Node returns unknown headers as an array.
    expect(readResponseFacts(headers as never, BASE, 0)).toEqual({
      etag: 'W/"1"',
      lastModified: 'Fri, 20 Nov 2026 12:00:00 GMT',
      robotsTags: ['noindex', 'otherbot: nofollow'],
      canonicalUrl: null,
      retryAfterMs: 3000,
    });
    expect(readResponseFacts({}, BASE, 0)).toEqual({
      etag: null,
      lastModified: null,
      robotsTags: [],
      canonicalUrl: null,
      retryAfterMs: null,
    });
  });

  const rows: readonly (readonly [link: string | string[], url: string | null])[] = [
    ['<https://example.org/c>; rel="canonical"', 'https://example.org/c'],
    ['<https://example.net/c>; rel=canonical', 'https://example.net/c'],
    ['</c>;rel=Canonical', 'https://example.org/c'],
    ['<c>; title="x, y"; rel="alternate canonical"', 'https://example.org/a/c'],
    ['</x>; rel="preload", </c>; rel="canonical"', 'https://example.org/c'],
    [['</x>; rel="preload"', '</c>; rel="canonical"'], 'https://example.org/c'],
    ['</c?a=1,2>; rel="canonical"', 'https://example.org/c?a=1,2'],
    ['</x>; rel="canonical-not"', null],
    ['</x>; rel="next"; title="rel=canonical"', null],
    ['<javascript:x>; rel="canonical"', null],
    ['/c; rel="canonical"', null],
  ];
  for (const [link, url] of rows) {
    it(`finds ${url} in ${JSON.stringify(link)}`, () => expect(canonical(link)).toBe(url));
  }
});
