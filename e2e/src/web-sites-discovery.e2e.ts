import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildPdf } from '@citewell/documents/test-files';
import { playWithSites } from './web-sites/play.js';
import { article, pageOf, sitemapIndexOf, sitemapOf, type TestSite } from './web-sites/test-site.js';

const XML = 'application/xml';

/** A page that says nothing but where to go on. */
const stubTo = (path: string): string =>
  `<html><head><meta http-equiv="refresh" content="0; url=${path}"></head><body>Go on at ${path}</body></html>`;

describe('web sites', () => {
  const play = playWithSites();

  describe('are found', () => {
    it('by a sitemap that is given, wherever it lies', async () => {
      const site = await play().siteOf(['a', 'b', 'c']);
      site.sitemap(['/a', '/b'], '/lists/pages.xml').sitemap(['/c']);
      const { paths } = await play().described({ sitemap: site.url('/lists/pages.xml') });
      assert.deepEqual(paths, ['/a', '/b']);
      assert.equal(site.countOf('/sitemap.xml'), 0);
    });

    it('by the sitemaps that robots.txt names', async () => {
      const site = await play().siteOf(['a', 'b', 'c']);
      site.set('/robots.txt', {
        type: 'text/plain',
        body: `SITEMAP: ${site.url('/one-sitemap.xml')}\nUser-agent: *\nAllow: /\nsitemap: /two-sitemap.xml\n`,
      });
      site.sitemap(['/a'], '/one-sitemap.xml').sitemap(['/b'], '/two-sitemap.xml').sitemap(['/c']);
      const { paths } = await play().described({ source_url: site.url('/') });
      assert.deepEqual(paths, ['/a', '/b']);
    });

    for (const place of ['/sitemap.xml', '/sitemap_index.xml']) {
      it(`by a sitemap at ${place}`, async () => {
        const site = await play().siteOf(['a', 'b', 'c']);
        site.sitemap(['/a', '/b'], place);
        const { paths, view } = await play().described({ source_url: site.url('/anywhere') });
        assert.deepEqual([paths, view.error], [['/a', '/b'], null]);
      });
    }

    it('by sitemaps of every kind and condition', async () => {
      const names = ['gz', 'text', 'rss', 'atom', 'relative', 'bom', 'typed', 'tail'];
      const site = await play().siteOf(names);
      const kinds: Record<string, Parameters<TestSite['set']>[1]> = {
        'gz.xml.gz': { type: 'application/octet-stream', body: gzipSync(sitemapOf([site.url('/gz')])) },
        'text.txt': { type: 'text/plain', body: `${site.url('/text')}\n` },
        rss: {
          type: 'application/rss+xml',
          body: `<rss version="2.0"><channel><item><link>${site.url('/rss')}</link></item></channel></rss>`,
        },
        atom: {
          type: 'application/atom+xml',
          body: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="${site.url('/atom')}"/></entry></feed>`,
        },
        'relative.xml': { type: XML, body: sitemapOf(['/relative']) },
        'bom.xml': { type: XML, body: `\uFEFF \n${sitemapOf([site.url('/bom')])}` },
        'typed.xml': { type: 'text/html', body: sitemapOf([site.url('/typed')]) },
        'tail.xml': { type: XML, body: `${sitemapOf([site.url('/tail')])}<oops><` },
      };
      for (const [name, answer] of Object.entries(kinds)) site.set(`/sitemaps/${name}`, answer);
      site.set('/sitemap.xml', {
        type: XML,
        body: sitemapIndexOf(Object.keys(kinds).map((name) => site.url(`/sitemaps/${name}`))),
      });
      const { paths } = await play().described({ sitemap: site.url('/sitemap.xml') });
      assert.deepEqual(paths, names.map((name) => `/${name}`).toSorted());
    });

    it('by following links, without a sitemap', async () => {
      const site = await play().siteOf([]);
      site
        .set('/start', { body: article('start', { links: ['/one', '/two#part', 'https://other.example/'] }) })
        .set('/one', { body: article('one', { links: ['/start', '/deep/er?utm_source=x'] }) })
        .set('/two', { body: article('two', { links: ['/nowhere', '/one'] }) })
        .set('/deep/er', { body: article('deeper') })
        .set('/island', { body: article('island') });
      const { paths, view } = await play().described({ source_url: site.url('/start') });
      assert.deepEqual(paths, ['/deep/er', '/one', '/start', '/two']);
      assert.equal(view.error, null, 'a link that leads nowhere is the business of its page');
      for (const path of paths) assert.equal(site.countOf(path), 1, path);
    });

    it('by following links, where every address that is not there leads to the start', async () => {
      const site = await play().siteOf(['a']);
      site
        .set('/*', { status: 302, headers: { location: '/' } })
        .set('/', { body: article('start', { links: ['/a', '/nowhere'] }) });
      const { view, paths } = await play().described({ source_url: site.url('/') });
      assert.deepEqual([view.error, paths], [null, ['/', '/a']]);
    });

    it('by a start that is not included, however it leads on', async () => {
      const refresh = '<meta http-equiv="refresh" content="0; url=/en/">';
      const starts = {
        'by a redirect': { status: 301, headers: { location: '/en/' } },
        'as a stub': { body: `<head>${refresh}</head><p>Moved.</p>` },
        'as a stub that is not to be indexed': {
          body: `<head><meta name="robots" content="noindex">${refresh}</head><p>Moved.</p>`,
        },
      };
      for (const [how, start] of Object.entries(starts)) {
        const site = await play().siteOf([]);
        site
          .set('/', start)
          .set('/en/', { body: article('english', { links: ['/docs/a'] }) })
          .set('/docs/a', { body: article('a') });
        const { paths } = await play().described({ source_url: site.url('/'), include: ['/docs/**'] });
        assert.deepEqual(paths, ['/docs/a'], how);
        const whole = await play().described({ source_url: site.url('/') });
        assert.deepEqual(whole.paths, ['/docs/a', '/en/'], how);
      }
    });

    it('no further than they are allowed to', async () => {
      const site = await play().siteOf([]);
      site
        .set('/0', { body: article('zero', { links: ['/1', '/private/x', '/old/y'] }) })
        .set('/1', { body: article('one', { links: ['/2'] }) })
        .set('/2', { body: article('two', { links: ['/3'] }) })
        .set('/3', { body: article('three') })
        .set('/private/x', { body: article('x') })
        .set('/old/y', { body: article('y') })
        .set('/robots.txt', { type: 'text/plain', body: 'User-agent: citewell\nDisallow: /private\n' });
      const { paths } = await play().described({
        source_url: site.url('/0'),
        maxDepth: 2,
        exclude: ['/old/**'],
      });
      assert.deepEqual(paths, ['/0', '/1', '/2']);
      assert.equal(site.countOf('/private/x'), 0, 'robots.txt is obeyed');
      const { paths: included } = await play().described({
        source_url: site.url('/0'),
        include: ['/0', '/1'],
      });
      assert.deepEqual(included, ['/0', '/1']);
    });

    it('within maxPages, which is partial too where what is looked at again is one too many', async () => {
      const site = await play().siteOf(['x']);
      site
        .set('/a', { body: article('a', { head: '<link rel="canonical" href="/missing">' }) })
        .sitemap(['/a', '/x']);
      const { view, site: added } = await play().described({ source_url: site.url('/'), maxPages: 2 });
      assert.deepEqual(await added.states(), { '/missing': 'PAGE_GONE', '/x': 'synched' });
      assert.match(view.error?.message ?? '', /maxPages/);
    });

    it('within maxPages, which is partial, and no page is fetched beyond it', async () => {
      const names = Array.from({ length: 12 }, (_, n) => `p${String(n).padStart(2, '0')}`);
      const site = await play().siteOf(names);
      site.sitemap(names.map((name) => `/${name}`));
      const { paths, view } = await play().described({ source_url: site.url('/'), maxPages: 5 });
      assert.deepEqual([view.status, view.error?.code, paths.length], ['synched', 'PARTIAL', 5]);
      assert.match(view.error?.message ?? '', /maxPages/);
      assert.equal(site.pageRequests.length, 5);
    });

    it('without falling into traps', async () => {
      const site = await play().siteOf([]);
      site
        .set('/start', { body: article('start', { links: ['/calendar?month=1', '/loop/a', '/spin/0'] }) })
        .set('/calendar*', (count, path) => ({
          body: article(`month ${path}`, {
            links: [1, 2, 3].map(
              (n) => `/calendar?month=${Number(path.split('=')[1]) * 3 + n}&sort=${count}&dir=${n}`,
            ),
          }),
        }))
        .set('/loop*', (_, path) => ({ body: article(path, { links: [`${path}/a`] }) }))
        // Each redirects to the next, for ever.
        .set('/spin/*', (_, path) => ({
          status: 302,
          headers: { location: `/spin/${Number(path.split('/').at(-1)) + 1}?a=1&b=2` },
        }));
      const { view, paths } = await play().described({ source_url: site.url('/start'), maxPages: 60 });
      assert.equal(view.status, 'synched');
      assert.ok(paths.length <= 60);
      assert.ok(site.requests.length < 1_000, `${site.requests.length} requests`);
    });
  });

  describe('bring in', () => {
    it('pages, and of those that only point to another one, that one', async () => {
      const site = await play().siteOf(['kept', 'target', 'renamed', 'proper']);
      site
        .set('/moved', { status: 301, headers: { location: '/target' } })
        .set('/away', { status: 302, headers: { location: 'https://other.example/' } })
        .set('/circle', { status: 302, headers: { location: '/circle' } })
        .set('/stub', { body: stubTo('/renamed') })
        .set('/old-stub', { body: stubTo('/stub') })
        .set('/stub-of-moved', { body: stubTo('/moved') })
        .set('/stub-of-copy', { body: stubTo('/copy') })
        .set('/stub-of-missing', { body: stubTo('/lost') })
        .set('/stub-of-turned-away', { body: stubTo('/turned-away') })
        .set('/turned-away', { status: 301, headers: { location: `/login?from=${'x'.repeat(2_100)}` } })
        .set('/variant', { body: article('variant', { head: '<link rel="canonical" href="/proper">' }) })
        .set('/foreign', {
          body: article('foreign', { head: '<link rel="canonical" href="https://other.example/f">' }),
        })
        .set('/misled', { body: article('misled', { head: '<link rel="canonical" href="/missing">' }) })
        .set('/this', { body: article('this', { head: '<link rel="canonical" href="/that">' }) })
        .set('/that', { body: article('that', { head: '<link rel="canonical" href="/this">' }) })
        .set('/hidden', { body: article('hidden', { head: '<meta name="robots" content="noindex">' }) })
        .set('/tagged', { body: article('tagged'), headers: { 'x-robots-tag': 'noindex' } })
        .set('/empty', { body: '<html><head><title>Empty</title></head><body></body></html>' })
        .set('/copy', { body: article('kept') })
        .set('/feed', { type: 'application/rss+xml', body: '<rss><channel/></rss>' })
        .set('/picture', { type: 'image/png', body: Buffer.from('89504e470d0a1a0a', 'hex') });
      const listed = [
        'kept',
        'moved',
        'away',
        'circle',
        'stub-of-moved',
        'stub-of-copy',
        'stub-of-missing',
        'stub-of-turned-away',
        'turned-away',
        'stub',
        'old-stub',
        'variant',
        'foreign',
        'misled',
        'this',
        'that',
      ];
      site.sitemap(
        [...listed, 'hidden', 'tagged', 'empty', 'copy', 'feed', 'picture'].map((name) => `/${name}`),
      );
      const { site: added, view } = await play().described({
        sitemap: site.url('/sitemap.xml'),
        render: 'never',
      });
      const states = await added.states();
      const copies = ['/copy', '/kept'].filter((path) => path in states);
      assert.equal(copies.length, 1, 'one of two that say the same');
      const cycle = ['/this', '/that'].filter((path) => path in states);
      assert.equal(cycle.length, 1, 'one of two that point to each other');
      assert.deepEqual(states, {
        ...Object.fromEntries([...copies, ...cycle].map((path) => [path, 'synched'])),
        '/foreign': 'synched',
        '/lost': 'PAGE_GONE',
        '/misled': 'synched',
        '/missing': 'PAGE_GONE',
        '/proper': 'synched',
        '/renamed': 'synched',
        '/stub-of-missing': 'synched',
        '/stub-of-turned-away': 'synched',
        '/target': 'synched',
      });
      assert.deepEqual([view.status, view.error?.code], ['synched', 'PARTIAL']);
    });

    it('files that they list, read by the parser of their type', async () => {
      const site = await play().siteOf(['a']);
      site
        .set('/manual.pdf', {
          type: 'application/pdf',
          body: buildPdf([[{ text: 'The windlass turns twice.', y: 700 }]]),
        })
        .set('/notes.txt', { type: 'text/plain', body: 'The capstan never turns.' })
        .set('/lies.html', { type: 'application/octet-stream', body: Buffer.from([0, 1, 2, 3]) })
        .sitemap(['/a', '/manual.pdf', '/notes.txt', '/lies.html']);
      const { site: added, paths } = await play().described({ source_url: site.url('/') });
      assert.deepEqual(paths, ['/a', '/manual.pdf', '/notes.txt']);
      assert.deepEqual((await added.find('How often does the windlass turn?'))[0], '/manual.pdf');
      assert.deepEqual((await added.find('capstan'))[0], '/notes.txt');
    });

    it('what answers a question, cited with the section that says it', async () => {
      const site = await play().siteOf(['other']);
      site.set('/lamps', {
        body: pageOf('Lamps of the coast', {
          'Early lamps': `Coal fires were lit on towers. ${'They smoked and needed tending all night. '.repeat(60)}`,
          'The Fresnel lens': `The lens of Augustin Fresnel was first lit at Cordouan in 1823. ${'Its rings bend the light of one lamp. '.repeat(60)}`,
        }),
      });
      site.sitemap(['/lamps', '/other']);
      const { site: added } = await play().described({ source_url: site.url('/') });
      const agent = await play().tenant.agent({ datastoreIds: [added.datastoreId] });
      const { sources } = await play().tenant.ask(agent.id, 'Where was the lens of Fresnel first lit?');
      assert.deepEqual(
        [sources[0]?.source, sources[0]?.source_url],
        [`${site.url('/lamps')}#the-fresnel-lens`, site.url('/lamps')],
      );
      const [hit] = await play().tenant.search(added.datastoreId, 'Cordouan');
      assert.equal(hit?.source, `${site.url('/lamps')}#the-fresnel-lens`);
      const page = await added.page('/lamps');
      assert.deepEqual([hit?.datasource_id, page.groupId], [page.id, added.id]);
      const filtered = await play().tenant.search(added.datastoreId, 'Cordouan', {
        filters: { datasource_ids: [added.id] },
      });
      assert.ok(filtered.length > 0, 'the id of a site matches its pages');
    });

    it('nothing where nothing is a page, and say why', async () => {
      const site = await play().siteOf(['docs/a']);
      site
        .set('/feed', { type: 'application/rss+xml', body: '<rss version="2.0"><channel></channel></rss>' })
        .set('/foreign.xml', { type: 'application/xml', body: sitemapOf(['https://other.example/']) })
        .set('/', { body: article('start', { links: ['/docs/a'] }) });
      for (const [config, why] of [
        [{ source_url: site.url('/feed') }, /\/feed is a sitemap or a feed, and no page/],
        [{ source_url: site.url('/'), include: ['docs/'] }, /left out by include and exclude/],
        [{ sitemap: site.url('/foreign.xml') }, /lists no address of the site/],
      ] as const) {
        const { view } = await play().described(config);
        assert.equal(view.error?.code, 'SITE_EMPTY');
        assert.match(view.error?.message ?? '', why);
      }
    });

    it('nothing from a host that is not reached, and say so', async () => {
      const site = await play().siteOf([]);
      const none = await play().described({ source_url: site.url('/') });
      assert.deepEqual([none.view.status, none.view.error?.code], ['error', 'SITE_FAILED']);
      const blocked = await play().described({ source_url: 'http://10.1.2.3/' });
      assert.deepEqual([blocked.view.status, blocked.view.error?.code], ['error', 'ADDRESS_BLOCKED']);
      site.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /' });
      const other = await play().siteOf(['a']);
      other.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /' });
      const forbidden = await play().described({ source_url: other.url('/a') });
      assert.deepEqual(await forbidden.site.states(), { '/a': 'ROBOTS_DISALLOWED' });
    });
  });
});
