import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from './client/tenant.js';
import { playWithSites } from './web-sites/play.js';
import { SiteOfTenant } from './web-sites/site-tenant.js';
import { article, pageOf, sitemapIndexOf, type TestSite } from './web-sites/test-site.js';

const XML = 'application/xml';

describe('web sites', () => {
  const play = playWithSites();

  it('count what is found, fetched, brought in and failed while they come in', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const site = await play().siteOf(names);
    site.delayMs = 250;
    site.sitemap([...names.map((name) => `/${name}`), '/missing']);
    const added = await SiteOfTenant.add(play().tenant, { sitemap: site.url('/sitemap.xml') });
    const seen: { found: number; fetched: number; indexed: number; failed: number }[] = [];
    let eta: number | null = null;
    await until(async () => {
      const { progress } = await added.view();
      if (progress?.pages) seen.push(progress.pages);
      eta ??= progress?.etaSeconds ?? null;
      return progress === null;
    }, 'the site to settle');
    assert.ok(
      seen.some(({ found, fetched }) => found === 41 && fetched > 0 && fetched < 41),
      JSON.stringify(seen),
    );
    for (const { found, fetched, indexed } of seen) assert.ok(indexed <= fetched && fetched <= found);
    for (const [before, now] of seen.slice(1).map((now, n) => [seen[n], now] as const))
      assert.ok((before?.fetched ?? 0) <= now.fetched, 'what was fetched stays so');
    assert.ok(eta !== null);
    const { stats, error } = await added.view();
    assert.equal(stats.pages, 40);
    assert.equal(error?.message, '1 page could not be brought in; 40 pages answer.');
  });

  describe('brought up to date', () => {
    it('cost one conditional request a page where nothing has changed', async () => {
      const names = ['a', 'b', 'c', 'd'];
      const site = await play().siteOf(names);
      site
        .set('/d', { body: article('d'), validator: 'date' })
        .set('/file.txt', { type: 'text/plain', body: 'A plain file.' })
        .sitemap([...names.map((name) => `/${name}`), '/file.txt']);
      const added = await play().crawl({ source_url: site.url('/') });
      const before = await added.runCounts();
      site.forgetRequests();
      play().embedded();
      const view = await added.sync();
      assert.deepEqual([view.status, view.error, view.revision], ['synched', null, 2]);
      assert.deepEqual(site.pageRequests.map(({ path, status }) => `${path} ${status}`).toSorted(), [
        '/a 304',
        '/b 304',
        '/c 304',
        '/d 304',
        '/file.txt 304',
      ]);
      assert.deepEqual(await added.runCounts(), before);
      assert.deepEqual(play().embedded(), []);
    });

    it('bring in nothing where a server only says that something has changed', async () => {
      const site = await play().siteOf([]);
      let time = 0;
      site
        .set('/clock', () => ({
          body: article('a clock', { head: `<meta name="generated" content="${(time += 1)}">` }),
        }))
        .sitemap(['/clock']);
      const added = await play().crawl({ source_url: site.url('/') });
      site.forgetRequests();
      await added.sync();
      assert.deepEqual(
        site.pageRequests.map(({ status }) => status),
        [200],
      );
      assert.deepEqual(await added.runCounts(), { '/clock': 1 });
    });

    it('read the page that has changed, and embed its changed chunks only', async () => {
      const section = (word: string): string => `${word} is what this is about. `.repeat(80);
      const body = (last: string): string =>
        pageOf('Long', { First: section('granite'), Second: section('slate'), Third: section(last) });
      const site = await play().siteOf(['a', 'b']);
      site.set('/long', { body: body('chalk') }).sitemap(['/a', '/b', '/long']);
      const added = await play().crawl({ source_url: site.url('/') });
      const chunks = (await added.page('/long')).stats.chunks;
      site.set('/long', { body: body('marble') });
      play().embedded();
      await added.sync();
      assert.deepEqual(await added.runCounts(), { '/a': 1, '/b': 1, '/long': 2 });
      const inputs = play().embedded();
      assert.ok(inputs.length > 0 && inputs.length < chunks, `${inputs.length} of ${chunks} chunks`);
      assert.ok(inputs.every((input) => input.includes('marble')));
      assert.deepEqual((await added.find('marble'))[0], '/long');
      assert.equal(
        (await play().tenant.search(added.datastoreId, 'chalk')).filter(({ text }) => /chalk/.test(text))
          .length,
        0,
      );
    });

    it('leave out what points to a page as soon as it is one, and not because that fails once', async () => {
      const pointing = article('pointing', { head: '<link rel="canonical" href="/target">' });
      const site = await play().siteOf(['a']);
      site.set('/pointing', { body: pointing }).sitemap(['/a', '/pointing']);
      const added = await play().crawl({ source_url: site.url('/') });
      const without = { '/a': 'synched', '/pointing': 'synched', '/target': 'PAGE_GONE' };
      assert.deepEqual(await added.states(), without);
      await added.sync();
      assert.deepEqual(await added.states(), without);
      assert.deepEqual(await added.runCounts(), { '/a': 1, '/pointing': 1, '/target': 0 });
      const target = { body: article('target') };
      site.set('/target', target);
      await added.sync();
      assert.deepEqual(await added.states(), { '/a': 'synched', '/target': 'synched' });
      site.set('/target', { status: 403, body: 'Not now.' });
      await added.sync();
      assert.deepEqual(await added.paths(), ['/a', '/target']);
      site.set('/target', target);
      await added.sync();
      assert.deepEqual(await added.states(), { '/a': 'synched', '/target': 'synched' });
      site.set('/pointing', { status: 403, body: 'Not now.' });
      await added.sync();
      const refused = { '/a': 'synched', '/pointing': 'PAGE_REFUSED', '/target': 'synched' };
      assert.deepEqual(await added.states(), refused, 'what only it leads to stays');
      site.set('/pointing', { body: pointing });
      await added.sync();
      assert.deepEqual(await added.states(), { '/a': 'synched', '/target': 'synched' });
    });

    it('keep their pages when a server refuses everything for once', async () => {
      const site = await play().siteOf(['a', 'b']);
      site.set('/', { body: article('the start', { links: ['/a'] }) }).sitemap(['/a', '/b']);
      const added = await play().crawl({ source_url: site.url('/') });
      assert.deepEqual(await added.paths(), ['/a', '/b']);
      for (const path of ['/', '/a', '/b', '/sitemap.xml', '/robots.txt'])
        site.set(path, { status: 403, body: 'Not now.' });
      await added.sync();
      const refused = 'PAGE_REFUSED';
      assert.deepEqual(await added.states(), { '/a': refused, '/b': refused });
      assert.deepEqual((await added.find('This page tells of a and b')).toSorted(), ['/a', '/b']);
      for (const name of ['a', 'b']) site.set(`/${name}`, { body: article(name) });
      site.remove('/').remove('/robots.txt').sitemap(['/a', '/b']);
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.states(), { '/a': 'synched', '/b': 'synched' });
    });

    it('are so once more when that was asked for, or they were configured anew, while it was under way', async () => {
      const names = Array.from({ length: 12 }, (_, n) => `p${n}`);
      const site = await play().siteOf(names);
      site.delayMs = 150;
      site.sitemap(names.map((name) => `/${name}`));
      const added = await SiteOfTenant.add(play().tenant, { source_url: site.url('/') });
      await until(async () => site.pageRequests.length > 4, 'the first pages');
      site.set('/p0', { body: article('what came too late') });
      (await play().tenant.api.post(`/datasources/${added.id}/sync`)).assertOk();
      // The end that is seen is that of the second sync.
      await added.settled();
      assert.equal((await added.find('what came too late'))[0], '/p0');
      site.forgetRequests();
      const sync = added.sync();
      await until(async () => site.pageRequests.length > 4, 'pages again');
      await added.configure({ source_url: site.url('/'), exclude: ['/p0', '/p1*'] });
      await sync;
      assert.equal((await added.paths()).length, 8);
      site.forgetRequests();
      const cancelled = added.sync();
      await until(async () => site.pageRequests.length > 0, 'pages once more');
      (await play().tenant.api.post(`/datasources/${added.id}/sync`)).assertOk();
      await added.cancel();
      await cancelled;
      assert.equal((await added.runsOf(added.id)).length, 5);
    });

    it('have a page that has moved under its new address, with what it had', async () => {
      const site = await play().siteOf(['a', 'b']);
      site.sitemap(['/a', '/b']);
      const added = await play().crawl({ source_url: site.url('/') });
      const { id } = await added.page('/b');
      site
        .set('/new/b', { body: article('b') })
        .remove('/b')
        .sitemap(['/a', '/new/b']);
      play().embedded();
      site.forgetRequests();
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.runCounts(), { '/a': 1, '/new/b': 1 });
      assert.deepEqual(play().embedded(), []);
      assert.equal((await added.page('/new/b')).id, id);
      assert.equal((await added.find('tells of b'))[0], '/new/b');
      assert.deepEqual([site.countOf('/new/b'), site.countOf('/b')], [1, 0]);
    });

    it('lose what no link leads to where the start is read and names a canonical that is not there', async () => {
      const site = await play().siteOf(['a', 'b']);
      const head = '<link rel="canonical" href="/gone">';
      const startWith = (...links: string[]): unknown =>
        site.set('/start', { body: article('start', { head, links }) });
      startWith('/a', '/b');
      const added = await play().crawl({ source_url: site.url('/start') });
      startWith('/a');
      for (const time of ['once', 'twice']) {
        const { error } = await added.sync();
        assert.equal((await added.paths()).includes('/b'), false, `${time}: ${error?.message}`);
      }
    });

    it('cost one conditional request for a stub that leads nowhere, after it was written otherwise', async () => {
      const site = await play().siteOf([]);
      const refresh = '<meta http-equiv="refresh" content="0; url=/gone">';
      const stub = (head: string): unknown =>
        site.set('/stub', { body: article('stub', { head: refresh + head }) });
      stub('');
      site.set('/start', { body: article('start', { links: ['/stub'] }) });
      const added = await play().crawl({ source_url: site.url('/start') });
      stub('<link rel="stylesheet" href="/new.css">');
      await added.sync();
      site.forgetRequests();
      await added.sync();
      const answers = site.pageRequests.filter(({ path }) => path === '/stub').map(({ status }) => status);
      assert.deepEqual(answers, [304]);
    });

    it('follow a start that is not included, and do not bring it in', async () => {
      const site = await play().siteOf([]);
      site
        .set('/', { body: article('start', { links: ['/docs/a'] }) })
        .set('/docs/a', { body: article('a') });
      const config = { source_url: site.url('/') };
      const added = await play().crawl(config);
      assert.deepEqual(await added.runCounts(), { '/': 1, '/docs/a': 1 });
      await added.configure({ ...config, include: ['/docs/**'] });
      for (const time of ['once', 'twice']) {
        assert.equal((await added.sync()).error, null, time);
        assert.deepEqual(await added.runCounts(), { '/docs/a': 1 });
      }
      site.set('/', { status: 403 });
      assert.match((await added.sync()).error?.message ?? '', /page that the site starts with/);
      assert.deepEqual(await added.states(), { '/docs/a': 'synched' }, 'nor when it cannot be read');
      site.set('/', { body: article('start', { links: ['/docs/a'] }) });
      await added.configure({ include: null });
      await added.sync();
      assert.deepEqual(await added.paths(), ['/', '/docs/a'], 'what is null is taken out');
      const path = `/datasources/${added.id}`;
      const nowhere = { config: { source_url: null } };
      (await play().tenant.api.patch(path, nowhere)).assertError('INVALID_REQUEST', 'config.source_url');
    });

    it('obey noindex of files, and where a server says it of what has not changed', async () => {
      const site = await play().siteOf(['a', 'b']);
      const headers = { 'x-robots-tag': 'noindex' };
      const file = { type: 'text/plain', body: 'The capstan never turns.' };
      site.set('/notes.txt', { ...file, headers }).set('/more.txt', { ...file, body: 'More of that.' });
      site.sitemap(['/a', '/b', '/notes.txt', '/more.txt']);
      const added = await play().crawl({ source_url: site.url('/') });
      assert.deepEqual(await added.paths(), ['/a', '/b', '/more.txt']);
      site
        .set('/a', { body: article('a'), headers })
        .set('/more.txt', { ...file, body: 'More of that.', headers });
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/b']);
      assert.deepEqual(await added.find('More of that, which tells of a'), ['/b']);
    });

    it('look at what they do not find because what leads to it fails', async () => {
      const site = await play().siteOf(['gone', 'changed', 'kept', 'private']);
      const hub = { links: ['/gone', '/changed', '/kept', '/private', '/further'] };
      site
        .set('/start', { body: article('start', { links: ['/hub'] }) })
        .set('/hub', { body: article('hub', hub) })
        .set('/further', { body: article('further', { links: ['/last'] }) })
        .set('/last', { body: article('last') });
      const config = { source_url: site.url('/start') };
      const added = await play().crawl(config);
      assert.equal((await added.paths()).length, 8);
      site
        .set('/hub', { status: 403, body: 'Not now.' })
        .remove('/gone')
        .set('/changed', { body: article('basalt') })
        .set('/last', { body: article('last', { links: ['/new'] }) })
        .set('/new', { body: article('new') });
      await added.configure({ ...config, exclude: ['/private'] });
      const { error } = await added.sync();
      assert.match(error?.message ?? '', /^1 page could not.*\/hub leads to/);
      const synched = Object.fromEntries(
        ['/changed', '/further', '/kept', '/last', '/new', '/start'].map((path) => [path, 'synched']),
      );
      assert.deepEqual(await added.states(), { ...synched, '/hub': 'PAGE_REFUSED' });
      assert.equal((await added.find('basalt'))[0], '/changed');
      site.set('/hub', { body: article('hub', { links: ['/changed'] }) });
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/changed', '/hub', '/start']);
    });

    it('lose at once what the configuration leaves out, though the crawl is not complete', async () => {
      const site = await play().siteOf(['a', 'b', 'c']);
      site.sitemap(['/a', '/b', '/c']);
      const config = { source_url: site.url('/'), maxPages: 2 };
      const added = await play().crawl(config);
      assert.deepEqual(await added.paths(), ['/a', '/b']);
      await added.configure({ ...config, maxPages: 1, exclude: ['/b'] });
      assert.equal((await added.sync()).error?.code, 'PARTIAL');
      assert.deepEqual(await added.paths(), ['/a']);
    });

    it('believe the second time that there is no sitemap any more, and never that one is refused', async () => {
      const site = await play().siteOf(['b', 'c']);
      site
        .set('/a', { body: article('a', { links: ['/b'] }) })
        .set('/robots.txt', { type: 'text/plain', body: `Sitemap: ${site.url('/map.xml')}` })
        .sitemap(['/a', '/b', '/c'], '/map.xml');
      const added = await play().crawl({ source_url: site.url('/a') });
      const all = ['/a', '/b', '/c'];
      site.remove('/robots.txt');
      assert.equal((await added.sync()).error, null, 'it is where it was');
      assert.deepEqual(await added.paths(), all);
      for (const time of ['once', 'twice']) {
        site.set('/map.xml', { status: 403 });
        assert.match((await added.sync()).error?.message ?? '', /map\.xml/, time);
        assert.deepEqual(await added.paths(), all);
      }
      site.remove('/map.xml');
      assert.equal((await added.sync()).error?.code, 'PARTIAL');
      assert.deepEqual(await added.paths(), all);
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/a', '/b']);
    });

    it('cost one conditional request again after other bytes have said the same, or the same bytes are called otherwise', async () => {
      const site = await play().siteOf(['b']);
      site.set('/a', { body: article('a'), headers: { etag: '"1"' }, validator: false });
      site.sitemap(['/a', '/b']);
      const added = await play().crawl({ source_url: site.url('/') });
      site.set('/a', { body: article('a'), validator: 'date' });
      site.set('/b', { body: article('b', { head: '<link rel="stylesheet" href="/new.css">' }) });
      await added.sync();
      site.forgetRequests();
      await added.sync();
      assert.deepEqual(site.pageRequests.map(({ path, status }) => `${path} ${status}`).toSorted(), [
        '/a 304',
        '/b 304',
      ]);
      assert.deepEqual(await added.runCounts(), { '/a': 1, '/b': 1 });
      const file = await play().tenant.api.get(`/datasources/${(await added.page('/b')).id}/file`);
      assert.match(file.text, /new\.css/, 'what the page is by now');
    });

    it('bring in no copy where a page and its copy are written otherwise and say the same', async () => {
      const site = await play().siteOf([]);
      const written = (head: string): void => {
        for (const path of ['/a', '/deep/copy']) site.set(path, { body: article('a', { head }) });
      };
      written('');
      site.set('/', { body: article('start', { links: ['/a', '/b'] }) });
      site.set('/b', { body: article('b', { links: ['/deep/copy'] }) });
      const added = await play().crawl({ source_url: site.url('/') });
      assert.deepEqual(await added.paths(), ['/', '/a', '/b']);
      written('<link rel="stylesheet" href="/new.css">');
      await added.sync();
      assert.deepEqual(await added.runCounts(), { '/': 1, '/a': 1, '/b': 1 });
    });

    it('take one page for another once the configuration lets that one in, though it has not changed', async () => {
      const site = await play().siteOf([]);
      const canonical = (name: string): string =>
        `<link rel="canonical" href="${site.url(`/print/${name}`)}">`;
      site.set('/', { body: article('start', { links: ['/a'] }) });
      site.set('/a', { body: article('a', { head: canonical('a') }) });
      site.set('/print/a', { body: article('a as it is printed') });
      const config = { source_url: site.url('/') };
      const added = await play().crawl({ ...config, exclude: ['/print/**'] });
      assert.deepEqual(await added.paths(), ['/', '/a']);
      await added.configure({ ...config, exclude: null });
      await added.sync();
      assert.deepEqual(await added.paths(), ['/', '/print/a']);
    });

    it('lose what is no longer listed, and take up what is new', async () => {
      const site = await play().siteOf(['basalt', 'gneiss']);
      site.sitemap(['/basalt', '/gneiss']);
      const added = await play().crawl({ source_url: site.url('/') });
      site.set('/tuff', { body: article('tuff') }).sitemap(['/basalt', '/tuff']);
      const view = await added.sync();
      assert.deepEqual(await added.states(), { '/basalt': 'synched', '/tuff': 'synched' });
      assert.equal(view.error, null);
      assert.equal((await added.find('gneiss')).includes('/gneiss'), false);
    });

    it('stop answering from a page that is gone, at once; keep one that fails', async () => {
      const site = await play().siteOf(['basalt', 'gneiss', 'tuff']);
      site.sitemap(['/basalt', '/gneiss', '/tuff']);
      const added = await play().crawl({ source_url: site.url('/') });
      site.set('/basalt', { status: 404 }).set('/gneiss', { status: 403 }).set('/tuff', { status: 410 });
      const view = await added.sync();
      assert.deepEqual(await added.states(), {
        '/basalt': 'PAGE_GONE',
        '/gneiss': 'PAGE_REFUSED',
        '/tuff': 'PAGE_GONE',
      });
      assert.deepEqual(await added.find('gneiss basalt tuff'), ['/gneiss']);
      assert.equal((await added.page('/gneiss')).revision, 1);
      assert.deepEqual([view.status, view.error?.code], ['error', 'SITE_FAILED']);
      for (const name of ['basalt', 'gneiss', 'tuff']) site.set(`/${name}`, { body: article(name) });
      assert.equal((await added.sync()).error, null);
      assert.equal((await added.find('gneiss basalt tuff')).length, 3);
    });

    it('remove nothing after a crawl that did not get to everything', async () => {
      const site = await play().siteOf(['a', 'b', 'c']);
      site.sitemap(['/a', '/b'], '/one-sitemap.xml').sitemap(['/c'], '/two-sitemap.xml');
      const lists = ['/one-sitemap.xml', '/two-sitemap.xml'].map((path) => site.url(path));
      site.set('/sitemap.xml', { type: XML, body: sitemapIndexOf(lists) });
      const added = await play().crawl({ sitemap: site.url('/sitemap.xml') });
      site.set('/two-sitemap.xml', { status: 403 }).sitemap(['/a'], '/one-sitemap.xml');
      const view = await added.sync();
      assert.deepEqual([view.status, view.error?.code], ['synched', 'PARTIAL']);
      assert.match(view.error?.message ?? '', /two-sitemap/);
      assert.deepEqual(await added.paths(), ['/a', '/b', '/c']);
      site.sitemap(['/c'], '/two-sitemap.xml');
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/a', '/c']);
    });

    it('remove nothing when links are followed only because the sitemap is in trouble', async () => {
      const site = await play().siteOf(['b']);
      site.set('/a', { body: article('a') }).sitemap(['/a', '/b']);
      const added = await play().crawl({ source_url: site.url('/a') });
      site.set('/sitemap.xml', { status: 503, headers: { 'retry-after': '0' } });
      const view = await added.sync();
      assert.equal(view.error?.code, 'PARTIAL');
      assert.deepEqual(await added.paths(), ['/a', '/b']);
    });

    it('keep what falls off a feed, until it is gone', async () => {
      const site = await play().siteOf(['a', 'b', 'c']);
      const feed = (...names: string[]): TestSite => {
        const items = names.map((name) => `<item><link>${site.url(`/${name}`)}</link></item>`);
        const body = `<rss version="2.0"><channel>${items.join('')}</channel></rss>`;
        return site.set('/feed.xml', { type: 'application/rss+xml', body });
      };
      feed('a', 'b');
      const added = await play().crawl({ source_url: site.url('/'), sitemap: site.url('/feed.xml') });
      feed('c');
      for (let sync = 0; sync < 2; sync += 1) {
        assert.equal((await added.sync()).error, null);
        assert.deepEqual(await added.paths(), ['/a', '/b', '/c']);
      }
      const config = { source_url: site.url('/'), sitemap: site.url('/feed.xml') };
      await added.configure({ ...config, exclude: ['/drafts/**'] });
      site.remove('/a');
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/b', '/c']);
      await added.configure({ ...config, maxPages: 1 });
      assert.match((await added.sync()).error?.message ?? '', /maxPages/);
      assert.deepEqual(await added.paths(), ['/c']);
    });

    it('lose what no link leads to any more', async () => {
      const site = await play().siteOf(['two']);
      site
        .set('/start', { body: article('start', { links: ['/one', '/two'] }) })
        .set('/one', { body: article('one', { links: ['/three'] }) })
        .set('/three', { body: article('three') });
      const added = await play().crawl({ source_url: site.url('/start') });
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/one', '/start', '/three', '/two']);
      site.set('/one', { body: article('one') }).remove('/two');
      await added.sync();
      assert.deepEqual(await added.paths(), ['/one', '/start']);
    });

    it('when their schedule says so', async () => {
      const site = await play().siteOf(['a']);
      site.sitemap(['/a']);
      const added = await play().crawl({ source_url: site.url('/'), schedule: '*/1 * * * *' });
      const due = async (): Promise<number> => {
        const [row] = await play().query<{ next_sync_at: Date }>(
          'SELECT next_sync_at FROM datasources WHERE id = $1',
          [added.id],
        );
        return row?.next_sync_at.getTime() ?? Number.NaN;
      };
      const first = await due();
      assert.ok(first > Date.now() && first < Date.now() + 65_000);
      await play().query(`UPDATE datasources SET next_sync_at = now() - interval '1 hour' WHERE id = $1`, [
        added.id,
      ]);
      await until(async () => (await added.view()).revision === 2, 'the scheduled sync');
      assert.ok((await due()) > Date.now());
      assert.equal((await added.runsOf(added.id))[0]?.trigger, 'schedule');
    });
  });

  describe('under way', () => {
    const slow = async (pages: number): Promise<TestSite> => {
      const names = Array.from({ length: pages }, (_, n) => `p${n}`);
      const site = await play().siteOf(names);
      site.delayMs = 150;
      return site.sitemap(names.map((name) => `/${name}`));
    };
    const busy = (site: TestSite): Promise<true> =>
      until(async () => site.pageRequests.length > 8, 'the crawl to be under way');

    it('stop within seconds when they are cancelled, their pages too, and go on with the next sync', async () => {
      const site = await slow(60);
      const added = await SiteOfTenant.add(play().tenant, { sitemap: site.url('/sitemap.xml') });
      await busy(site);
      const started = performance.now();
      const answered = await added.cancel();
      assert.deepEqual([answered.progress, answered.error?.code], [null, 'CANCELLED']);
      await until(async () => {
        const seen = site.requests.length;
        await new Promise((resolve) => setTimeout(resolve, 600));
        return site.requests.length === seen;
      }, 'the requests to end');
      assert.ok(performance.now() - started < 5_000);
      assert.ok(site.pageRequests.length < 60);
      for (const page of await added.pages()) assert.equal(page.progress, null, page.name);
      site.delayMs = 0;
      const view = await added.sync();
      assert.deepEqual([view.status, view.error], ['synched', null]);
      assert.equal((await added.paths()).length, 60);
    });

    it('leave nothing behind when they are deleted', async () => {
      const site = await slow(60);
      const added = await SiteOfTenant.add(play().tenant, { sitemap: site.url('/sitemap.xml') });
      await busy(site);
      (await play().tenant.api.delete(`/datasources/${added.id}`)).assertOk();
      assert.deepEqual(await added.pages(), []);
      const rowsOf = async (what: string): Promise<number> =>
        (await play().query(`SELECT 1 FROM ${what}`, [added.id])).length;
      await until(
        async () => (await rowsOf('datasources WHERE id = $1 OR group_id = $1')) === 0,
        'the rows to go',
      );
      assert.equal(await rowsOf('crawl_urls WHERE site_id = $1'), 0);
      assert.equal(await rowsOf('runs WHERE datasource_id = $1 OR group_id = $1'), 0);
      const { code, output } = await play().deployment.citewell('doctor');
      assert.equal(code, 0, output);
    });
  });
});
