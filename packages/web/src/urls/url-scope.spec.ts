import { describe, expect, it } from '@jest/globals';
import { type ScopeRefusal, UrlScope, type UrlScopeOptions } from './url-scope.js';

const scope = (options: Partial<UrlScopeOptions> = {}): UrlScope =>
  new UrlScope({ start: 'https://example.org/docs', ...options });

describe('UrlScope', () => {
  const long = `https://example.org/${'a'.repeat(1024)}`;
  const rows: readonly (readonly [
    url: string,
    refusal: ScopeRefusal | null,
    options?: Partial<UrlScopeOptions>,
    depth?: number,
  ])[] = [
    ['https://example.org/docs/a', null],
    ['http://example.org/', null],
    ['https://www.example.org/', 'OTHER_HOST'],
    ['https://example.org.evil.test/', 'OTHER_HOST'],
    ['https://example.org:8443/', 'OTHER_HOST'],
    ['https://www.example.org/', null, { hosts: ['WWW.example.org'] }],
    ['not a url', 'BAD_URL'],
    ['https://example.org/blog/x', 'NOT_INCLUDED', { include: ['/docs/**'] }],
    ['https://example.org/docs/x', null, { include: ['/docs/**', '/api/**'] }],
    ['https://example.org/docs/old/x', 'EXCLUDED', { include: ['/docs/**'], exclude: ['/docs/old/**'] }],
    [long, 'PATH_TOO_LONG'],
    [`https://example.org/?${'a=1&'.repeat(8)}`, null],
    [`https://example.org/?${'a=1&'.repeat(9)}`, 'TOO_MANY_PARAMETERS'],
    ['https://example.org/a', null, {}, 1000],
    ['https://example.org/a', null, { maxDepth: 2 }, 2],
    ['https://example.org/a', 'TOO_DEEP', { maxDepth: 2 }, 3],
    // The cheap limits come before the patterns.
    [long, 'PATH_TOO_LONG', { exclude: ['/**'] }],
    ['https://example.org/a', 'TOO_DEEP', { exclude: ['/**'], maxDepth: 2 }, 3],
  ];
  for (const [url, refusal, options, depth] of rows) {
    it(`${refusal === null ? 'accepts' : `refuses as ${refusal}`} ${url.slice(0, 70)}`, () =>
      expect(scope(options).refusalOf(url, depth)).toBe(refusal));
  }

  it('separates the host from the patterns', () => {
    const docs = scope({ include: ['/docs/**'], exclude: ['*.pdf'], maxDepth: 0 });
    const urls = [
      'https://example.org/docs/a',
      'https://example.org/x',
      'https://example.net/docs/a.pdf',
      'not a url',
    ];
    expect(urls.map((url) => docs.isOnHost(url))).toEqual([true, true, false, false]);
    expect(urls.slice(0, 3).map((url) => docs.isExcluded(url))).toEqual([false, true, true]);
  });
});
