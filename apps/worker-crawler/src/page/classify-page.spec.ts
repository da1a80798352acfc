import { hash } from 'node:crypto';
import assert from 'node:assert/strict';
import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { PageFacts as HtmlFacts } from '@citewell/documents/web-page';
import { documentHash } from '@citewell/ingestion';
import { UrlScope, WebFetchError } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { fetchResult } from '../fetching/fetch-result.fixtures.js';
import {
  classifyPage,
  MAX_HOPS,
  type PageClass,
  SHELL_SENTENCE,
  type PageFacts,
  type SiteRules,
  textHashOf,
} from './classify-page.js';
import type { PageResponse } from './page-loader.js';
import { frontierUrl, htmlPage, PAGE_URL, servingPage } from './responses.fixtures.js';

const SITE: SiteRules = {
  scope: new UrlScope({ start: 'https://site.example/', exclude: ['/private/**'], maxDepth: 3 }),
  render: 'auto',
  userAgent: 'Citewell/1.0',
};
const TEXT = 'Granite is an igneous rock. '.repeat(20);
const HASH = documentHash(TEXT);
const OTHER = 'https://site.example/other';
const FILE_BYTES = Buffer.from('%PDF');
const FILE_HASH = `file-${hash('sha256', FILE_BYTES)}`;

const robots = (noindex: boolean): Partial<HtmlFacts> => ({ robots: { noindex, nofollow: false } });
const canonical = (canonicalUrl: string): Partial<HtmlFacts> => ({ canonicalUrl });
const refresh = (url: string, delaySeconds = 0): Partial<HtmlFacts> => ({ refresh: { url, delaySeconds } });
const header = (tag: string) => htmlPage(TEXT, {}, { robotsTags: [tag] });
const redirect = (target: string | null): PageResponse => ({ kind: 'redirect', location: target, target });
const file = (contentType: string | null, robotsTags: string[] = []): PageResponse => ({
  kind: 'file',
  answer: fetchResult(PAGE_URL, { contentType, robotsTags }),
  bytes: FILE_BYTES,
  contentType,
});
const answered = (status: number): PageResponse => {
  const kind = status >= 500 ? 'transient' : 'permanent';
  return {
    kind: 'error',
    error: new WebFetchError(kind, 'HTTP_STATUS', `It answered ${status}.`, { status }),
  };
};
const failed = (...args: Parameters<typeof datasourceErrorOf>): PageClass => ({
  kind: 'failed',
  error: datasourceErrorOf(...args),
});
const skipped = (reason: Extract<PageClass, { kind: 'skipped' }>['reason']): PageClass => ({
  kind: 'skipped',
  reason,
});
const TOO_LONG = `https://site.example/login?state=${'x'.repeat(2_048)}`;
const PAGE: PageClass = { kind: 'page', textHash: HASH };
const UNCHANGED: PageClass = { kind: 'unchanged' };
const named = (target: string): PageClass => ({ kind: 'canonical', target, textHash: HASH });

