import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CrawlOrigin, CrawlUrlEntity, RunEntity, type Settlement } from '@citewell/database';
import { WebFetchError } from '@citewell/web';
import { fetchResult } from './fetch-result.fixtures.js';
import { LinkFilter } from './link-filter.js';
import { siteConfigOf } from './site-config.js';
import { SitemapSettler } from './sitemap-settler.js';
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
  fetched: Fetched,
  fields: { origin?: CrawlOrigin; leadsOn?: boolean; depth?: number; attempts?: number } = {},
): Promise<Settlement> {
  const site = siteConfigOf({ config: { source_url: 'https://site.example/' } });
  const row = Object.assign(new CrawlUrlEntity(), {
    url,
    kind: 'sitemap',
    origin: 'link',
    leadsOn: false,
    depth: 0,
    attempts: 0,
    ...fields,
  });
  return new SitemapSettler({ fetch: async () => fetched }).settle(
    { row, pageId: null, serving: null },
    {
      run: new RunEntity(),
      site,
      links: new LinkFilter(site.scope, [url], 100),
      pointers: new Map(),
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

  // What was asked for, how it was found, whether it was there before: why the crawl is not complete, whether one is there.
  const html = sent('<!doctype html><html><body><p>A page.</p></body></html>');
  const list = sent(listOf('urlset', 'url', page));
  const trouble: Fetched = {
    kind: 'error',
    error: new WebFetchError('transient', 'HTTP_STATUS', 'No.', { status: 500 }),
  };
  const rows: [string, Fetched, CrawlOrigin, boolean, string | null, boolean][] = [
    ['a list', list, 'link', false, null, true],
    ['a list', list, 'seed', false, null, true],
    ['nothing', refused(404), 'link', false, null, false],
    ['nothing', refused(404), 'link', true, 'PAGE_GONE', false],
    ['nothing', refused(404), 'sitemap', false, 'PAGE_GONE', false],
    ['a page', html, 'link', false, null, false],
    ['a page', html, 'link', true, 'NOT_A_SITEMAP', false],
    ['a page', html, 'seed', true, 'NOT_A_SITEMAP', false],
    ['no', refused(403), 'link', false, null, false],
    ['no', refused(403), 'link', true, 'PAGE_REFUSED', true],
    ['no', refused(403), 'sitemap', false, 'PAGE_REFUSED', false],
    ['not for robots', { kind: 'forbidden' }, 'link', false, null, false],
    ['not for robots', { kind: 'forbidden' }, 'seed', true, 'ROBOTS', false],
    ['trouble', trouble, 'link', false, 'FETCH_FAILED', false],
    ['trouble', trouble, 'link', true, 'FETCH_FAILED', true],
  ];
  for (const [answer, fetched, origin, leadsOn, reason, leadsOnNow] of rows) {
    it(`answered with ${answer}, ${origin}, ${leadsOn ? '' : 'not '}there before: ${reason}`, async () => {
      const settlement = await settle(fetched, { origin, leadsOn, attempts: 3 });
      assert.ok(settlement.kind === 'read');
      assert.deepEqual([settlement.reason, settlement.leadsOn], [reason, leadsOnNow]);
    });
  }
});
