import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageFacts } from '@citewell/documents/web-page';
import { UrlScope } from '@citewell/web';
import { type JudgedPage, judgePage, mayFollow, type PageVerdict } from './page-verdict.js';

const HERE = 'https://site.example/guide/intro';
const AGENT = 'Citewell/1.0';
const scope = new UrlScope({
  start: 'https://site.example/',
  hosts: ['www.site.example'],
  exclude: ['/private/**'],
});

function page(changes: Partial<JudgedPage> = {}, facts: Partial<PageFacts> = {}): JudgedPage {
  return {
    url: HERE,
    robotsTags: [],
    canonicalUrl: null,
    characters: 1_000,
    ...changes,
    facts: {
      baseUrl: HERE,
      canonicalUrl: null,
      robots: { noindex: false, nofollow: false },
      refresh: null,
      links: [],
      linksTruncated: false,
      feeds: [],
      sitemaps: [],
      needsRendering: null,
      publishedAt: null,
      modifiedAt: null,
      ...facts,
    },
  };
}

const refresh = (url: string, delaySeconds = 0) => ({ refresh: { url, delaySeconds } });
const elsewhere = (reason: 'REFRESH' | 'CANONICAL', path: string): PageVerdict => ({
  kind: 'elsewhere',
  reason,
  target: `https://site.example${path}`,
});
const PAGE: PageVerdict = { kind: 'page' };
const pointing = (target: string): PageVerdict => ({ kind: 'page', target });
const NOINDEX: PageVerdict = { kind: 'left-out', reason: 'NOINDEX' };
const EMPTY: PageVerdict = { kind: 'left-out', reason: 'EMPTY' };

describe('a fetched page', () => {
  const cases: [name: string, page: JudgedPage, verdict: PageVerdict][] = [
    ['with text is a page', page(), PAGE],
    ['with little text is a page', page({ characters: 1 }), PAGE],
    ['without text is none', page({ characters: 0 }), EMPTY],
    ['with noindex is none', page({}, { robots: { noindex: true, nofollow: false } }), NOINDEX],
    ['with noindex in a header is none', page({ robotsTags: ['noindex, nofollow'] }), NOINDEX],
    ['with noindex for us is none', page({ robotsTags: ['citewell: noindex'] }), NOINDEX],
    ['with noindex for others is a page', page({ robotsTags: ['otherbot: noindex'] }), PAGE],
    [
      'that says noindex and names another page is not followed there',
      page(
        {},
        { robots: { noindex: true, nofollow: false }, canonicalUrl: 'https://site.example/guide/other' },
      ),
      NOINDEX,
    ],
    [
      'that only refreshes is a stub',
      page({ characters: 40 }, refresh('https://site.example/new')),
      elsewhere('REFRESH', '/new'),
    ],
    [
      'that refreshes and is empty is a stub',
      page({ characters: 0 }, refresh('https://site.example/new')),
      elsewhere('REFRESH', '/new'),
    ],
    [
      'that refreshes and says something is a page',
      page({ characters: 250 }, refresh('https://site.example/new')),
      PAGE,
    ],
    [
      'that refreshes late is a page',
      page({ characters: 40 }, refresh('https://site.example/new', 11)),
      PAGE,
    ],
    ['that refreshes itself is a page', page({ characters: 40 }, refresh(`${HERE}#now`)), PAGE],
    [
      'that refreshes to another site is a page',
      page({ characters: 40 }, refresh('https://other.example/')),
      pointing('https://other.example/'),
    ],
    [
      'that refreshes to what is excluded is a page',
      page({ characters: 40 }, refresh('https://site.example/private/x')),
      pointing('https://site.example/private/x'),
    ],
    [
      'that names another one as canonical stands for that',
      page({}, { canonicalUrl: 'https://site.example/guide/introduction?utm_source=x' }),
      elsewhere('CANONICAL', '/guide/introduction'),
    ],
    [
      'that names another one in a header stands for that',
      page({ canonicalUrl: 'https://site.example/guide/introduction' }),
      elsewhere('CANONICAL', '/guide/introduction'),
    ],
    [
      'that says one thing in its head and another in a header goes by its head',
      page(
        { canonicalUrl: 'https://site.example/header' },
        { canonicalUrl: 'https://site.example/guide/head' },
      ),
      elsewhere('CANONICAL', '/guide/head'),
    ],
    ['that names itself is a page', page({}, { canonicalUrl: `${HERE}?utm_source=x#top` }), PAGE],
    [
      'that names itself by the other scheme is a page',
      page({}, { canonicalUrl: HERE.replace('https', 'http') }),
      PAGE,
    ],
    ['that names another host is a page', page({}, { canonicalUrl: 'https://other.example/guide' }), PAGE],
    [
      'that names the twin of its host, which is of the site, stands for that',
      page({}, { canonicalUrl: 'https://www.site.example/guide' }),
      { kind: 'elsewhere', reason: 'CANONICAL', target: 'https://www.site.example/guide' },
    ],
    ['that names the home page is a page', page({}, { canonicalUrl: 'https://site.example/' }), PAGE],
    [
      'that only refreshes to another one and is not to be indexed itself leads there',
      page(
        { characters: 10 },
        {
          robots: { noindex: true, nofollow: false },
          refresh: { delaySeconds: 0, url: 'https://site.example/new' },
        },
      ),
      { kind: 'left-out', reason: 'NOINDEX', target: 'https://site.example/new' },
    ],
    [
      'that names what is excluded is a page',
      page({}, { canonicalUrl: 'https://site.example/private/x' }),
      pointing('https://site.example/private/x'),
    ],
    [
      'the home page may name itself with parameters',
      page({ url: 'https://site.example/?q=1' }, { canonicalUrl: 'https://site.example/' }),
      elsewhere('CANONICAL', '/'),
    ],
  ];
  for (const [name, judged, verdict] of cases)
    it(name, () =>
      assert.deepEqual(
        judgePage(judged, (url) => scope.refusalOf(url) === null, AGENT),
        verdict,
      ),
    );
});

it('links are followed unless the page or its header asks not to', () => {
  assert.equal(mayFollow(page(), AGENT), true);
  assert.equal(mayFollow(page({}, { robots: { noindex: true, nofollow: false } }), AGENT), true);
  assert.equal(mayFollow(page({}, { robots: { noindex: false, nofollow: true } }), AGENT), false);
  assert.equal(mayFollow(page({ robotsTags: ['none'] }), AGENT), false);
  assert.equal(mayFollow(page({ robotsTags: ['otherbot: none'] }), AGENT), true);
});
