import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CrawlOrigin, CrawlUrlEntity, RunEntity, type Settlement } from '@citewell/database';
import { WebFetchError } from '@citewell/web';
import { fetchResult } from './fetch-result.fixtures.js';
import { LinkFilter } from './link-filter.js';
import { ANY_ROOM, ANY_SEAT } from './seat.fixtures.js';
import { siteConfigOf } from './site-config.js';
import { SitemapSettler } from './sitemap-settler.js';
import { turnsOfOthersDuring } from './turns-of-others.fixtures.js';
import type { Fetched } from './url-fetcher.js';

const url = 'https://site.example/sitemap.xml';
const sent = (text: string): Fetched => ({
  kind: 'content',
  answer: fetchResult(url),
  bytes: Buffer.from(text),
});
const refused = (status: number): Fetched => ({
  kind: 'error',
  error: new WebFetchError('permanent', 'HTTP_STATUS', 'No.', { status }),
});
const listOf = (tag: string, entry: string, ...addresses: string[]): string =>
  `<${tag}>${addresses.map((one) => `<${entry}><loc>${one}</loc></${entry}>`).join('')}</${tag}>`;

async function settle(
  fetched: Fetched | ((asked: string) => Promise<Fetched>),
  fields: Partial<CrawlUrlEntity> = {},
): Promise<Settlement> {
  const site = siteConfigOf({ config: { source_url: 'https://site.example/' } });
  const row = Object.assign(new CrawlUrlEntity(), {
    url,
    kind: 'sitemap',
    origin: 'link',
    leadsOn: false,
    settledIn: null,
    depth: 0,
    attempts: 0,
    ...fields,
  });
  return new SitemapSettler({
    fetch: typeof fetched === 'function' ? fetched : async () => fetched,
  }).settle(
    { row, pageId: null, serving: null },
    {
      run: new RunEntity(),
      site,
      links: await LinkFilter.after([{ url, kind: 'sitemap', depth: 0 }], { ...site, maxUrls: 100 }),
      pointers: new Map(),
      answers: new Map(),
      room: ANY_ROOM,
      seat: ANY_SEAT,
      signal: new AbortController().signal,
    },
  );
}

describe('a sitemap', () => {
  const page = 'https://site.example/a';
  const nested = 'https://site.example/nested.xml';

  it('lists pages and sitemaps', async () => {
    const pages = await settle(sent(listOf('urlset', 'url', page, 'https://other.example/b')));
    assert.deepEqual(
      pages.found.map(({ url: found, kind, origin, depth }) => [found, kind, origin, depth]),
      [[page, 'page', 'sitemap', 0]],
    );
    const index = await settle(sent(listOf('sitemapindex', 'sitemap', nested)), { depth: 1 });
    assert.deepEqual(
      index.found.map(({ url: found, kind, depth }) => [found, kind, depth]),
      [[nested, 'sitemap', 2]],
    );
  });

  it('leads no deeper than sitemaps should, and says so', async () => {
    const index = await settle(sent(listOf('sitemapindex', 'sitemap', nested)), { depth: 3 });
    assert.deepEqual([index.found, index.kind === 'read' && index.reason], [[], 'NESTED_TOO_DEEP']);
    const circle = await settle(sent(listOf('sitemapindex', 'sitemap', url)), { depth: 3 });
    assert.equal(circle.kind === 'read' && circle.reason, null);
  });

  it('does not keep others waiting, however many pages it lists, or none', async () => {
    const pages = Array.from({ length: 50 }, (_, index) => `${page}/${index}`);
    const listing = await turnsOfOthersDuring(() => settle(sent(listOf('urlset', 'url', ...pages))));
    assert.ok(listing >= pages.length, `${listing} turns`);
    const remarks = '<!-- nothing -->'.repeat(20_000);
    const idle = await turnsOfOthersDuring(() => settle(sent(`<urlset>${remarks}</urlset>`)));
    assert.ok(idle >= remarks.length / 16_384, `${idle} turns`);
  });

  it('that is cut off is called that, whatever else is wrong with it', async () => {
    const whole = listOf('urlset', 'url', page, page);
    const cut = await settle(sent(whole.slice(0, whole.lastIndexOf(page))), { origin: 'seed' });
    assert.equal(cut.kind === 'read' && cut.reason, 'TRUNCATED');
  });

  // What is sent, how it was found, what was known of it: why the crawl is not complete, whether it is a sitemap now.
  const html = sent('<!doctype html><html><body><p>A page.</p></body></html>');
  const list = sent(listOf('urlset', 'url', page));
  const trouble: Fetched = {
    kind: 'error',
    error: new WebFetchError('transient', 'HTTP_STATUS', 'No.', { status: 500 }),
  };
  const known = { was: { leadsOn: true }, wasNot: { settledIn: 'before' }, isNew: {} };
  const rows: [string, Fetched, CrawlOrigin, keyof typeof known, string | null, boolean][] = [
    ['a list', list, 'link', 'isNew', null, true],
    ['a list', list, 'seed', 'isNew', null, true],
    ['nothing', refused(404), 'link', 'isNew', null, false],
    ['nothing', refused(404), 'link', 'was', 'PAGE_GONE', false],
    ['nothing', refused(404), 'link', 'wasNot', null, false],
    ['nothing', refused(404), 'sitemap', 'isNew', 'PAGE_GONE', false],
    ['nothing', refused(404), 'sitemap', 'was', 'PAGE_GONE', false],
    ['nothing', refused(404), 'sitemap', 'wasNot', null, false],
    ['nothing', refused(404), 'seed', 'wasNot', 'PAGE_GONE', false],
    ['a page', html, 'link', 'isNew', null, false],
    ['a page', html, 'link', 'was', 'NOT_A_SITEMAP', false],
    ['a page', html, 'seed', 'wasNot', 'NOT_A_SITEMAP', false],
    ['no', refused(403), 'link', 'isNew', null, false],
    ['no', refused(403), 'link', 'was', 'PAGE_REFUSED', true],
    ['no', refused(403), 'sitemap', 'wasNot', 'PAGE_REFUSED', false],
    ['not for robots', { kind: 'forbidden' }, 'link', 'isNew', null, false],
    ['not for robots', { kind: 'forbidden' }, 'seed', 'was', 'ROBOTS', false],
    ['trouble', trouble, 'link', 'isNew', 'FETCH_FAILED', false],
    ['trouble', trouble, 'link', 'was', 'FETCH_FAILED', true],
  ];
  for (const [answer, fetched, origin, before, reason, leadsOn] of rows) {
    it(`answered with ${answer}, ${origin}, ${before}: ${reason}`, async () => {
      const settlement = await settle(fetched, { origin, attempts: 3, ...known[before] });
      assert.ok(settlement.kind === 'read');
      assert.deepEqual([settlement.reason, settlement.leadsOn], [reason, leadsOn]);
    });
  }

  it('lies where redirects lead, which come to an end', async () => {
    const moved = (to: string): Fetched => ({ kind: 'redirect', location: to, target: to });
    const elsewhere = 'https://cdn.example/lists/all.xml';
    const followed = await settle(async (asked) =>
      asked === elsewhere ? sent(listOf('urlset', 'url', '/a', page)) : moved(elsewhere),
    );
    assert.deepEqual([followed.kind, followed.leadsOn], ['read', true]);
    assert.deepEqual(
      followed.found.map((found) => found.url),
      [page],
    );
    const spinning = await settle(async (asked) => moved(`${asked}1`), { origin: 'seed' });
    assert.equal(spinning.kind === 'read' && spinning.reason, 'REDIRECT');
  });
});
