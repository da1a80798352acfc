import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ScopeRefusal, UrlScope, type UrlScopeOptions } from './url-scope.js';
import { urlShape } from './url-shape.js';

const NOW = Date.UTC(2026, 10, 20);
const scope = (options: Partial<UrlScopeOptions> = {}): UrlScope =>
  new UrlScope({ start: 'https://example.org/docs', now: () => NOW, ...options });

describe('UrlScope', () => {
  const rows: readonly (readonly [
    url: string,
    refusal: ScopeRefusal | null,
    options?: Partial<UrlScopeOptions>,
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
    [`https://example.org/${'a'.repeat(1024)}`, 'PATH_TOO_LONG'],
    [`https://example.org/?${'a=1&'.repeat(8)}`, null],
    [`https://example.org/?${'a=1&'.repeat(9)}`, 'TOO_MANY_PARAMETERS'],
  ];
  for (const [url, refusal, options] of rows) {
    it(`${refusal ?? 'takes'} ${url.slice(0, 70)}`, () =>
      assert.equal(scope(options).refusalOf(url), refusal));
  }

  const traps: readonly (readonly [url: string, refusal: ScopeRefusal | null])[] = [
    ['https://example.org/a/b/a/b/a/b', 'REPEATED_SEGMENTS'],
    ['https://example.org/x/a/b/a/b/a/b/y', 'REPEATED_SEGMENTS'],
    ['https://example.org/a/a/a', 'REPEATED_SEGMENTS'],
    ['https://example.org/a/b/a/b/a', null],
    ['https://example.org/a/b/a/c/a/d/a', null],
    ['https://example.org/2011/11/11/11', null],
    ['https://example.org/2031/05', 'DISTANT_CALENDAR'],
    ['https://example.org/calendar/2031-05-12/', 'DISTANT_CALENDAR'],
    ['https://example.org/?month=5&year=2040', 'DISTANT_CALENDAR'],
    ['https://example.org/?tribe-bar-date=2033-01-01', 'DISTANT_CALENDAR'],
    ['https://example.org/events/2012/05/07', 'DISTANT_CALENDAR'],
    ['https://example.org/events?year=2012&month=5&day=7', 'DISTANT_CALENDAR'],
    ['https://example.org/events/1972/05', 'DISTANT_CALENDAR'],
    ['https://example.org/events/2012/05', null],
    ['https://example.org/news?month=2009-04', null],
    ['https://example.org/events/2012/05/12/the-great-fair', null],
    ['https://example.org/blog/1998/05', null],
    ['https://example.org/2026/11/20', null],
    ['https://example.org/2050/a-plan', null],
    ['https://example.org/docs/v2050/01', null],
  ];
  for (const [url, refusal] of traps) {
    it(`${refusal === null ? 'takes' : 'turns away'} a link to ${url}, which a sitemap may list`, () => {
      assert.equal(scope().admit(url, 1), refusal);
      assert.equal(scope().refusalOf(url), null);
    });
  }

  it('looks at lengths before it compares patterns, which takes longer', () => {
    const long = `https://example.org/docs/${'a'.repeat(1024)}`;
    assert.equal(scope({ exclude: ['/docs/**'] }).refusalOf(long), 'PATH_TOO_LONG');
    assert.equal(
      scope({ exclude: ['/docs/**'], maxDepth: 2 }).refusalOf('https://example.org/docs/a', 3),
      'TOO_DEEP',
    );
  });

  it('bounds the depth', () => {
    assert.equal(scope({ maxDepth: 2 }).refusalOf('https://example.org/a', 2), null);
    assert.equal(scope({ maxDepth: 2 }).refusalOf('https://example.org/a', 3), 'TOO_DEEP');
  });

  it('bounds the variants of one shape, and of no other', () => {
    const bounded = scope({ maxCombinations: 3, maxEntries: 5 });
    const admit = (path: string): ScopeRefusal | null => bounded.admit(`https://example.org${path}`, 1);
    const filters = [1, 2, 3, 4].map((size) => admit(`/shop?size=${size}&colour=red`));
    assert.deepEqual(filters, [null, null, null, 'TOO_MANY_VARIANTS']);
    assert.equal(admit('/shop?colour=blue&size=9'), 'TOO_MANY_VARIANTS');
    assert.equal(admit('/shop?size=1'), null);
    const articles = [1, 22, 333, 4444, 55555, 6].map((id) => admit(`/article/${id}`));
    assert.deepEqual(articles, [null, null, null, null, null, 'TOO_MANY_VARIANTS']);
    for (let page = 0; page < 20; page += 1) assert.equal(admit('/no-numbers'), null);
  });
});

describe('urlShape', () => {
  const shape = (path: string): string => urlShape(new URL(path, 'http://e.org'));
  it('collapses numbers and identifiers, and drops values', () => {
    assert.equal(shape('/shop/12/page-3?size=9&colour=red&size=8'), 'e.org/shop/#/page-#?colour&size');
    assert.equal(shape('/x/9f86d081-884c-7d65-9a2f-eaa0c55ad015/y'), 'e.org/x/#/y');
    assert.equal(shape('/x/added-facade-decade'), 'e.org/x/added-facade-decade');
  });
});
