import { describe, expect, it } from '@jest/globals';
import { siteFixture } from './web-sites/site-fixture.js';
import { article, type TestSite } from './web-sites/test-site.js';

describe('limits of web sites', () => {
  const fixture = siteFixture();

  it('maxPages keeps known pages before new ones', async () => {
    const site = await fixture().siteOf(['1', '2', '3', '4', '5', '6']);
    const list = (...names: number[]): TestSite => site.sitemap(names.map((name) => `/${name}`));
    list(1, 2, 3, 4);
    const added = await fixture().crawl({ source_url: site.url('/'), maxPages: 3 });
    const expectPages = async (...paths: string[]): Promise<void> => {
      expect(await added.message()).toMatch(/The limit of \d pages \(maxPages\) was reached\.$/);
      expect(await added.paths()).toEqual(paths);
    };
    await expectPages('/1', '/2', '/3');
    // Nothing is requested beyond the limit.
    expect(site.pageRequests).toHaveLength(3);
    list(4, 5, 6, 3, 2);
    await added.sync();
    await expectPages('/2', '/3', '/4');
    await added.configure({ source_url: site.url('/'), maxPages: 2 });
    await added.sync();
    await expectPages('/3', '/4');
  });

  it('maxPages keeps pages that cannot be fetched for the moment', async () => {
    const site = (await fixture().siteOf(['1', '2', '3', '4'])).sitemap(['/1', '/2', '/3', '/4']);
    const added = await fixture().crawl({ source_url: site.url('/'), maxPages: 2 });
    site.set('/2', { status: 500 });
    await added.sync();
    expect(await added.articles()).toEqual({ '/1': '1', '/2': '2', '/3': '3' });
    site.set('/2', { body: article('2') });
    await added.sync();
    expect(await added.articles()).toEqual({ '/1': '1', '/2': '2' });
  });

  it('of a sitemap with more addresses than are stored, known pages are crawled', async () => {
    const site = await fixture().siteOf(['a', 'd', 'e']);
    const many = Array.from({ length: 10_100 }, (_, n) => `/many/${n}`);
    site.set('/many*', (_count, path) => ({ body: article(path) })).sitemap(['/d', '/e', ...many]);
    const added = await fixture().crawl({ source_url: site.url('/'), maxPages: 2 });
    expect(await added.paths()).toEqual(['/d', '/e']);
    site.sitemap(['/a', ...many, '/e']);
    await added.sync();
    expect(await added.paths()).toEqual(['/a', '/e']);
    expect(await added.message()).toMatch(/maxPages/);
  });

  it('known pages do not count as combinations of filters', async () => {
    const pages = Array.from({ length: 10 }, (_, n) => `/topic?forum=1&topic=${n}`);
    const others = Array.from({ length: 510 }, (_, n) => `/topic?forum=2&topic=${n}`);
    const site = await fixture().siteOf();
    site.set('/topic*', { body: article('hidden'), headers: { 'x-robots-tag': 'noindex' } });
    for (const path of pages) site.set(path, { body: article(path) });
    site.set('/', { body: article('forum', { links: [...pages, ...others] }) });
    const added = await fixture().crawl({ source_url: site.url('/') });
    const expected = ['/', ...pages];
    expect(await added.paths()).toEqual(expected);
    expect(await added.message()).toMatch(/^More than 500 addresses differ from .*\/topic\?/);
    site.set('/', { body: article('forum', { links: [...others, ...pages] }) });
    await added.sync();
    expect(await added.paths()).toEqual(expected);
  });

  it('maxDepth counts the shortest path, at the latest in the next sync', async () => {
    const site = await fixture().siteOf(['edge']);
    const link = (from: string, ...links: string[]): TestSite =>
      site.set(from, { body: article(from, { links }) });
    link('/', '/near', '/far');
    link('/far', '/further');
    link('/further', '/page');
    link('/page', '/edge');
    // The shorter path to /page is found after /page was fetched.
    site.set('/near', (count) =>
      count === 1 ? { status: 503 } : { body: article('near', { links: ['/page'] }) },
    );
    const added = await fixture().crawl({ source_url: site.url('/'), maxDepth: 3 });
    expect(await added.paths()).toEqual(['/', '/far', '/further', '/near', '/page']);
    expect((await added.sync()).error).toBeNull();
    expect(await added.paths()).toEqual(['/', '/edge', '/far', '/further', '/near', '/page']);
  });
});
