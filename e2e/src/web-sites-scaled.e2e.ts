import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { datasourceSchema } from '@citewell/contracts/http';
import { Tenant, until } from './client/tenant.js';
import type { Deployment } from './deployments/deployment.js';
import { startScaled } from './deployments/scaled.deployment.js';
import { SiteOfTenant } from './web-sites/site-tenant.js';
import { article, TestSite } from './web-sites/test-site.js';

const DELAY_MS = 60;
const CONCURRENCY = 2;
const USER_AGENT = 'CitewellTest/1.0 (+mailto:operator@site.example)';
/** Between what a crawler does and what a server sees of it lies a busy machine. */
const SLACK_MS = 30;

describe('a crawler of its own', () => {
  let deployment: Deployment;
  let tenant: Tenant;
  const sites: TestSite[] = [];

  before(async () => {
    deployment = await startScaled({
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
      CRAWL_DELAY_MS: String(DELAY_MS),
      CRAWL_CONCURRENCY_PER_HOST: String(CONCURRENCY),
      CRAWLER_CONCURRENCY: '2',
      CRAWL_USER_AGENT: USER_AGENT,
      RATE_LIMIT_PER_MINUTE: '0',
      LEASE_SECONDS: '3',
    });
    tenant = await Tenant.create(deployment);
  });
  after(() => deployment?.stop());
  afterEach(async () => {
    for (const site of sites.splice(0)) await site.stop();
  });

  /** A site of so many pages, all in its sitemap. */
  async function siteOf(pages: number): Promise<TestSite> {
    const site = await TestSite.start();
    sites.push(site);
    const paths = Array.from({ length: pages }, (_, n) => `/p${n}`);
    for (const path of paths) site.set(path, { body: article(path) });
    return site.sitemap(paths);
  }
  const sitemapOf = (site: TestSite) => ({ sitemap: site.url('/sitemap.xml') });
  const startsOf = (site: TestSite): number[] => site.pageRequests.map(({ startedAtMs }) => startedAtMs);

  /** No request comes earlier than if each had waited for its turn behind the first. */
  function assertSpaced(starts: readonly number[], delayMs: number): void {
    const [first = 0] = starts;
    for (const [n, start] of starts.entries())
      assert.ok(start - first >= n * delayMs - SLACK_MS, `request ${n} came after ${start - first} ms`);
  }

  it('brings sites in, up to date, and away', async () => {
    const site = await siteOf(5);
    const added = await SiteOfTenant.crawled(tenant, sitemapOf(site));
    assert.deepEqual(
      await added.states(),
      Object.fromEntries([0, 1, 2, 3, 4].map((n) => [`/p${n}`, 'synched'])),
    );
    site.forgetRequests();
    await added.sync();
    assert.deepEqual(new Set(site.pageRequests.map(({ status }) => status)), new Set([304]));
    site
      .set('/p0', { body: article('granite') })
      .set('/p1', { status: 404 })
      .sitemap(['/p0', '/p1', '/p2']);
    const view = await added.sync();
    assert.equal(view.error?.code, 'PARTIAL');
    assert.deepEqual(await added.states(), { '/p0': 'synched', '/p1': 'PAGE_GONE', '/p2': 'synched' });
    assert.deepEqual(await added.runCounts(), { '/p0': 2, '/p1': 1, '/p2': 1 });
    assert.equal((await added.find('granite'))[0], '/p0');
    (await tenant.api.delete(`/datasources/${added.id}`)).assertOk();
    assert.deepEqual(await added.pages(), []);
    assert.deepEqual(await tenant.search(added.datastoreId, 'granite'), []);
  });

  it('says who it is', async () => {
    const site = await siteOf(2);
    await SiteOfTenant.crawled(tenant, sitemapOf(site));
    assert.ok(site.requests.length >= 4);
    for (const { path, headers } of site.requests) assert.equal(headers['user-agent'], USER_AGENT, path);
  });

  it('keeps its distance, and asks no more at once than it may', async () => {
    const site = await siteOf(20);
    site.delayMs = 200;
    await SiteOfTenant.crawled(tenant, sitemapOf(site));
    assertSpaced(startsOf(site), DELAY_MS);
    assert.equal(site.mostAtOnce, CONCURRENCY);
  });

  it('obeys a Crawl-delay, one request at a time', async () => {
    const site = await siteOf(4);
    site.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nCrawl-delay: 0.7\n' });
    site.delayMs = 50;
    await SiteOfTenant.crawled(tenant, sitemapOf(site));
    assertSpaced(startsOf(site), 700);
    assert.equal(site.mostAtOnce, 1);
  });

  it('leaves a host alone for as long as it asks', async () => {
    const site = await siteOf(6);
    site.set('/p3', (count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '7' } } : { body: article('p3') },
    );
    const added = await SiteOfTenant.crawled(tenant, sitemapOf(site));
    assert.equal((await added.view()).error, null);
    const refused = site.pageRequests.find(({ status }) => status === 429);
    assert.ok(refused);
    // One may have been under way beside it.
    const early = site.pageRequests.filter(
      ({ startedAtMs }) =>
        startedAtMs > refused.startedAtMs && startedAtMs < refused.startedAtMs + 7_000 - SLACK_MS,
    );
    assert.ok(early.length <= CONCURRENCY - 1, `${early.length} requests came early`);
  });

  it('lets no slow host hold another one back', async () => {
    const slow = await siteOf(40);
    slow.delayMs = 1_000;
    const crawling = await SiteOfTenant.add(tenant, sitemapOf(slow));
    await until(async () => slow.pageRequests.length > 2, 'the slow site to be crawled');
    const quick = await siteOf(10);
    const started = performance.now();
    await SiteOfTenant.crawled(tenant, sitemapOf(quick));
    const took = performance.now() - started;
    assert.ok(took < 8_000, `ten pages took ${Math.round(took)} ms`);
    assert.notEqual((await crawling.view()).progress, null);
    await crawling.cancel();
  });

  it('lets no slow host hold another one back, however many sites it has', async () => {
    const slow = await siteOf(0);
    slow.delayMs = 10_000;
    const waiting: SiteOfTenant[] = [];
    for (let n = 0; n < 24; n += 1)
      waiting.push(await SiteOfTenant.add(tenant, { source_url: slow.url(`/v${n}`) }));
    await until(async () => slow.requests.length > 0, 'the slow host to be asked');
    const quick = await siteOf(2);
    const started = performance.now();
    const { id: datastoreId } = await tenant.datastore();
    const body = { type: 'web_page', datastoreId, config: { source_url: quick.url('/p0') } };
    const created = (await tenant.api.post('/datasources', body)).as(datasourceSchema.strict());
    await tenant.waitUntilSynched(created.id, 60_000);
    const pageTookMs = performance.now() - started;
    await SiteOfTenant.crawled(tenant, sitemapOf(quick));
    const tookMs = performance.now() - started;
    assert.ok(
      tookMs < 15_000,
      `a page took ${Math.round(pageTookMs)} ms, with a site ${Math.round(tookMs)} ms`,
    );
    for (const site of waiting) await site.cancel();
  });

  it('waits for no host that wants to be left alone for long: others have their turn', async () => {
    const busy = await Promise.all([siteOf(9), siteOf(9), siteOf(9)]);
    for (const site of busy)
      site
        .set('/p1', { status: 429, headers: { 'retry-after': '120' } })
        .set('/p2', { status: 429, headers: { 'retry-after': '120' } });
    const waiting = await Promise.all(busy.map((site) => SiteOfTenant.add(tenant, sitemapOf(site))));
    await until(
      async () => busy.every((site) => site.pageRequests.some(({ status }) => status === 429)),
      'every one of them to say so',
    );
    const quick = await siteOf(3);
    const started = performance.now();
    await SiteOfTenant.crawled(tenant, sitemapOf(quick));
    assert.ok(performance.now() - started < 8_000);
    for (const site of waiting) {
      const { progress } = await site.view();
      assert.ok((progress?.pages?.fetched ?? 9) < 9);
      await site.cancel();
    }
  });
});
