import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ScopeRefusal, UrlPattern, UrlScope, type UrlScopeOptions } from './url-scope.js';
import { normalizeUrl } from './normalize-url.js';

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

describe('UrlPattern', () => {
  const rows: readonly (readonly [pattern: string, matching: string[], others: string[]])[] = [
    ['/docs/**', ['/docs', '/docs/', '/docs/a', '/docs/a/b.html'], ['/', '/docsx', '/a/docs/']],
    ['/docs/*', ['/docs/', '/docs/a', '/docs/a?x=1'], ['/docs', '/docs/a/b', '/docs/a/']],
    ['/a/**/b', ['/a/b', '/a/x/b', '/a/x/y/b'], ['/a/xb', '/ab', '/a/b/c']],
    ['*.pdf', ['/x.pdf', '/a/b/x.pdf', '/.pdf'], ['/x.pdf/', '/x.pdfx', '/x.PDF']],
    ['drafts/**', ['/drafts/x', '/a/drafts/x', '/drafts'], ['/mydrafts/x']],
    ['**/print', ['/print', '/a/b/print'], ['/a/b/print/', '/blueprint']],
    ['**print**', ['/print', '/blueprint/a', '/a/print'], ['/paint']],
    ['/a*/b', ['/a/b', '/axyz/b'], ['/a/x/b', '/b']],
    ['/x?page=*', ['/x?page=2', '/x?page='], ['/x', '/xxpage=2', '/x?page=a/b']],
    ['/**?print=1', ['/a/b?print=1'], ['/a/b', '/a/b?print=10']],
    ['https://Example.org/a', ['/a', '/a?x'], ['/a/', '/A']],
    ['*://*/a/**', ['/a/', '/a/b'], ['/b/a']],
    ['https://example.org', ['/'], ['/a']],
    ['https://*.example.org/**', [], ['/', '/a']],
    ['/über/*', ['/über/a', '/%C3%BCber/a'], ['/uber/a']],
    ['/a.c', ['/a.c'], ['/abc']],
    ['/', ['/'], ['/a']],
    ['**', ['/', '/a/b'], []],
    ['', ['/', '/a/'], ['/a']],
  ];
  const urlOf = (path: string): URL => new URL(normalizeUrl(path, 'https://example.org/') ?? '');
  for (const [pattern, matching, others] of rows) {
    it(`reads ${JSON.stringify(pattern)}`, () => {
      for (const path of matching)
        expect([path, new UrlPattern(pattern).matches(urlOf(path))]).toEqual([path, true]);
      for (const path of others)
        expect([path, new UrlPattern(pattern).matches(urlOf(path))]).toEqual([path, false]);
    });
  }

  it('matches in linear time patterns that make other matchers backtrack', () => {
    const addresses = [`/${'a'.repeat(4000)}`, `/${'a/b'.repeat(1300)}`].map(urlOf);
    for (const source of [`/${'**a*'.repeat(99)}b`, `${'/**a*'.repeat(99)}zz`, `**${'/*a*'.repeat(99)}`])
      for (const address of addresses) expect(new UrlPattern(source).matches(address)).toBe(false);
  });

  it('agrees with a matcher that tries every split', () => {
    const sourceOf = fc.array(fc.constantFrom('a', 'b', '/', '*', '**', '**/', '/**/', 'a/'), {
      maxLength: 9,
    });
    const pathOf = fc.array(fc.constantFrom('a', 'b', '/', 'ab', 'a/'), { maxLength: 9 });
    fc.assert(
      fc.property(sourceOf, pathOf, (pieces, path) => {
        const source = `/${pieces.join('')}`;
        const subject = `/${path.join('')}`;
        const expected =
          isMatch(source, subject) || (source.endsWith('/**') && isMatch(source, `${subject}/`));
        expect(new UrlPattern(source).matches(new URL(`https://example.org${subject}`))).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });
});

/** Tries every split. @param isAfterSlash whether the pattern starts here, or continues after a slash */
function isMatch(pattern: string, subject: string, isAfterSlash = true): boolean {
  const rests = Array.from({ length: subject.length + 1 }, (_, at) => subject.slice(at));
  const [stars = ''] = /^\**/.exec(pattern) ?? [];
  if (isAfterSlash && pattern.startsWith('**/'))
    return rests.some((rest, at) => (at === 0 || subject[at - 1] === '/') && isMatch(pattern.slice(3), rest));
  if (stars.length > 1) return rests.some((rest) => isMatch(pattern.slice(stars.length), rest, false));
  if (stars.length === 1)
    return rests.some(
      (rest, at) => !subject.slice(0, at).includes('/') && isMatch(pattern.slice(1), rest, false),
    );
  if (pattern === '') return subject === '';
  return pattern[0] === subject[0] && isMatch(pattern.slice(1), subject.slice(1), pattern[0] === '/');
}
