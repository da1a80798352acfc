import { gzipSync } from 'node:zlib';
import { chromiumForTests } from '@citewell/testing';
import { describe, expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import { siteFixture } from './web-sites/site-fixture.js';
import {
  article,
  canonical,
  redirectTo,
  type Resource,
  sitemapIndexOf,
  sitemapOf,
} from './web-sites/test-site.js';

const XML = 'application/xml';
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `p${String(n).padStart(2, '0')}`);
/** What articles answer whose path is their name. */
const articlesOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`/${name}`, name]));
const synched = (...paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.toSorted().map((path) => [path, 'synched']));

const NOINDEX = '<meta name="robots" content="noindex">';
const itWithChromium = (await chromiumForTests()) === null ? it.skip : it;

/** One test for each behaviour that users notice. Rows 3, 5 and 11 are in `web-sites-scaled.e2e.ts`. */
describe('web sites', () => {
  const fixture = siteFixture();

  it('row 1: discovers pages by sitemaps, robots.txt, feeds, text lists and links', async () => {
    const lists: Record<string, (page: string) => Resource> = {
      'sitemap.xml': (page) => ({ type: XML, body: sitemapOf([page]) }),
      'sitemap.xml.gz': (page) => ({ type: 'application/gzip', body: gzipSync(sitemapOf([page])) }),
      'relative.xml': (page) => ({ type: XML, body: sitemapOf([new URL(page).pathname]) }),
      'damaged.xml': (page) => ({ type: 'text/html', body: `\uFEFF \n${sitemapOf([page])}<oops><` }),
      'sitemap.txt': (page) => ({ type: 'text/plain', body: `${page}\n` }),
      'rss.xml': (page) => ({
        type: 'application/rss+xml',
        body: `<rss version="2.0"><channel><item><link>${page}</link></item></channel></rss>`,
      }),
      'atom.xml': (page) => ({
        type: 'application/atom+xml',
        body: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="${page}"/></entry></feed>`,
      }),
    };
    const names = Object.keys(lists);
    const site = await fixture().siteOf(['listed', ...names.map((name) => `of-${name}`)]);
    for (const [name, list] of Object.entries(lists))
      site.set(`/lists/${name}`, list(site.url(`/of-${name}`)));
    const index = sitemapIndexOf(names.map((name) => site.url(`/lists/${name}`)));
    site
      .set('/lists/index.xml', { type: XML, body: index })
      .set('/start', { body: article('start', { links: ['/linked'] }) })
      .set('/linked', { body: article('linked', { links: ['/start'] }) });
    const pathsOf = async (config: object): Promise<string[]> =>
      (await fixture().crawl({ ...config })).paths();
    const ofIndex = names.map((name) => `/of-${name}`).toSorted();
    const config = { source_url: site.url('/start') };

    expect(await pathsOf({ sitemap: site.url('/lists/index.xml') })).toEqual(ofIndex);
    expect(await pathsOf(config)).toEqual(['/linked', '/start']);
    site.sitemap(['/listed'], '/sitemap_index.xml');
    // /sitemap_index.xml.
    expect(await pathsOf(config)).toEqual(['/listed']);
    site.remove('/sitemap_index.xml').sitemap(['/listed']);
    // /sitemap.xml.
    expect(await pathsOf(config)).toEqual(['/listed']);
    site.set('/robots.txt', { type: 'text/plain', body: 'Sitemap: /lists/index.xml' });
    expect(await pathsOf(config)).toEqual(ofIndex);
  });

  it('row 2: include, exclude, maxPages, maxDepth, render and schedule bound the site', async () => {
    const site = await fixture().siteOf();
    site
      .set('/', { body: article('start', { links: ['/docs/a', '/docs/drafts/b', '/blog/c', '/script'] }) })
      .set('/docs/a', { body: article('a', { links: ['/docs/d'] }) })
      .set('/docs/d', { body: article('d', { links: ['/docs/e'] }) })
      .set('/script', {
        body: '<title>Script</title><div id="root"></div><script>root.innerText = 1</script>',
      });
    for (const path of ['/docs/drafts/b', '/blog/c', '/docs/e']) site.set(path, { body: article(path) });
    const config = { source_url: site.url('/'), render: 'never' };
    const added = await fixture().crawl(config);
    const all = ['/', '/blog/c', '/docs/a', '/docs/d', '/docs/drafts/b', '/docs/e'];
    // A page without text is not a page with `never`.
    expect(await added.paths()).toEqual(all);
    for (const [bound, expected, message] of [
      [{ include: ['/docs/**'] }, ['/docs/a', '/docs/d', '/docs/drafts/b', '/docs/e'], null],
      [{ include: ['/docs/**'], exclude: ['drafts/**'] }, ['/docs/a', '/docs/d', '/docs/e'], null],
      [{ maxDepth: 2, exclude: ['drafts/**'] }, ['/', '/blog/c', '/docs/a', '/docs/d'], null],
      [{ maxPages: 2 }, 2, 'The limit of 2 pages (maxPages) was reached.'],
    ] as const) {
      await added.configure({ ...config, include: null, exclude: null, maxDepth: null, ...bound });
      const { error } = await added.sync();
      expect(error?.message ?? null).toBe(message);
      const paths = await added.paths();
      if (typeof expected === 'number') expect(paths).toHaveLength(expected);
      else expect(paths).toEqual(expected);
    }

    await added.configure({ ...config, schedule: '*/1 * * * *' });
    await fixture().query(`UPDATE datasources SET next_sync_at = now() - interval '1 hour' WHERE id = $1`, [
      added.id,
    ]);
    await until(
      async () => (await added.runsOf(added.id)).some(({ trigger }) => trigger === 'schedule'),
      'the scheduled sync',
    );
    await added.finished();
  });

  it('row 4: a sync asks for each page once, and unchanged pages cost nothing else', async () => {
    const names = numbered(99);
    const site = await fixture().siteOf(names);
    let responses = 0;
    const differentBytes = (): Resource => ({
      body: article('same text', { head: `<meta name="generated" content="${(responses += 1)}">` }),
    });
    site
      .set('/p00', { body: article('p00'), validator: 'date' })
      .set('/p01', { body: article('p01'), validator: false })
      .set('/p02', differentBytes)
      .sitemap(names.map((name) => `/${name}`));
    const added = await fixture().crawl({ source_url: site.url('/') });
    const runCounts = await added.runCounts();
    site.forgetRequests();
    await fixture().embedded();
    const view = await added.sync();
    expect([view.status, view.error, view.revision]).toEqual(['synched', null, 2]);
    const statuses = Object.fromEntries(site.pageRequests.map(({ path, status }) => [path, status]));
    const expected = Object.fromEntries(names.map((name) => [`/${name}`, 304]));
    expect(statuses).toEqual({ ...expected, '/p01': 200, '/p02': 200 });
    expect(site.pageRequests).toHaveLength(names.length);
    // Nothing is parsed.
    expect(await added.runCounts()).toEqual(runCounts);
    // Nothing is embedded.
    expect(await fixture().embedded()).toEqual([]);
  });

  it('row 6: pages that are gone stop answering, pages that fail keep their content', async () => {
    const names = numbered(12);
    const site = (await fixture().siteOf(names)).sitemap(names.map((name) => `/${name}`));
    const added = await fixture().crawl({ source_url: site.url('/') });
    expect(await added.articles()).toEqual(articlesOf(names));
    site
      .set('/p00', { status: 404 })
      .set('/p01', { status: 410 })
      .set('/p02', { body: article('p02'), headers: { 'x-robots-tag': 'noindex' } })
      .set('/p03', redirectTo('https://other.example/'))
      .set('/p04', redirectTo('/p11'))
      .set('/p05', { status: 403 })
      .set('/p06', { status: 500, headers: { 'retry-after': '0' } });
    const { error } = await added.sync();
    expect(error?.message).toBe(
      '2 pages could not be ingested, 2 pages could not be updated; 7 pages answer.',
    );
    expect(await added.states()).toEqual({
      '/p00': 'PAGE_GONE',
      '/p01': 'PAGE_GONE',
      '/p05': 'PAGE_REFUSED',
      '/p06': 'FETCH_FAILED',
      ...synched(...names.slice(7).map((name) => `/${name}`)),
    });
    expect(await added.outcomes()).toMatchObject({
      '/p00': 'failed PAGE_GONE',
      '/p02': 'skipped NOINDEX',
      '/p03': 'redirect',
      '/p05': 'failed PAGE_REFUSED',
      '/p07': 'page',
    });
    expect(await added.outcomes('skipped')).toEqual({ '/p02': 'skipped NOINDEX' });
    expect(await added.articles()).toEqual(articlesOf(names.slice(5)));
    for (const name of names) site.set(`/${name}`, { body: article(name) });
    expect((await added.sync()).error).toBeNull();
    expect(await added.articles()).toEqual(articlesOf(names));
  });

  it('row 7: a site keeps its pages when its server has a bad day', async () => {
    const names = numbered(20);
    const paths = names.map((name) => `/${name}`);
    const site = await fixture().siteOf(names);
    const recover = (): unknown => {
      for (const name of names) site.set(`/${name}`, { body: article(name) });
      return site.remove('/').remove('/robots.txt').remove('/login*').sitemap(paths);
    };
    const answerAll = (answer: (path: string) => Resource): void => {
      for (const path of paths) site.set(path, answer(path));
    };
    recover();
    const added = await fixture().crawl({ source_url: site.url('/') });
    const notFound = (missing: number): RegExp =>
      new RegExp(
        `^${missing} of 20 pages were not found or are gone\\. They keep answering\\. .*removeMissing`,
      );
    const badDays: [name: string, message: RegExp, replaced: number, begin: () => unknown][] = [
      ['404 for every page', notFound(20), 0, () => answerAll(() => ({ status: 404 }))],
      [
        '404 for everything',
        /The sitemap .* does not exist/,
        0,
        () => {
          answerAll(() => ({ status: 404 }));
          site.remove('/sitemap.xml');
        },
      ],
      [
        '403 for everything',
        /^1 page could not be ingested; 20 pages answer\. The sitemap .* could not be read/,
        0,
        () => {
          for (const path of ['/', '/sitemap.xml', '/robots.txt', ...paths]) site.set(path, { status: 403 });
        },
      ],
      [
        'a redirect to a login page',
        notFound(19),
        1,
        () => {
          answerAll((path) => redirectTo(`/login?next=${path}`));
          site.set('/login*', { body: article('login') });
        },
      ],
      [
        'a redirect to another host',
        notFound(20),
        0,
        () => answerAll(() => redirectTo('https://sso.example/')),
      ],
      [
        'the same maintenance page',
        notFound(19),
        1,
        () => answerAll(() => ({ body: article('maintenance') })),
      ],
      [
        'noindex',
        notFound(20),
        0,
        () => answerAll(() => ({ body: article('maintenance'), headers: { 'x-robots-tag': 'noindex' } })),
      ],
      ['no text', notFound(20), 0, () => answerAll(() => ({ body: '' }))],
      [
        'an empty sitemap',
        notFound(20),
        0,
        () => site.sitemap([]).set('/', { body: article('a start without links') }),
      ],
      [
        'a sitemap that is the maintenance page',
        /The sitemap .* is not a sitemap/,
        0,
        () => site.set('/sitemap.xml', { body: article('maintenance') }),
      ],
    ];
    for (const [name, message, replaced, begin] of badDays) {
      begin();
      for (const day of [1, 2]) {
        const { status, error } = await added.sync();
        expect([name, [status, error?.code]]).toEqual([name, ['synched', 'PARTIAL']]);
        // The second day, a sitemap that is not there any more is believed.
        if (day === 1) expect([name, error?.message ?? '']).toEqual([name, expect.stringMatching(message)]);
        const answers = await added.articles();
        const others = names.filter((one) => answers[`/${one}`] !== one);
        expect({ name, day, others }).toEqual({
          name,
          day,
          others: Array(replaced).fill(expect.any(String)),
        });
      }
      recover();
      expect([name, (await added.sync()).error]).toEqual([name, null]);
      expect([name, await added.articles()]).toEqual([name, articlesOf(names)]);
    }

    const [left, shrunk] = [names.slice(0, 5), names.slice(5)];
    site.sitemap(left.map((name) => `/${name}`));
    expect((await added.sync()).error?.message ?? '').toMatch(notFound(shrunk.length));
    expect((await added.sync({ removeMissing: true })).error).toBeNull();
    expect(await added.articles()).toEqual(articlesOf(left));

    recover();
    expect((await added.sync()).error).toBeNull();
    site.sitemap(left.map((name) => `/${name}`)).delayMs = 100;
    site.forgetRequests();
    await added.requestSync();
    await until(async () => site.pageRequests.length > 0, 'the sync to be in progress');
    await added.requestSync({ removeMissing: true });
    // The run that follows removes the pages.
    expect((await added.finished()).error).toBeNull();
    expect(await added.articles()).toEqual(articlesOf(left));
    // The active run has not.
    expect((await added.runsOf(added.id))[1]?.error?.code).toBe('PARTIAL');

    const { tenant } = fixture();
    const file = await tenant.file((await tenant.datastore()).id, 'A plain file.', 'notes.txt');
    const refused = await tenant.api.post(`/datasources/${file.id}/sync`, { removeMissing: true });
    refused.assertError('INVALID_REQUEST', 'removeMissing');
  });

  it('row 8: pages with the same text are one datasource', async () => {
    const site = await fixture().siteOf([]);
    const namingItself = (path: string) => article('a', { head: canonical(site.url(path)) });
    site
      .set('/a', { body: namingItself('/a') })
      .set('/a-copy', { body: namingItself('/a-copy') })
      .set('/notes.txt', { type: 'text/plain', body: 'This page tells of notes, in a file.' })
      .set('/notes-copy.txt', { type: 'text/plain', body: 'This page tells of notes, in a file.' })
      .sitemap(['/a', '/notes.txt']);
    const added = await fixture().crawl({ source_url: site.url('/') });
    site.sitemap(['/a-copy', '/notes-copy.txt', '/a', '/notes.txt']);
    expect((await added.sync()).error).toBeNull();
    const owners = { '/a': 'a', '/notes.txt': 'notes' };
    // The address that had the text first.
    expect(await added.articles()).toEqual(owners);
    expect(await added.runCounts()).toEqual({ '/a': 1, '/notes.txt': 1 });
    site.remove('/a').set('/notes.txt', { type: 'text/plain', body: 'This page tells of files, by now.' });
    expect((await added.sync()).error).toBeNull();
    expect(await added.articles()).toEqual({
      '/a-copy': 'a',
      '/notes-copy.txt': 'notes',
      '/notes.txt': 'files',
    });
  });

  itWithChromium('row 9: pages that need JavaScript are rendered', async () => {
    const site = await fixture().siteOf(['plain', 'from-script']);
    const script = `root.innerHTML = '<main><h1>Tugs</h1><p>This page tells of tugs, at some length.</p>'
      + '<a href="/from-script">More</a></main>'`;
    site
      .set('/', { body: article('start', { links: ['/plain', '/script'] }) })
      .set('/script', { body: `<title>Tugs</title><div id="root"></div><script>${script}</script>` });
    const added = await fixture().crawl({ source_url: site.url('/') });
    expect((await added.view()).error).toBeNull();
    const rendered = { '/': 'start', '/from-script': 'from-script', '/plain': 'plain', '/script': 'tugs' };
    expect(await added.articles()).toEqual(rendered);
    const runCounts = await added.runCounts();
    expect((await added.sync()).error).toBeNull();
    // The same text ends a sync.
    expect(await added.runCounts()).toEqual(runCounts);
  });

  it('row 10: endless sites end, and say what was cut off', async () => {
    const next = (path: string): number => Number(/\d+$/.exec(path)?.[0]) + 1;
    const endless: [name: string, responder: (path: string) => Resource, message: RegExp | null][] = [
      [
        'pages',
        (path) => ({ body: article(path, { links: [`/n/${next(path)}`] }) }),
        /^The limit of 20 pages/,
      ],
      ['repeated segments', (path) => ({ body: article(path, { links: [`${path}/a`] }) }), null],
      [
        'addresses without pages',
        (path) => ({
          body: article(path, { head: NOINDEX, links: [`/n/${next(path)}`, `/n/${next(path)}0`] }),
        }),
        /^More than 200 addresses were found/,
      ],
      ['redirects', (path) => redirectTo(`/n/${next(path)}`), /^1 page could not be ingested/],
      [
        'filters',
        (path) => ({
          body: article(path, {
            links: Array.from({ length: 600 }, (_, n) => `/n?sort=${n}&from=${path.length}`),
            head: path === '/n/0' ? '' : NOINDEX,
          }),
        }),
        /More than 500 addresses differ from .*\/n\?sort=/,
      ],
      [
        'bytes',
        () => ({ body: gzipSync(Buffer.alloc(60 * 2 ** 20)), headers: { 'content-encoding': 'gzip' } }),
        /^1 page could not be ingested/,
      ],
    ];
    for (const [name, responder, message] of endless) {
      const site = await fixture().siteOf();
      site
        .set('/', { body: article('start', { links: ['/n/0'] }) })
        .set('/n*', (_count, path) => responder(path));
      const maxPages = name === 'filters' ? 100 : 20;
      const added = await fixture().crawl({ source_url: site.url('/'), maxPages });
      const { status, error } = await added.view();
      expect([name, [status, error?.code]]).toEqual([
        name,
        ['synched', message === null ? undefined : 'PARTIAL'],
      ]);
      if (message !== null)
        expect([name, error?.message ?? '']).toEqual([name, expect.stringMatching(message)]);
      expect(site.pageRequests.length).toBeLessThanOrEqual(10 * maxPages);
    }
  });

  it('row 12: no request reaches a private network', async () => {
    const forbidden = await fixture().siteOf(['page'], '127.0.0.2');
    forbidden.sitemap(['/page']);
    const site = await fixture().siteOf(['page']);
    const away = redirectTo(forbidden.url('/page'));
    site
      .set('/', { body: article('start', { links: ['/away', '/page', forbidden.url('/page')] }) })
      .set('/away', away)
      .set('/sitemap-away.xml', redirectTo(forbidden.url('/sitemap.xml')))
      .set('/robots.txt', { type: 'text/plain', body: `Sitemap: ${forbidden.url('/sitemap.xml')}` });
    for (const [config, code] of [
      [{ source_url: forbidden.url('/') }, 'ADDRESS_BLOCKED'],
      [{ sitemap: forbidden.url('/sitemap.xml') }, 'ADDRESS_BLOCKED'],
      [{ sitemap: site.url('/sitemap-away.xml') }, 'SITE_EMPTY'],
      [{ source_url: site.url('/away') }, 'SITE_FAILED'],
      [{ source_url: 'http://10.1.2.3/' }, 'ADDRESS_BLOCKED'],
      [{ source_url: site.url('/') }, undefined],
    ] as const) {
      const added = await fixture().crawl(config);
      expect([JSON.stringify(config), (await added.view()).error?.code]).toEqual([
        JSON.stringify(config),
        code,
      ]);
      if (code === undefined) expect(await added.articles()).toEqual({ '/': 'start', '/page': 'page' });
    }
    expect(forbidden.requests).toEqual([]);
  });

  it('stores the tables of pages, with types for their columns', async () => {
    const row = (cell: string, ...texts: string[]) =>
      `<tr>${texts.map((text) => `<${cell}>${text}</${cell}>`).join('')}</tr>`;
    const days = ['01', '02', '03', '04', '05', '06'];
    const rows = days.map((day) => row('td', `${day}.05.2026`, 'Brest', `1.2${day},50 €`));
    const table = `<table>${row('th', 'Tag', 'Hafen', 'Umsatz')}${rows.join('')}</table>`;
    const site = await fixture().siteOf();
    site.set('/harbour', { body: article('harbour').replace('</main>', `${table}</main>`) });
    const crawl = await fixture().crawl({ source_url: site.url('/harbour') });
    const [page] = await crawl.pages();
    const { api } = fixture().tenant;
    expect(JSON.parse((await api.get(`/datasources/${page?.id}/tables`)).text)).toMatchObject([
      { rows: 6, columns: [{ type: 'date' }, { type: 'text' }, { type: 'money', currency: 'EUR' }] },
    ]);
    const found = await api.post(`/datasources/${page?.id}/tables/1/rows`, {
      conditions: [{ column: 'Tag', within: [{ from: '2026-05-03' }] }],
    });
    expect(JSON.parse(found.text)).toMatchObject({ count: 4, figures: [{ sum: 4820 }] });
  });
});
