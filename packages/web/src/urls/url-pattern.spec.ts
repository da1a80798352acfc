import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeUrl } from './normalize-url.js';
import { UrlPattern } from './url-pattern.js';

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
