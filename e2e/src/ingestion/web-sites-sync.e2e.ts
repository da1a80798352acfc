import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import { SiteClient } from './web-sites/site-client.js';
import { siteFixture } from './web-sites/site-fixture.js';
import {
  article,
  canonical,
  pageOf,
  redirectTo,
  refreshTo,
  type Resource,
  sitemapIndexOf,
  type TestSite,
} from './web-sites/test-site.js';

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`);
const pathsOf = (list: readonly string[]): string[] => list.map((name) => `/${name}`);
/** What articles answer: `a` is the article "a" at `/a`, `b=a` is the same at `/b`. */
const articlesOf = (list: string): Record<string, string> =>
  Object.fromEntries(
    list
      .split(' ')
      .map((item) => item.split('='))
      .map(([path = '', name = path]) => [`/${path}`, name]),
  );
const feedOf = (site: TestSite, ...list: string[]): Resource => ({
  type: 'application/rss+xml',
  body: `<rss version="2.0"><channel>${list.map((name) => `<item><link>${site.url(`/${name}`)}</link></item>`).join('')}</channel></rss>`,
});

/** A change of the server or of the configuration, and what the sync after it ends with. */
interface Step {
  readonly change?: (site: TestSite) => unknown;
  /** Fields of the configuration. */
  readonly config?: Record<string, unknown>;
  /** See {@link articlesOf}. */
  readonly articles: string;
  /** What the user reads. Default: nothing. */
  readonly message?: RegExp;
  /** States of the pages that are not synched. */
  readonly failed?: Record<string, string>;
  /** New runs of pages. */
  readonly runs?: number;
}

const linkTo = (site: TestSite, from: string, ...links: string[]): TestSite =>
  site.set(`/${from}`, { body: article(from, { links: pathsOf(links) }) });
const headOf = (site: TestSite, name: string, head: string): TestSite =>
  site.set(`/${name}`, { body: article(name, { head }) });
const listed = (site: TestSite, ...list: string[]): TestSite => site.sitemap(pathsOf(list));
const refuse = (site: TestSite, ...paths: string[]): void => {
  for (const path of paths) site.set(path, { status: 403, body: 'Not now.' });
};

/** Each begins with the articles a to f, and a site whose start is `/start`. */
const scenarios: Record<string, readonly Step[]> = {
  'adds pages that are new, and removes pages that are not listed any more': [
    { change: (site) => listed(site, 'a', 'b'), articles: 'a b' },
    { change: (site) => listed(site, 'a', 'c'), articles: 'a c' },
  ],
  'removes pages that no link leads to any more': [
    { change: (site) => linkTo(linkTo(site, 'start', 'a', 'b', 'c'), 'a', 'd'), articles: 'a b c d start' },
    { articles: 'a b c d start', runs: 0 },
    { change: (site) => linkTo(site.remove('/b'), 'a'), articles: 'a c start' },
  ],
  'gives a page that has moved its new address': [
    { change: (site) => listed(site, 'a', 'b', 'c'), articles: 'a b c' },
    {
      change: (site) => listed(site.remove('/b').set('/new', { body: article('b') }), 'a', 'new', 'c'),
      articles: 'a c new=b',
    },
    {
      change: (site) =>
        listed(site.set('/a', redirectTo('/d')).set('/c', { body: refreshTo('/e') }), 'a', 'new', 'c'),
      articles: 'd e new=b',
    },
  ],
  'keeps both texts when two pages have exchanged them': [
    { change: (site) => listed(site, 'a', 'b'), articles: 'a b' },
    {
      change: (site) => site.set('/a', { body: article('b') }).set('/b', { body: article('a') }),
      articles: 'a=b b=a',
    },
  ],
  'replaces a page by its canonical target as soon as that is a page': [
    { change: (site) => headOf(listed(site, 'a', 'b'), 'a', canonical('/target')), articles: 'a b' },
    { articles: 'a b' },
    { change: (site) => site.set('/target', { body: article('target') }), articles: 'b target' },
    {
      change: (site) => refuse(site, '/target'),
      articles: 'b target',
      failed: { '/target': 'PAGE_REFUSED' },
      message: /^1 page could not be updated; 2 pages answer/,
    },
    { change: (site) => site.set('/target', { body: article('target') }), articles: 'b target' },
  ],
  'follows a canonical link as soon as the configuration allows it, although the page has not changed': [
    {
      change: (site) => headOf(linkTo(site, 'start', 'a'), 'a', canonical('/b')),
      config: { exclude: ['/b'] },
      articles: 'a start',
    },
    { config: {}, articles: 'b start' },
  ],
  'removes what the configuration leaves out, also after an incomplete crawl': [
    {
      change: (site) => listed(site, 'a', 'b', 'c'),
      config: { maxPages: 2 },
      articles: 'a b',
      message: /maxPages/,
    },
    { config: { maxPages: 1, exclude: ['/b'] }, articles: 'a', message: /maxPages/ },
  ],
  'reads an excluded start for its links, and adds it again when it is not excluded': [
    { change: (site) => linkTo(site, 'start', 'a', 'b', 'c'), articles: 'a b c start' },
    { config: { include: ['/a', '/b'] }, articles: 'a b' },
    {
      change: (site) => refuse(site, '/start'),
      config: { include: ['/a', '/b'] },
      articles: 'a b',
      message: /^The start page .* could not be read/,
    },
    { change: (site) => linkTo(site, 'start', 'a', 'b', 'c'), articles: 'a b c start' },
  ],
  'keeps the pages behind a page that cannot be read': [
    {
      change: (site) => linkTo(linkTo(linkTo(site, 'start', 'a'), 'a', 'b', 'c', 'd'), 'd', 'e'),
      articles: 'a b c d e start',
    },
    {
      change: (site) => refuse(site, '/a'),
      config: { exclude: ['/c'] },
      articles: 'a b d e start',
      failed: { '/a': 'PAGE_REFUSED' },
      message: /^1 page could not be updated; 5 pages answer\. The page .*\/a could not be read/,
    },
    { change: (site) => linkTo(site, 'a', 'd'), articles: 'a d e start' },
  ],
  'keeps the pages of a sitemap of the index that cannot be read': [
    {
      change: (site) =>
        site
          .sitemap(['/a', '/b'], '/sitemap-1.xml')
          .sitemap(['/c'], '/sitemap-2.xml')
          .set('/sitemap.xml', {
            type: 'application/xml',
            body: sitemapIndexOf([1, 2].map((n) => site.url(`/sitemap-${n}.xml`))),
          }),
      articles: 'a b c',
    },
    {
      change: (site) => refuse(site.sitemap(['/a'], '/sitemap-1.xml'), '/sitemap-2.xml'),
      articles: 'a b c',
      message: /^The sitemap .*\/sitemap-2\.xml could not be read/,
    },
    { change: (site) => site.sitemap(['/c'], '/sitemap-2.xml'), articles: 'a c' },
  ],
  'accepts in the second sync that there is no sitemap any more': [
    { change: (site) => linkTo(listed(site, 'a', 'b', 'c'), 'start', 'a', 'b'), articles: 'a b c' },
    {
      change: (site) => site.remove('/sitemap.xml'),
      articles: 'a b c start',
      message: /^The sitemap .* does not exist/,
    },
    { articles: 'a b start' },
  ],
  'is complete when a listed page with a canonical link is gone': [
    {
      change: (site) => headOf(listed(site, 'a', 'b', 'c', 'd'), 'a', canonical('/b')),
      articles: 'b c d',
    },
    {
      change: (site) => listed(site.remove('/a'), 'a', 'b', 'c'),
      articles: 'b c',
      failed: { '/a': 'PAGE_GONE' },
      message: /^1 page could not be ingested; 2 pages answer\.$/,
    },
  ],
  'keeps the pages that a feed does not list any more': [
    { change: (site) => site.set('/sitemap.xml', feedOf(site, 'a', 'b')), articles: 'a b' },
    { change: (site) => site.set('/sitemap.xml', feedOf(site, 'c')), articles: 'a b c' },
    { articles: 'a b c', runs: 0 },
    { change: (site) => site.remove('/a'), config: { exclude: ['/drafts/**'] }, articles: 'b c' },
    { config: { maxPages: 1 }, articles: 'c', message: /maxPages/ },
  ],
  'adds no duplicate when a page and its duplicate are written differently': [
    {
      change: (site) =>
        linkTo(linkTo(site.set('/copy', { body: article('a') }), 'start', 'a', 'b'), 'b', 'copy'),
      articles: 'a b start',
    },
    {
      change: (site) => {
        for (const path of ['/a', '/copy'])
          site.set(path, { body: article('a', { head: '<link rel="stylesheet">' }) });
      },
      articles: 'a b start',
      runs: 0,
    },
  ],
};

describe('syncs of web sites', () => {
  const fixture = siteFixture();

  for (const [name, steps] of Object.entries(scenarios))
    it(name, async () => {
      const site = await fixture().siteOf(['a', 'b', 'c', 'd', 'e', 'f']);
      const base = { source_url: site.url('/start') };
      let added: SiteClient | undefined;
      let runs = 0;
      const nothing = { include: null, exclude: null, maxPages: null };
      for (const [n, step] of steps.entries()) {
        step.change?.(site);
        if (added === undefined) added = await fixture().crawl({ ...base, ...step.config });
        else {
          await added.configure({ ...base, ...nothing, ...step.config });
          await added.sync();
        }
        const states = await added.states();
        const label = `sync ${n + 1} of ${JSON.stringify(states)}: ${await added.message()}`;
        expect([label, await added.articles()]).toEqual([label, articlesOf(step.articles)]);
        const failed = Object.entries(states).filter(([, state]) => state !== 'synched');
        expect([label, Object.fromEntries(failed)]).toEqual([label, step.failed ?? {}]);
        expect([label, await added.message()]).toEqual([label, expect.stringMatching(step.message ?? /^$/)]);
        const before = runs;
        runs = Object.values(await added.runCounts()).reduce((sum, count) => sum + count, 0);
        if (step.runs !== undefined)
          expect([`${label}: runs of pages`, runs - before]).toEqual([`${label}: runs of pages`, step.runs]);
      }
    });

  it('embed the changed chunks of a changed page only', async () => {
    const section = (word: string): string => `${word} is what this is about. `.repeat(80);
    const body = (last: string): string =>
      pageOf('Long', { First: section('granite'), Second: section('slate'), Third: section(last) });
    const site = await fixture().siteOf(['a', 'b']);
    site.set('/long', { body: body('chalk') }).sitemap(['/a', '/b', '/long']);
    const added = await fixture().crawl({ source_url: site.url('/') });
    site.set('/long', { body: body('marble') });
    await fixture().embedded();
    await added.sync();
    expect(await added.runCounts()).toEqual({ '/a': 1, '/b': 1, '/long': 2 });
    const inputs = await fixture().embedded();
    expect(inputs.length).toBeGreaterThan(0);
    expect(inputs.every((input) => input.includes('marble'))).toBe(true);
    expect((await added.find('marble'))[0]).toBe('/long');
    const hits = await fixture().tenant.search(added.datastoreId, 'chalk');
    expect(hits.filter(({ text }) => text.includes('chalk'))).toEqual([]);
  });

  it('store new validators and bytes of a page with the same text', async () => {
    const site = (await fixture().siteOf(['b'])).sitemap(['/a', '/b']);
    site.set('/a', { body: article('a'), headers: { etag: '"1"' }, validator: false });
    const added = await fixture().crawl({ source_url: site.url('/') });
    site.set('/a', { body: article('a'), validator: 'date' });
    headOf(site, 'b', '<link rel="stylesheet" href="/new.css">');
    await added.sync();
    site.forgetRequests();
    await added.sync();
    const statuses = site.pageRequests.map(({ path, status }) => `${path} ${status}`);
    expect(statuses.toSorted()).toEqual(['/a 304', '/b 304']);
    expect(await added.runCounts()).toEqual({ '/a': 1, '/b': 1 });
    const file = await fixture().tenant.api.get(`/datasources/${(await added.page('/b')).id}/file`);
    expect(file.text).toMatch(/new\.css/);
  });

  it('of one page use the configuration of the site, and the next sync of the site removes a page that moved away', async () => {
    const site = (await fixture().siteOf(['a', 'b'])).sitemap(['/a', '/b']);
    const added = await fixture().crawl({ source_url: site.url('/') });
    const { id } = await added.page('/a');
    site.set('/a', redirectTo('https://other.example/'));
    (await fixture().tenant.api.post(`/datasources/${id}/sync`)).assertOk();
    const page = await fixture().tenant.waitUntilFinished(id);
    expect(page.error?.code).toBe('PAGE_REFUSED');
    const patched = await fixture().tenant.api.patch(`/datasources/${id}`, {
      config: { source_url: site.url('/b') },
    });
    patched.assertError('INVALID_REQUEST');
    expect(await added.articles()).toEqual(articlesOf('a b'));
    await added.sync();
    expect(await added.articles()).toEqual(articlesOf('b'));
  });
});

describe('web sites in progress', () => {
  const fixture = siteFixture();

  /** @param missing pages that the sitemap names and the site does not have */
  async function startSlowly(
    count: number,
    delayMs: number,
    missing: readonly string[] = [],
  ): Promise<{ site: TestSite; added: SiteClient }> {
    const site = (await fixture().siteOf(names(count))).sitemap(pathsOf([...names(count), ...missing]));
    site.delayMs = delayMs;
    const added = await SiteClient.add(fixture().tenant, { source_url: site.url('/') });
    return { site, added };
  }
  const pagesRequested = (site: TestSite, count: number): Promise<boolean> =>
    until(async () => site.pageRequests.length > count, `more than ${count} page requests`);

  it('count the pages that are found, fetched, indexed and failed', async () => {
    const { added } = await startSlowly(40, 600, ['missing']);
    const seen: { found: number; fetched: number; indexed: number }[] = [];
    let etaSeconds: number | null = null;
    await until(async () => {
      const { progress } = await added.view();
      if (progress?.pages) seen.push(progress.pages);
      etaSeconds ??= progress?.etaSeconds ?? null;
      return progress === null;
    }, 'the site to finish');
    expect(seen.some(({ found, fetched }) => found === 41 && fetched > 0 && fetched < 41)).toBe(true);
    for (const [n, { found, fetched, indexed }] of seen.entries()) {
      expect(indexed).toBeLessThanOrEqual(fetched);
      expect(fetched).toBeLessThanOrEqual(found);
      expect(fetched).toBeGreaterThanOrEqual(seen[n - 1]?.fetched ?? 0);
    }
    expect(etaSeconds).not.toBeNull();
    expect((await added.view()).stats.pages).toBe(40);
    expect(await added.message()).toBe('1 page could not be ingested; 40 pages answer.');
  });

  it('are synced once more when a sync or another configuration is requested meanwhile', async () => {
    const { site, added } = await startSlowly(12, 100);
    await pagesRequested(site, 4);
    site.set('/p0', { body: article('late') });
    await added.requestSync();
    await added.finished();
    expect((await added.articles())['/p0']).toBe('late');
    site.forgetRequests();
    await added.requestSync();
    await pagesRequested(site, 4);
    await added.configure({ source_url: site.url('/'), exclude: ['/p0', '/p1*'] });
    await added.finished();
    expect(await added.paths()).toHaveLength(8);
    site.forgetRequests();
    await added.requestSync();
    await pagesRequested(site, 0);
    await added.requestSync();
    await added.cancel();
    // Cancelling drops the requested sync.
    expect(await added.runsOf(added.id)).toHaveLength(5);
  });

  it('stop within seconds when they are cancelled, and continue with the next sync', async () => {
    const { site, added } = await startSlowly(60, 150);
    await pagesRequested(site, 8);
    const started = performance.now();
    const { progress, error } = await added.cancel();
    expect([progress, error?.code]).toEqual([null, 'CANCELLED']);
    await until(async () => {
      const seen = site.requests.length;
      await sleep(600);
      return site.requests.length === seen;
    }, 'the requests to end');
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(site.pageRequests.length).toBeLessThan(60);
    for (const page of await added.pages()) expect([page.name, page.progress]).toEqual([page.name, null]);
    site.delayMs = 0;
    expect((await added.sync()).error).toBeNull();
    expect(await added.paths()).toHaveLength(60);
  });

  it('leave nothing behind when they are deleted', async () => {
    const { site, added } = await startSlowly(60, 150);
    await pagesRequested(site, 8);
    (await fixture().tenant.api.delete(`/datasources/${added.id}`)).assertOk();
    expect(await added.pages()).toEqual([]);
    const isEmpty = async (rows: string): Promise<boolean> =>
      (await fixture().query(`SELECT 1 FROM ${rows}`, [added.id])).length === 0;
    await until(() => isEmpty('datasources WHERE id = $1 OR group_id = $1'), 'the rows to be deleted');
    expect(await isEmpty('crawl_urls WHERE site_id = $1')).toBe(true);
    expect(await isEmpty('crawls WHERE site_id = $1')).toBe(true);
    expect(await isEmpty('runs WHERE datasource_id = $1 OR group_id = $1')).toBe(true);
    const { code, output } = await fixture().deployment.citewell('doctor');
    expect([output, code]).toEqual([output, 0]);
  });
});
