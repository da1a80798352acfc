import { type CrawlOrigin, type FrontierUrl, type UrlOutcome } from '@citewell/database';
import { WebFetchError } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { fetchResult } from '../fetching/fetch-result.fixtures.js';
import type { Fetched } from '../fetching/url-fetcher.js';
import { frontierUrl } from '../page/responses.fixtures.js';
import { siteConfigOf } from './site-visit.js';
import { SitemapVisitor } from './sitemap-visitor.js';

const url = 'https://site.example/sitemap.xml';
const page = 'https://site.example/a';
const nested = 'https://site.example/nested.xml';
const sent = (text: string): Fetched => ({
  kind: 'content',
  answer: fetchResult(url),
  bytes: Buffer.from(text),
});
const refused = (status: number): Fetched => ({
  kind: 'error',
  error: new WebFetchError(status >= 500 ? 'transient' : 'permanent', 'HTTP_STATUS', 'No.', { status }),
});
const listOf = (tag: string, entry: string, ...addresses: string[]): string =>
  `<${tag}>${addresses.map((one) => `<${entry}><loc>${one}</loc></${entry}>`).join('')}</${tag}>`;

async function visit(
  fetched: Fetched | ((address: string) => Promise<Fetched>),
  fields: Partial<FrontierUrl> = {},
): Promise<UrlOutcome & { reason?: string | null }> {
  const visitor = new SitemapVisitor({
    fetch: typeof fetched === 'function' ? fetched : async () => fetched,
  });
  const visited = await visitor.visit(
    frontierUrl({ url, kind: 'sitemap', origin: 'reference', depth: 0, ...fields }),
    {
      site: siteConfigOf({ config: { source_url: 'https://site.example/' } }),
      signal: new AbortController().signal,
    },
    async () => undefined,
  );
  return visited.conclude(null);
}

describe('SitemapVisitor', () => {
  it('finds pages of the site, each once, and sitemaps', async () => {
    const list = await visit(sent(listOf('urlset', 'url', page, `${page}#top`, 'https://other.example/b')));
    expect(list.found).toEqual([{ url: page, kind: 'page', origin: 'sitemap', depth: 0 }]);
    const index = await visit(sent(listOf('sitemapindex', 'sitemap', nested)), { depth: 1 });
    expect(index.found).toEqual([{ url: nested, kind: 'sitemap', origin: 'sitemap', depth: 2 }]);
  });

  it('follows redirects up to a limit', async () => {
    const moved = (to: string): Fetched => ({ kind: 'redirect', location: to, target: to });
    const list = await visit(async (address) =>
      address === url ? moved('https://cdn.example/all.xml') : sent(listOf('urlset', 'url', page)),
    );
    expect(list.found).toHaveLength(1);
    const endless = await visit(async (address) => moved(`${address}1`), { origin: 'seed' });
    expect(endless.reason).toBe('REDIRECT');
  });

  it('schedules another attempt for a failure that may pass', async () => {
    const outcome = await visit(refused(503));
    expect([outcome.outcome, 'kind' in outcome && outcome.kind]).toEqual(['retry', 'sitemap']);
  });

  const list = listOf('urlset', 'url', page, page);
  const html = '<!doctype html><html><body><p>A page.</p></body></html>';
  const feed = '<rss version="2.0"><channel><item><link>https://site.example/a</link></item></channel></rss>';
  const cases: [
    name: string,
    Fetched,
    CrawlOrigin,
    wasThere: boolean,
    outcome: string,
    reason: string | null,
  ][] = [
    ['a list', sent(list), 'reference', false, 'sitemap', null],
    ['a feed', sent(feed), 'seed', false, 'feed', null],
    ['a truncated list', sent(list.slice(0, list.lastIndexOf(page))), 'seed', false, 'sitemap', 'TRUNCATED'],
    ['404', refused(404), 'reference', false, 'no-sitemap', null],
    ['404', refused(404), 'reference', true, 'no-sitemap', 'PAGE_GONE'],
    ['404', refused(404), 'sitemap', false, 'no-sitemap', null],
    ['404', refused(404), 'seed', false, 'no-sitemap', 'PAGE_GONE'],
    ['403', refused(403), 'reference', false, 'no-sitemap', null],
    ['a page', sent(html), 'reference', false, 'no-sitemap', null],
    ['a page', sent(html), 'seed', false, 'no-sitemap', 'NOT_A_SITEMAP'],
    ['nothing, by robots.txt', { kind: 'forbidden' }, 'seed', false, 'no-sitemap', 'ROBOTS'],
    ['500', refused(500), 'reference', false, 'no-sitemap', 'FETCH_FAILED'],
  ];
  for (const [name, fetched, origin, wasThere, outcome, reason] of cases) {
    it(`${name}, ${origin}${wasThere ? ', there before' : ''}: ${outcome}, ${reason}`, async () => {
      const result = await visit(fetched, { origin, hasOutlinks: wasThere, attempts: 3 });
      expect([result.outcome, result.reason]).toEqual([outcome, reason]);
    });
  }

  it('reports an index that is nested too deep', async () => {
    const index = await visit(sent(listOf('sitemapindex', 'sitemap', nested)), { depth: 3 });
    expect([index.found, index.reason]).toEqual([[], 'NESTED_TOO_DEEP']);
  });
});
