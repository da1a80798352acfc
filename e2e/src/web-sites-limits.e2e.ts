import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from './client/tenant.js';
import { playWithSites } from './web-sites/play.js';
import { SiteOfTenant } from './web-sites/site-tenant.js';
import { article } from './web-sites/test-site.js';

/** What bounds a site, and what goes wrong at its edges. */
describe('web sites', () => {
  const play = playWithSites();

  describe('with more pages than they may have', () => {
    it('have the first of them, and drop those of before that are beyond', async () => {
      const site = await play().siteOf(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
      const list = (...names: number[]): unknown => site.sitemap(names.map((name) => `/${name}`));
      list(1, 2, 3, 4, 5);
      const added = await play().crawl({ source_url: site.url('/'), maxPages: 3 });
      assert.deepEqual(await added.paths(), ['/1', '/2', '/3']);
      assert.match((await added.view()).error?.message ?? '', /maxPages/);
      list(4, 5, 6, 7, 8);
      assert.match((await added.sync()).error?.message ?? '', /maxPages/);
      assert.deepEqual(await added.paths(), ['/4', '/5', '/6']);
      await added.configure({ source_url: site.url('/'), maxPages: 2 });
      await added.sync();
      assert.deepEqual(await added.paths(), ['/4', '/5']);
      site.set('/1', { status: 403 });
      list(1, 4, 5, 6);
      await added.sync();
      assert.deepEqual(await added.states(), { '/1': 'PAGE_REFUSED', '/4': 'synched', '/5': 'synched' });
    });

    it('have no more than that of a site that has more addresses than are looked at', async () => {
      const site = await play().siteOf(['a', 'b', 'c', 'd', 'e']);
      const many = Array.from({ length: 10_100 }, (_, n) => `/many/${n}`);
      site.set('/many*', (_count, path) => ({ body: article(path) }));
      site.sitemap(['/d', '/e', ...many]);
      const added = await play().crawl({ source_url: site.url('/'), maxPages: 2 });
      assert.deepEqual(await added.paths(), ['/d', '/e']);
      site.sitemap(['/a', '/d', ...many]);
      await added.sync();
      assert.deepEqual(await added.paths(), ['/a', '/d']);
    });

    it('have what has moved under its new address, though nobody looks at the old one', async () => {
      const site = await play().siteOf(['a', 'b', 'c', 'd', 'e']);
      site.sitemap(['/a', '/b', '/c', '/d']);
      const added = await play().crawl({ source_url: site.url('/'), maxPages: 3 });
      assert.deepEqual(await added.paths(), ['/a', '/b', '/c']);
      const { id } = await added.page('/c');
      site
        .set('/b-moved', { body: article('c') })
        .remove('/c')
        .sitemap(['/a', '/b', '/b-moved', '/d', '/e']);
      await added.sync();
      assert.equal((await added.page('/b-moved')).id, id);
      assert.equal((await added.find('tells of c'))[0], '/b-moved');
      await added.sync();
      assert.deepEqual(await added.paths(), ['/a', '/b', '/b-moved']);
    });

    it('keep those that cannot be fetched for the moment', async () => {
      const site = await play().siteOf(['1', '2', '3', '4']);
      site.sitemap(['/1', '/2', '/3', '/4']);
      const added = await play().crawl({ source_url: site.url('/'), maxPages: 2 });
      site.set('/2', { status: 500 });
      await added.sync();
      assert.deepEqual(await added.paths(), ['/1', '/2', '/3']);
      assert.deepEqual((await added.find('2')).includes('/2'), true);
      site.set('/2', { body: article('2') });
      await added.sync();
      assert.deepEqual(await added.paths(), ['/1', '/2']);
    });
  });

  describe('with many addresses of one kind', () => {
    const topics = (from: number, to: number): string[] =>
      Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => from + Math.sign(to - from) * n).map(
        (topic) => `/topic?forum=1&topic=${topic}`,
      );

    it('say that they leave some out, and keep what they have', async () => {
      const site = await play().siteOf([]);
      site.set('/topic*', (_count, path) => ({ body: article(path) }));
      site.set('/', { body: article('forum', { links: topics(1, 520) }) });
      const added = await play().crawl({ source_url: site.url('/') });
      const before = await added.paths();
      assert.equal(before.length, 501);
      assert.match((await added.view()).error?.message ?? '', /more addresses like .*topic/);
      site.set('/', { body: article('forum', { links: topics(520, 1) }) });
      const { error } = await added.sync();
      assert.equal(error?.code, 'PARTIAL');
      const now = await added.paths();
      assert.deepEqual(
        before.filter((path) => !now.includes(path)),
        [],
      );
      site.set('/', { body: article('forum', { links: topics(1, 3) }) });
      assert.match((await added.sync()).error?.message ?? '', /Nothing leads to 497 pages/);
    });

    it('have all that a sitemap lists, though they look like traps', async () => {
      const paths = ['/a/a/a', '/agenda/2012-05-12', '/plan/2040-01', '/report?month=2001-03'];
      const site = await play().siteOf(paths.map((path) => path.slice(1)));
      site.sitemap(paths);
      const added = await play().crawl({ source_url: site.url('/') });
      assert.deepEqual((await added.paths()).length, paths.length);
    });
  });

  it('go as far as maxDepth by the shortest way, though that is found last', async () => {
    const site = await play().siteOf(['edge', 'beyond']);
    const leads = (from: string, ...links: string[]): unknown =>
      site.set(from, { body: article(from, { links }) });
    leads('/', '/near', '/far');
    leads('/far', '/further');
    leads('/further', '/page');
    leads('/page', '/edge');
    leads('/edge', '/beyond');
    site.set('/near', (count) =>
      count === 1 ? { status: 503 } : { body: article('near', { links: ['/page'] }) },
    );
    const added = await play().crawl({ source_url: site.url('/'), maxDepth: 3 });
    assert.deepEqual(await added.paths(), ['/', '/edge', '/far', '/further', '/near', '/page']);
    assert.equal((await added.view()).error, null);
    assert.equal((await added.sync()).error, null);
    assert.equal((await added.paths()).length, 6);
  });

  it('with many broken pages have the others soon', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `p${n}`);
    const site = await play().siteOf(names);
    site.set('/bad*', { status: 500 });
    site.set('/', {
      body: article('start', { links: names.flatMap((name) => [`/bad-${name}`, `/${name}`]) }),
    });
    const added = await SiteOfTenant.add(play().tenant, { source_url: site.url('/') });
    await until(async () => (await added.view()).progress?.pages?.indexed === 13, 'the good pages');
    await added.cancel();
  });

  it('bring in no style sheets, scripts and calendars, and are whole where a link leads out of the web', async () => {
    const site = await play().siteOf(['text', 'gr%C3%B6%C3%9Fe']);
    const sent = {
      '/a.css': 'text/css',
      '/a.js': 'text/javascript',
      '/a.ics': 'text/calendar',
      '/a.txt': 'text/plain',
    };
    for (const [path, type] of Object.entries(sent)) site.set(path, { type, body: 'Some text of its own.' });
    site
      .set('/mail', { status: 302, headers: { location: 'mailto:somebody@example.org' } })
      .set('/app', { status: 302, headers: { location: 'itms-apps://apps.example/1' } })
      .set('/size', { status: 301, headers: { location: Buffer.from('/größe').toString('latin1') } })
      .set('/', {
        body: article('start', { links: [...Object.keys(sent), '/text', '/mail', '/app', '/size'] }),
      });
    const added = await play().crawl({ source_url: site.url('/') });
    assert.deepEqual(await added.paths(), ['/', '/a.txt', '/gr%C3%B6%C3%9Fe', '/text']);
    assert.equal((await added.view()).error, null);
  });

  it('keep a page, with its datasource, that begins to name one that is gone', async () => {
    const site = await play().siteOf(['a']);
    const links = ['/a', '/stub'];
    site.set('/', { body: article('start', { links }) }).set('/stub', { body: article('the stub') });
    const added = await play().crawl({ source_url: site.url('/') });
    const ids = async (): Promise<string[]> => (await added.pages()).map(({ id }) => id).toSorted();
    const before = await ids();
    const refresh = `<meta http-equiv="refresh" content="0; url=/gone">`;
    site
      .set('/a', { body: article('basalt', { head: `<link rel="canonical" href="${site.url('/gone')}">` }) })
      .set('/stub', { body: `<!doctype html><head>${refresh}</head><body>Moved.</body>` });
    await added.sync();
    assert.deepEqual(await ids(), before);
    assert.equal((await added.find('basalt'))[0], '/a');
    assert.equal((await added.find('the stub'))[0], '/stub', 'what it said before');
    site.set('/gone', { body: article('what was gone') });
    await added.sync();
    assert.deepEqual(await added.paths(), ['/', '/gone']);
  });

  it('decide alone where their pages lead', async () => {
    const site = await play().siteOf(['a', 'b']);
    site.sitemap(['/a', '/b']);
    const added = await play().crawl({ source_url: site.url('/') });
    const { id } = await added.page('/a');
    site.set('/a', { status: 302, headers: { location: site.url('/b').replace('127.0.0.1', '127.0.0.2') } });
    (await play().tenant.api.post(`/datasources/${id}/sync`)).assertOk();
    const page = await until(async () => {
      const view = await play().tenant.datasource(id);
      return view.progress === null ? view : null;
    }, 'the page to settle');
    assert.equal(page.error?.code, 'PAGE_REFUSED');
    assert.deepEqual((await added.find('This page tells of a'))[0], '/a', 'what it said before');
    await added.sync();
    assert.deepEqual(await added.paths(), ['/b']);
  });

  it('are what their pages are configured by', async () => {
    const site = await play().siteOf(['a']);
    site.sitemap(['/a']);
    const added = await play().crawl({ source_url: site.url('/') });
    const { id } = await added.page('/a');
    const { api } = play().tenant;
    const path = `/datasources/${id}`;
    (await api.patch(path, { config: { source_url: site.url('/b') } })).assertError('INVALID_REQUEST');
    (await api.patch(path, { name: 'A' })).assertOk();
  });
});
