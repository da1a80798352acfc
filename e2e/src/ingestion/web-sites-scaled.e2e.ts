import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { type Tenant, until } from '../client/tenant.js';
import { SiteClient } from './web-sites/site-client.js';
import { article, canonical, redirectTo, refreshTo, TestSite } from './web-sites/test-site.js';
import { TwoCrawlers, USER_AGENTS } from './web-sites/two-crawlers.js';

const NOINDEX = '<meta name="robots" content="noindex">';
const DELAY_MS = 40;
const CRAWL_DELAY_MS = 100;
const CONCURRENCY = 2;
/** A request is sent before the server sees it, by a varying time. */
const TOLERANCE_MS = 30;
const pathsOf = (pages: number): string[] => Array.from({ length: pages }, (_, n) => `/p${n}`);

describe('web sites with two crawlers', () => {
  let crawlers: TwoCrawlers;
  let tenant: Tenant;
  const sites: TestSite[] = [];

  beforeAll(async () => {
    crawlers = await TwoCrawlers.start({
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      CRAWL_DELAY_MS: `${DELAY_MS}`,
      CRAWL_CONCURRENCY_PER_HOST: `${CONCURRENCY}`,
      CRAWLER_CONCURRENCY: '2',
    });
    ({ tenant } = crawlers.deployment);
  });
  afterAll(() => crawlers?.stop());
  afterEach(async () => {
    for (const site of sites.splice(0)) await site.stop();
  });

  /** A site with this number of pages, all in its sitemap. */
  async function siteOf(pages: number): Promise<TestSite> {
    const site = await TestSite.start();
    sites.push(site);
    for (const path of pathsOf(pages)) site.set(path, { body: article(path) });
    return site.sitemap(pathsOf(pages));
  }
  const configOf = (site: TestSite) => ({ sitemap: site.url('/sitemap.xml') });

  /**
   * No request is earlier than if each had waited for the one before. A busy machine may see the first one late,
   * by up to a quarter of the whole; two crawlers that each keep their own pace need half of the whole.
   */
  function assertSpaced(site: TestSite, delayMs: number): void {
    const [first = 0, ...others] = site.pageRequests.map(({ startedAtMs }) => startedAtMs);
    const toleranceMs = (others.length * delayMs) / 4;
    for (const [n, start] of others.entries())
      expect(start - first).toBeGreaterThanOrEqual((n + 1) * delayMs - toleranceMs);
  }

  it('row 3: robots, canonical links and redirects are obeyed, at one pace for all crawlers', async () => {
    const paths = pathsOf(20);
    const site = (await siteOf(20)).remove('/sitemap.xml');
    for (const name of ['proper', 'target', 'new', 'private', 'only-nofollow'])
      site.set(`/${name}`, { body: article(name) });
    const lists = [0, 4, 8, 12, 16].map((first) => paths.slice(first, first + 4));
    for (const [n, list] of lists.entries()) site.sitemap(list, `/sitemap-${n}.xml`);
    site
      .set('/robots.txt', {
        type: 'text/plain',
        body: `User-agent: *\nDisallow: /private\nCrawl-delay: ${CRAWL_DELAY_MS / 1_000}`,
      })
      .set('/', {
        body: article('start', {
          links: ['/private', '/hidden', '/tagged', '/nofollow', '/variant', '/moved', '/old'],
        }),
      })
      .set('/hidden', { body: article('hidden', { head: NOINDEX, links: ['/from-hidden'] }) })
      .set('/from-hidden', { body: article('from-hidden') })
      .set('/tagged', { body: article('tagged'), headers: { 'x-robots-tag': 'noindex' } })
      .set('/nofollow', {
        body: article('nofollow', {
          head: '<meta name="robots" content="nofollow">',
          links: ['/only-nofollow'],
        }),
      })
      .set('/variant', { body: article('variant', { head: canonical('/proper') }) })
      .set('/moved', redirectTo('/target', 301))
      .set('/old', { body: refreshTo('/new') });
    const [linked, ...listed] = await Promise.all([
      SiteClient.crawl(tenant, { source_url: site.url('/') }),
      ...lists.map((_, n) => SiteClient.crawl(tenant, { sitemap: site.url(`/sitemap-${n}.xml`) })),
    ]);
    for (const [n, added] of listed.entries()) expect(await added.paths()).toEqual(lists[n]?.toSorted());
    expect((await linked.view()).error).toBeNull();
    const found = ['/', '/from-hidden', '/new', '/nofollow', '/proper', '/target'];
    expect(await linked.paths()).toEqual(found);
    expect(site.countOf('/private')).toBe(0);
    const userAgents = new Set(site.requests.map(({ headers }) => headers['user-agent']));
    // Both crawlers work.
    expect(userAgents).toEqual(new Set(USER_AGENTS));
    assertSpaced(site, CRAWL_DELAY_MS);
  });

  it('row 11: a slow host does not stop others', async () => {
    const slow = await siteOf(0);
    slow.delayMs = 10_000;
    const waiting = await Promise.all(
      pathsOf(12).map((path) => SiteClient.add(tenant, { source_url: slow.url(path) })),
    );
    await until(async () => slow.requests.length > 0, 'requests to the slow host');
    const quick = await siteOf(10);
    const started = performance.now();
    const added = await SiteClient.crawl(tenant, configOf(quick));
    const tookMs = performance.now() - started;
    expect(await added.paths()).toHaveLength(10);
    expect(tookMs).toBeLessThan(8_000);
    for (const site of waiting) await site.cancel();
  });

  it('adds, syncs and deletes sites', async () => {
    const site = await siteOf(5);
    const added = await SiteClient.crawl(tenant, configOf(site));
    expect(await added.paths()).toEqual(['/p0', '/p1', '/p2', '/p3', '/p4']);
    site.forgetRequests();
    await added.sync();
    expect(new Set(site.pageRequests.map(({ status }) => status))).toEqual(new Set([304]));
    site
      .set('/p0', { body: article('granite') })
      .set('/p1', { status: 404 })
      .sitemap(['/p0', '/p1', '/p2', '/p3']);
    expect((await added.sync()).error?.code).toBe('PARTIAL');
    const states = { '/p0': 'synched', '/p1': 'PAGE_GONE', '/p2': 'synched', '/p3': 'synched' };
    expect(await added.states()).toEqual(states);
    expect(await added.runCounts()).toEqual({ '/p0': 2, '/p1': 1, '/p2': 1, '/p3': 1 });
    expect((await added.articles())['/p0']).toBe('granite');
    (await tenant.api.delete(`/datasources/${added.id}`)).assertOk();
    expect(await added.pages()).toEqual([]);
    expect(await tenant.search(added.datastoreId, 'granite')).toEqual([]);
  });

  it('keeps the delay between requests, and their concurrency', async () => {
    const site = await siteOf(20);
    site.delayMs = 200;
    await SiteClient.crawl(tenant, configOf(site));
    assertSpaced(site, DELAY_MS);
    expect(site.maxConcurrent).toBe(CONCURRENCY);
  });

  it('pauses for as long as a host asks', async () => {
    const pauseSeconds = 4;
    const site = await siteOf(6);
    site.set('/p3', (count) =>
      count === 1
        ? { status: 429, headers: { 'retry-after': String(pauseSeconds) } }
        : { body: article('p3') },
    );
    const added = await SiteClient.crawl(tenant, configOf(site));
    expect((await added.view()).error).toBeNull();
    const refused = site.pageRequests.find(({ status }) => status === 429);
    assert.ok(refused);
    const endMs = refused.startedAtMs + pauseSeconds * 1_000 - TOLERANCE_MS;
    const early = site.pageRequests.filter(
      ({ startedAtMs }) => startedAtMs > refused.startedAtMs && startedAtMs < endMs,
    );
    // One request may have been in progress.
    expect(early.length).toBeLessThanOrEqual(CONCURRENCY - 1);
  });

  it('crawls other hosts while one asks for a long pause', async () => {
    const busy = await Promise.all([siteOf(9), siteOf(9), siteOf(9)]);
    for (const site of busy)
      for (const path of ['/p1', '/p2']) site.set(path, { status: 429, headers: { 'retry-after': '120' } });
    const waiting = await Promise.all(busy.map((site) => SiteClient.add(tenant, configOf(site))));
    await until(
      async () => busy.every((site) => site.pageRequests.some(({ status }) => status === 429)),
      'every host to ask for a pause',
    );
    const quick = await siteOf(3);
    const started = performance.now();
    await SiteClient.crawl(tenant, configOf(quick));
    expect(performance.now() - started).toBeLessThan(8_000);
    for (const site of waiting) {
      expect((await site.view()).progress?.pages?.fetched ?? 9).toBeLessThan(9);
      await site.cancel();
    }
  });
});