describe('classifyPage', () => {
  const seed = { origin: 'seed' } as const;
  const listed = { origin: 'sitemap' } as const;
  const known = { pageId: 'p', serving: servingPage({ textHash: HASH }) };
  type Known = Parameters<typeof frontierUrl>[0] & { textOwner?: string; render?: 'never' };
  const cases: [name: string, response: PageResponse, expected: PageClass, known?: Known][] = [
    ['a page with text', htmlPage(TEXT), PAGE],
    ['a page with the text of its last version', htmlPage(TEXT), UNCHANGED, known],
    [
      'a page with the text of another page',
      htmlPage(TEXT),
      { kind: 'duplicate', target: OTHER, textHash: HASH },
      { textOwner: OTHER },
    ],
    ['304', { kind: 'unchanged', robotsTags: [] }, UNCHANGED, known],
    ['304 with a noindex header', { kind: 'unchanged', robotsTags: ['noindex'] }, skipped('NOINDEX'), known],
    ['a page without text', htmlPage(''), skipped('EMPTY')],
    [
      'a page without text that needs a browser',
      htmlPage('', { needsRendering: 'empty-root' as never }),
      failed('RENDER_UNAVAILABLE'),
    ],
    [
      'the same if the site is not rendered',
      htmlPage('', { needsRendering: 'empty-root' as never }),
      skipped('EMPTY'),
      { render: 'never' },
    ],
    [
      'a loading screen that no browser has opened',
      htmlPage(TEXT, { needsRendering: 'loading-screen', isShell: true }),
      { kind: 'failed', error: datasourceErrorOf('RENDER_UNAVAILABLE', SHELL_SENTENCE) },
    ],
    [
      'a loading screen of a site that is not rendered',
      htmlPage(TEXT, { needsRendering: 'loading-screen', isShell: true }),
      skipped('EMPTY'),
      { render: 'never' },
    ],
    ['noindex in the page', htmlPage(TEXT, robots(true)), skipped('NOINDEX')],
    ['noindex in a header', header('noindex, nofollow'), skipped('NOINDEX')],
    ['noindex for this crawler', header('citewell: noindex'), skipped('NOINDEX')],
    ['noindex for another crawler', header('otherbot: noindex'), PAGE],
    ['a canonical link to another page', htmlPage(TEXT, canonical(OTHER)), named(OTHER)],
    ['a canonical link in a header', htmlPage(TEXT, {}, { canonicalUrl: OTHER }), named(OTHER)],
    ['a canonical link to itself', htmlPage(TEXT, canonical(`${PAGE_URL}#top`)), PAGE],
    [
      'a canonical link with another scheme',
      htmlPage(TEXT, canonical('http://site.example/guide/intro')),
      PAGE,
    ],
    ['a canonical link to the home page', htmlPage(TEXT, canonical('https://site.example/')), PAGE],
    ['a canonical link to another host', htmlPage(TEXT, canonical('https://www.site.example/other')), PAGE],
    [
      'a canonical link to an excluded page',
      htmlPage(TEXT, canonical('https://site.example/private/a')),
      PAGE,
    ],
    ['a canonical link on a known page', htmlPage(TEXT, canonical(OTHER)), named(OTHER), known],
    [
      'a meta refresh with little text',
      htmlPage('Moved', refresh(OTHER)),
      { kind: 'redirect', target: OTHER },
    ],
    [
      'a canonical link of an excluded start',
      htmlPage(TEXT, canonical(OTHER)),
      { kind: 'redirect', target: OTHER },
      { ...seed, url: 'https://site.example/private/start' },
    ],
    [
      '304 of an excluded start',
      { kind: 'unchanged', robotsTags: [] },
      skipped('EXCLUDED'),
      { ...seed, url: 'https://site.example/private/start' },
    ],
    ['a meta refresh without text', htmlPage('', refresh(OTHER)), { kind: 'redirect', target: OTHER }],
    [
      'a meta refresh with noindex',
      htmlPage('Moved', { ...refresh(OTHER), ...robots(true) }),
      { kind: 'redirect', target: OTHER },
    ],
    ['a meta refresh of a page with much text', htmlPage(TEXT, refresh(OTHER)), PAGE],
    [
      'a meta refresh after a minute',
      htmlPage('Moved', refresh(OTHER, 60)),
      { kind: 'page', textHash: documentHash('Moved') },
    ],
    ['a redirect', redirect(OTHER), { kind: 'redirect', target: OTHER }],
    [
      'a redirect to another host',
      redirect('https://elsewhere.example/'),
      { kind: 'redirect', target: null },
    ],
    ['a redirect to a URL that is too long', redirect(TOO_LONG), { kind: 'redirect', target: null }],
    [
      'a redirect of the start to a URL that is too long',
      redirect(TOO_LONG),
      failed('PAGE_REFUSED', 'The address redirects to one of more than 2048 characters.'),
      seed,
    ],
    ['a canonical link to a URL that is too long', htmlPage(TEXT, canonical(TOO_LONG)), PAGE],
    ['a redirect beyond the depth limit', redirect(OTHER), { kind: 'redirect', target: null }, { depth: 4 }],
    [
      'a redirect of the start to an excluded page',
      redirect('https://site.example/private/'),
      { kind: 'redirect', target: 'https://site.example/private/' },
      seed,
    ],
    [
      'a redirect of the start to another host',
      redirect('https://elsewhere.example/'),
      failed('PAGE_REFUSED', 'The address redirects to elsewhere.example. Add the site under that address.'),
      seed,
    ],
    [
      'a redirect of the start to no address',
      redirect(null),
      failed('PAGE_REFUSED', 'The address redirects to something that is not a web address.'),
      seed,
    ],
    ['a redirect to itself', redirect(PAGE_URL), failed('PAGE_REFUSED', 'The address redirects to itself.')],
    [
      'the last redirect of a long chain',
      redirect(OTHER),
      failed('PAGE_REFUSED', `The address is reached by more than ${MAX_HOPS} redirects.`),
      { hops: MAX_HOPS },
    ],
    ['a page that robots.txt disallows', { kind: 'forbidden' }, skipped('ROBOTS')],
    ['a start that robots.txt disallows', { kind: 'forbidden' }, failed('ROBOTS_DISALLOWED'), seed],
    ['a listed page that is gone', answered(404), failed('PAGE_GONE', 'It answered 404.'), listed],
    ['a linked page that is gone', answered(410), skipped('GONE')],
    ['a page that is refused', answered(403), failed('PAGE_REFUSED', 'It answered 403.')],
    [
      'a server error at the last attempt',
      answered(503),
      failed('FETCH_FAILED', 'It answered 503.'),
      { attempts: 3 },
    ],
    ['a sitemap', { kind: 'sitemap' }, skipped('NOT_A_PAGE')],
    [
      'an excluded start',
      htmlPage(TEXT),
      skipped('EXCLUDED'),
      { ...seed, url: 'https://site.example/private/start' },
    ],
    ['a file', file('application/pdf'), { kind: 'page', textHash: FILE_HASH }],
    [
      'a file with the same bytes',
      file('application/pdf'),
      UNCHANGED,
      { serving: servingPage({ contentType: 'application/pdf', sha256: hash('sha256', FILE_BYTES) }) },
    ],
    [
      'a file with the bytes of another',
      file('application/pdf'),
      { kind: 'duplicate', target: OTHER, textHash: FILE_HASH },
      { textOwner: OTHER },
    ],
    ['a file with a noindex header', file('application/pdf', ['noindex']), skipped('NOINDEX')],
    ['a file of another type', file(null), skipped('UNSUPPORTED')],
  ];
  for (const [name, response, expected, { textOwner = null, render, ...fields } = {}] of cases) {
    it(`${name}: ${expected.kind}`, () => {
      const facts: PageFacts = { url: frontierUrl(fields), textOwner };
      const site = { ...SITE, render: render ?? SITE.render };
      expect(classifyPage(response, facts, site)).toEqual(expected);
    });
  }

  it('schedules another attempt for a failure that may pass', () => {
    const verdict = classifyPage(answered(503), { url: frontierUrl({ attempts: 1 }), textOwner: null }, SITE);
    assert.ok(verdict.kind === 'retry');
    const waitMs = verdict.notBefore.getTime() - Date.now();
    expect(waitMs).toBeGreaterThan(3_000);
    expect(waitMs).toBeLessThanOrEqual(4_000);
  });

  it('compares texts by hash, and files by their bytes', () => {
    expect(textHashOf(htmlPage(TEXT))).toBe(HASH);
    expect(textHashOf(htmlPage(''))).toBeNull();
    expect(textHashOf(file('application/pdf'))).toBe(FILE_HASH);
    expect(textHashOf(redirect(OTHER))).toBeNull();
  });
});
