import { randomBytes } from 'node:crypto';
import { buildPdf } from '@citewell/documents/test-files';
import { sitePreviewSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { siteFixture } from './web-sites/site-fixture.js';
import {
  article,
  canonical,
  redirectTo,
  refreshTo,
  type Resource,
  type Responder,
  sitemapOf,
  type TestSite,
} from './web-sites/test-site.js';

const XML = 'application/xml';
const NOINDEX = '<meta name="robots" content="noindex">';
const MISSING = canonical('/missing');

describe('discovery and limits of web sites', () => {
  const fixture = siteFixture();

  it('follows links within the host, and requests each address once', async () => {
    const site = await fixture().siteOf(['island', 'gr%C3%B6%C3%9Fe']);
    site
      .set('/start', { body: article('start', { links: ['/one', '/two#part', 'https://other.example/'] }) })
      .set('/one', { body: article('one', { links: ['/start', '/deep/er?utm_source=x', '/mail', '/app'] }) })
      .set('/two', { body: article('two', { links: ['/nowhere', '/one', '/size', '/home'] }) })
      .set('/deep/er', { body: article('deeper') })
      .set('/home', redirectTo('/start'))
      .set('/mail', redirectTo('mailto:somebody@example.org'))
      .set('/app', redirectTo('itms-apps://apps.example/1'))
      .set('/size', redirectTo(Buffer.from('/größe').toString('latin1')));
    const added = await fixture().crawl({ source_url: site.url('/start') });
    expect(await added.paths()).toEqual(['/deep/er', '/gr%C3%B6%C3%9Fe', '/one', '/start', '/two']);
    // A broken link is a defect of the page that has it.
    expect(await added.message()).toBe('');
    for (const { path } of site.pageRequests) expect([path, site.countOf(path)]).toEqual([path, 1]);
  });

  it('keeps the cookies of a host for one crawl', async () => {
    const site = await fixture().siteOf();
    const other = await fixture().siteOf(['frame']);
    const wall: Responder = (_count, path, { cookie }) => {
      if (cookie !== 'seen=1')
        return { status: 302, headers: { location: path, 'set-cookie': 'seen=1; Path=/; HttpOnly' } };
      const links = path === '/wall/start' ? ['/wall/next', '/gate', other.url('/frame')] : [];
      return { body: article(path, { links }) };
    };
    site
      .set('/robots.txt', { type: 'text/plain', body: 'User-agent: *' })
      .set('/wall/*', wall)
      .set('/gate', {
        ...redirectTo('/paper'),
        headers: { location: '/paper', 'set-cookie': 'pass=9; Path=/paper' },
      })
      .set('/paper', (_count, _path, { cookie = '' }) =>
        cookie.includes('pass=9') ? { body: article('paper') } : { status: 403 },
      );
    const added = await fixture().crawl({ source_url: site.url('/wall/start') });
    expect(await added.paths()).toEqual(['/paper', '/wall/next', '/wall/start']);
    expect(await added.message()).toBe('');
    expect(site.countOf('/wall/start')).toBe(2);
    expect(site.countOf('/wall/next')).toBe(1);
    for (const { headers } of other.requests) expect(headers.cookie).toBeUndefined();
    // A new crawl begins without cookies.
    site.forgetRequests();
    await added.sync();
    expect(site.pageRequests[0]?.headers.cookie).toBeUndefined();
    expect(await added.paths()).toEqual(['/paper', '/wall/next', '/wall/start']);
    const preview = await fixture().tenant.api.post('/sites/preview', {
      config: { source_url: site.url('/wall/start') },
    });
    expect(preview.as(sitePreviewSchema.strict()).pages.map(({ url }) => url)).toContain(site.url('/paper'));
  });

  const sorry = (path: string): string => `Sorry, ${path} does not exist.`;
  it.each<[string, (path: string) => string]>([
    ['the same page', () => 'Sorry, this page does not exist.'],
    ['its address', sorry],
  ])('ends where a server answers every address with %s', async (_name, text) => {
    const site = await fixture().siteOf(['three']);
    const links = ['api/jobs/', 'img/consent/', '../up/'].map((href) => `<a href="${href}">x</a>`).join(' ');
    site
      .set('/*', (_count, path) => ({ body: `<p>${text(path)}</p>${links}` }))
      .set('/robots.txt', { status: 404 })
      .set('/one', { body: article('one', { links: ['/two'] }) })
      .set('/two', { body: article('two', { links: ['missing/deep/', '/three'] }) });
    const added = await fixture().crawl({ source_url: site.url('/one'), maxPages: 60 });
    const paths = await added.paths();
    expect(paths).toEqual(expect.arrayContaining(['/one', '/three', '/two']));
    expect(paths.length).toBeLessThanOrEqual(5);
    expect(site.requests.length).toBeLessThanOrEqual(20);
    const { status, error } = await added.view();
    expect([status, error?.code]).toEqual(['synched', 'PARTIAL']);
    expect(error?.message).toMatch(/addresses that do not exist, such as .*, with a page and status 200/);
    expect(error?.message).not.toMatch(/maxPages/);
    await added.sync();
    expect((await added.paths()).length).toBeLessThanOrEqual(5);
  });

  it('is previewed: what a crawl would fetch and leave out, and nothing is stored', async () => {
    const site = await fixture().siteOf(['docs/a', 'docs/old', 'blog']);
    site.set('/', { body: article('start', { links: ['/docs/a', '/docs/old', '/blog'] }) });
    const config = { source_url: site.url('/'), include: ['/', '/docs/**'], exclude: ['/docs/old'] };
    const { api } = fixture().tenant;
    // Pages of earlier tests do not change meanwhile.
    await fixture().embedded();
    const datasources = (await api.get('/datasources')).json;
    const preview = (await api.post('/sites/preview', { config })).as(sitePreviewSchema.strict());
    expect(preview).toEqual({
      pages: [
        { url: site.url('/'), leftOut: null },
        { url: site.url('/docs/a'), leftOut: null },
        { url: site.url('/docs/old'), leftOut: 'EXCLUDED' },
        { url: site.url('/blog'), leftOut: 'NOT_INCLUDED' },
      ],
      isComplete: true,
      error: null,
    });
    expect(site.pageRequests.map(({ path }) => path)).toEqual(['/', '/docs/a']);
    expect((await api.get('/datasources')).json).toEqual(datasources);
    (await api.post('/sites/preview', { config: {} })).assertError('INVALID_REQUEST');
    const blocked = await api.post('/sites/preview', { config: { source_url: 'http://169.254.169.254/' } });
    expect(blocked.as(sitePreviewSchema.strict())).toMatchObject({ pages: [], isComplete: false });
  });

  it('follows a start that the patterns exclude, and its redirects', async () => {
    const starts: Record<string, Resource> = {
      'a page': { body: article('start', { links: ['/en/'] }) },
      'a redirect': redirectTo('/en/', 301),
      'a meta refresh': { body: refreshTo('/en/') },
      'a meta refresh with noindex': { body: refreshTo('/en/').replace('<head>', `<head>${NOINDEX}`) },
    };
    for (const [name, start] of Object.entries(starts)) {
      const site = await fixture().siteOf();
      site
        .set('/', start)
        .set('/en/', { body: article('english', { links: ['/docs/a'] }) })
        .set('/docs/a', { body: article('a') });
      const config = {
        source_url: site.url('/'),
        include: name === 'a page' ? ['/docs/**', '/en/'] : ['/docs/**'],
      };
      const added = await fixture().crawl(config);
      expect([name, await added.paths()]).toEqual([
        name,
        name === 'a page' ? ['/docs/a', '/en/'] : ['/docs/a'],
      ]);
      expect([name, await added.message()]).toEqual([name, '']);
    }
  });

  /** What each listed URL becomes. */
  const kinds: [
    path: string,
    resource: Resource,
    pages: readonly string[],
    others?: Record<string, Resource>,
  ][] = [
    ['/page', { body: article('page') }, ['/page']],
    // A sitemap may list what looks like a trap.
    ['/a/a/a', { body: article('a/a/a') }, ['/a/a/a']],
    ['/plan/2040-01', { body: article('plan') }, ['/plan/2040-01']],
    ['/moved', redirectTo('/target', 301), ['/target'], { '/target': { body: article('target') } }],
    ['/away', redirectTo('https://other.example/'), []],
    ['/turned-away', redirectTo(`/login?state=${randomBytes(3_000).toString('base64url')}`), []],
    ['/loop', redirectTo('/loop'), ['/loop: PAGE_REFUSED']],
    ['/circle', redirectTo('/circle/2'), [], { '/circle/2': redirectTo('/circle') }],
    ['/refresh', { body: refreshTo('/new') }, ['/new'], { '/new': { body: article('new') } }],
    [
      '/refresh-chain',
      { body: refreshTo('/middle') },
      ['/end'],
      { '/middle': redirectTo('/end'), '/end': { body: article('end') } },
    ],
    ['/refresh-to-nothing', { body: refreshTo('/missing') }, []],
    [
      '/variant',
      { body: article('variant', { head: canonical('/proper') }) },
      ['/proper'],
      { '/proper': { body: article('proper') } },
    ],
    [
      '/canonical-to-nothing',
      { body: article('canonical to nothing', { head: MISSING }) },
      ['/canonical-to-nothing'],
    ],
    [
      '/canonical-to-failure',
      { body: article('canonical to failure', { head: canonical('/refused') }) },
      ['/canonical-to-failure', '/refused: PAGE_REFUSED'],
      { '/refused': { status: 403 } },
    ],
    [
      '/canonical-elsewhere',
      { body: article('canonical elsewhere', { head: canonical('https://other.example/f') }) },
      ['/canonical-elsewhere'],
    ],
    [
      '/canonical-of-two',
      { body: article('one of two', { head: canonical('/the-other') }) },
      ['/canonical-of-two'],
      { '/the-other': { body: article('the other', { head: canonical('/canonical-of-two') }) } },
    ],
    ['/noindex', { body: article('noindex', { head: NOINDEX }) }, []],
    ['/noindex-header', { body: article('header'), headers: { 'x-robots-tag': 'noindex' } }, []],
    ['/noindex.txt', { type: 'text/plain', body: 'Hidden.', headers: { 'x-robots-tag': 'noindex' } }, []],
    ['/empty', { body: '<html><head><title>Empty</title></head><body></body></html>' }, []],
    ['/feed', { type: 'application/rss+xml', body: '<rss><channel/></rss>' }, []],
    ['/style.css', { type: 'text/css', body: 'Some text.' }, []],
    ['/script.js', { type: 'text/javascript', body: 'Some text.' }, []],
    ['/event.ics', { type: 'text/calendar', body: 'Some text.' }, []],
    ['/picture', { type: 'image/png', body: Buffer.from('89504e470d0a1a0a', 'hex') }, []],
    ['/binary.html', { type: 'application/octet-stream', body: Buffer.from([0, 1, 2, 3]) }, []],
    ['/gone', { status: 410 }, ['/gone: PAGE_GONE']],
    ['/refuses', { status: 403 }, ['/refuses: PAGE_REFUSED']],
    ['/notes.txt', { type: 'text/plain', body: 'The capstan never turns.' }, ['/notes.txt']],
    [
      '/manual.pdf',
      { type: 'application/pdf', body: buildPdf([[{ text: 'The windlass turns twice.', y: 700 }]]) },
      ['/manual.pdf'],
    ],
  ];

  it('makes pages of what has a text, and of what redirects or names a canonical URL its target', async () => {
    const site = (await fixture().siteOf()).sitemap(kinds.map(([path]) => path));
    for (const [path, resource, , others = {}] of kinds)
      for (const [url, served] of Object.entries({ ...others, [path]: resource })) site.set(url, served);
    const added = await fixture().crawl({ sitemap: site.url('/sitemap.xml'), render: 'never' });
    const states = Object.entries(await added.states());
    expect(
      states.map(([path, state]) => (state === 'synched' ? path : `${path}: ${state}`)).toSorted(),
    ).toEqual(kinds.flatMap(([, , pages]) => pages).toSorted());
    expect(await added.message()).toMatch(/^4 pages could not be ingested; 13 pages answer\.$/);
    expect((await added.find('How often does the windlass turn?'))[0]).toBe('/manual.pdf');
    expect((await added.find('capstan'))[0]).toBe('/notes.txt');
  });

  it('cites a section of a page, which belongs to the group of the site', async () => {
    const site = (await fixture().siteOf(['a', 'b'])).sitemap(['/a', '/b']);
    const added = await fixture().crawl({ source_url: site.url('/') });
    const filters = { datasource_ids: [added.id] };
    const [hit] = await fixture().tenant.search(added.datastoreId, 'tells of b', { filters });
    const page = await added.page('/b');
    const expected = [site.url('/b#overview'), page.id, added.id];
    expect([hit?.source, hit?.datasource_id, page.groupId]).toEqual(expected);
  });

  it('says why a site has no page', async () => {
    const site = await fixture().siteOf(['docs/a']);
    const disallowed = await fixture().siteOf(['a']);
    disallowed.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /' });
    site
      .set('/feed', { type: 'application/rss+xml', body: '<rss version="2.0"><channel></channel></rss>' })
      .set('/foreign.xml', { type: XML, body: sitemapOf(['https://other.example/']) })
      .set('/', { body: article('start', { links: ['/docs/a'] }) })
      .set('/noindex', { body: article('noindex', { head: NOINDEX }) })
      .set('/app', { body: '<div id="root"></div><script>root.innerText = "text"</script>' });
    for (const [config, code, message] of [
      [{ source_url: site.url('/feed') }, 'SITE_EMPTY', /\/feed is a sitemap or a feed, not a page/],
      [{ source_url: site.url('/'), include: ['docs/'] }, 'SITE_EMPTY', /left out by include and exclude/],
      [{ sitemap: site.url('/foreign.xml') }, 'SITE_EMPTY', /lists no address of the site/],
      [{ source_url: site.url('/noindex') }, 'SITE_EMPTY', /ask not to be indexed/],
      [{ source_url: site.url('/app'), render: 'never' }, 'SITE_EMPTY', /Set render to auto/],
      [{ source_url: site.url('/missing') }, 'SITE_FAILED', /None of its pages could be ingested \(1\)/],
      [{ source_url: disallowed.url('/a') }, 'SITE_FAILED', /None of its pages could be ingested \(1\)/],
    ] as const) {
      const { status, error } = await (await fixture().crawl(config)).view();
      expect([JSON.stringify(config), [status, error?.code]]).toEqual([
        JSON.stringify(config),
        ['error', code],
      ]);
      expect(error?.message ?? '').toMatch(message);
    }
    expect(disallowed.countOf('/a')).toBe(0);
  });

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
