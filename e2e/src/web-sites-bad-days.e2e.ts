import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { playWithSites } from './web-sites/play.js';
import type { SiteOfTenant } from './web-sites/site-tenant.js';
import { article, type Resource, type TestSite } from './web-sites/test-site.js';

const NAMES = Array.from({ length: 20 }, (_, n) => `p${String(n).padStart(2, '0')}`);
const PATHS = NAMES.map((name) => `/${name}`);

/** A server answers 200, or with a redirect, and not with what the site says. */
describe('a web site on a bad day', () => {
  const play = playWithSites();

  async function listedSite(): Promise<{ site: TestSite; added: SiteOfTenant }> {
    const site = (await play().siteOf(NAMES)).sitemap(PATHS);
    return { site, added: await play().crawl({ source_url: site.url('/') }) };
  }

  async function linkedSite(): Promise<{ site: TestSite; added: SiteOfTenant }> {
    const site = (await play().siteOf(NAMES)).set('/', { body: article('start', { links: PATHS }) });
    return { site, added: await play().crawl({ source_url: site.url('/') }) };
  }

  const answerAll = (site: TestSite, answer: (path: string) => Resource): void => {
    for (const path of PATHS) site.set(path, answer(path));
  };
  const answerAsBefore = (site: TestSite): void =>
    answerAll(site, (path) => ({ body: article(path.slice(1)) }));
  const anHourPasses = async ({ id }: SiteOfTenant): Promise<void> => {
    await play().query(
      `UPDATE crawl_urls SET answered_since = answered_since - interval '1 hour',
              lost_since = lost_since - interval '1 hour'
        WHERE site_id = $1`,
      [id],
    );
  };
  const says = async (added: SiteOfTenant, name: string): Promise<boolean> =>
    (await added.find(`tells of ${name}`)).includes(`/${name}`);

  const notices: Record<string, (path: string) => Resource> = {
    'the same page': () => ({ body: article('maintenance') }),
    'the same text, written otherwise each time': (path) => ({
      body: article('maintenance').replace('<body', `<body data-at="${path}"`),
    }),
    'a notice that names the request': (path) => ({
      body: article('maintenance').replace(
        '</p>',
        ` You asked for ${path}. Your support ID is ${Date.now()}${path.slice(2)}.</p>`,
      ),
    }),
    'a redirect to a login': (path) => ({
      status: 302,
      headers: { location: `/login?next=${encodeURIComponent(path)}` },
    }),
    'a redirect to a login with a state of its own': (path) => ({
      status: 302,
      headers: { location: `/login?state=${Buffer.from(path).toString('base64url')}` },
    }),
    'a redirect to another host': () => ({ status: 302, headers: { location: 'https://sso.example/' } }),
    'a notice that asks not to be indexed': () => ({
      body: article('maintenance'),
      headers: { 'x-robots-tag': 'noindex' },
    }),
    nothing: () => ({ body: '' }),
  };
  for (const [what, notice] of Object.entries(notices))
    it(`that answers ${what} keeps what its pages say, but for one`, async () => {
      const { site, added } = await listedSite();
      site.set('/login*', { body: article('login') });
      answerAll(site, notice);
      const { error } = await added.sync();
      assert.ok(error?.code === 'PARTIAL' || error?.code === 'SITE_FAILED', error?.message);
      const states = await added.states();
      const kept = NAMES.filter((name) => states[`/${name}`] === 'FETCH_FAILED');
      assert.equal(kept.length, NAMES.length - 1, JSON.stringify(states));
      for (const name of kept) assert.ok(await says(added, name), name);
      answerAsBefore(site);
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), PATHS);
      for (const name of NAMES) assert.ok(await says(added, name), name);
    });

  it('is believed when it has lasted for an hour, and not because somebody asks again', async () => {
    const { site, added } = await listedSite();
    answerAll(site, () => ({ body: article('all that is left') }));
    for (let sync = 0; sync < 2; sync += 1) {
      assert.equal((await added.sync()).error?.code, 'PARTIAL');
      assert.deepEqual(await added.paths(), PATHS);
    }
    await anHourPasses(added);
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/p00']);
    assert.equal((await added.find('tells of all that is left'))[0], '/p00');
  });

  it('is none where a few pages become one: they go at once', async () => {
    const { site, added } = await listedSite();
    for (const path of PATHS.slice(1, 5)) site.set(path, { status: 301, headers: { location: '/p00' } });
    for (const path of PATHS.slice(5, 8)) site.set(path, { body: article('p05') });
    for (const path of PATHS.slice(8, 10)) site.set(path, { body: '' });
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/p00', '/p05', ...PATHS.slice(10)]);
  });

  it('keeps its pages where the start shows a notice, a login or nothing', async () => {
    for (const notice of [
      { body: article('a notice') },
      { status: 302, headers: { location: '/login' } },
      { body: '' },
    ]) {
      const { site, added } = await linkedSite();
      site.set('/login', { body: article('login') }).set('/', notice);
      assert.match((await added.sync()).error?.message ?? '', /Nothing leads to 20 pages any more/);
      for (const name of NAMES) assert.ok(await says(added, name), name);
      site.set('/', { body: article('start', { links: PATHS }) });
      assert.equal((await added.sync()).error, null);
      assert.deepEqual(await added.paths(), ['/', ...PATHS]);
      site.set('/', notice);
      await added.sync();
      await added.sync();
      assert.ok((await added.paths()).length >= 20, 'however often');
      await anHourPasses(added);
      await added.sync();
      assert.ok((await added.paths()).length <= 1, 'an hour later it is believed');
    }
  });

  it('keeps what nothing leads to for an hour, as far as it is still there, where that is a quarter of the site', async () => {
    const { site, added } = await linkedSite();
    const [section, rest] = [PATHS.slice(0, 12), PATHS.slice(12)];
    const hub = (body: string): TestSite => site.set('/hub', { body });
    hub(article('hub', { links: section }));
    const start = article('start', { links: ['/hub', ...rest] });
    site.set('/', { body: start });
    assert.equal((await added.sync()).error, null);
    hub(article('a notice'))
      .remove('/p00')
      .set('/p01', { status: 301, headers: { location: '/p12' } });
    site.set('/p02', { body: article('p02', { links: ['/new'] }) }).set('/new', { body: article('new') });
    const stays = ['/', '/hub', ...PATHS.slice(2)];
    for (let sync = 0; sync < 2; sync += 1) {
      assert.match((await added.sync()).error?.message ?? '', /Nothing leads to 10 pages any more/);
      assert.deepEqual(await added.paths(), stays);
    }
    site.set('/', { status: 403 });
    assert.match((await added.sync()).error?.message ?? '', /The page that the site starts with/);
    assert.deepEqual(await added.paths(), stays, 'a crawl that has not got to everything says nothing on it');
    site.set('/', { body: start });
    await anHourPasses(added);
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/', '/hub', ...rest]);
    hub(article('hub', { links: section.slice(2) }));
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/', '/hub', '/new', ...PATHS.slice(2)]);
  });

  it('believes of each page for itself that nothing leads to it any more', async () => {
    const { site, added } = await linkedSite();
    const leadTo = (paths: string[]): TestSite => site.set('/', { body: article('start', { links: paths }) });
    leadTo(PATHS.slice(10));
    assert.match((await added.sync()).error?.message ?? '', /Nothing leads to 10 pages any more/);
    await anHourPasses(added);
    leadTo([]);
    assert.match((await added.sync()).error?.message ?? '', /Nothing leads to 10 pages any more/);
    assert.deepEqual(await added.paths(), ['/', ...PATHS.slice(10)]);
    for (const path of PATHS.slice(10, 19)) site.remove(path);
    assert.match((await added.sync()).error?.message ?? '', /Nothing leads to 1 page any more/);
    site.remove('/p19');
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/']);
  });

  it('loses fewer pages that nothing leads to at once', async () => {
    const { site, added } = await linkedSite();
    site.set('/', { body: article('start', { links: PATHS.slice(9) }) });
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/', ...PATHS.slice(9)]);
  });

  it('keeps its pages in the first sync of a release that reads them otherwise, too', async () => {
    const { site, added } = await listedSite();
    const anotherRelease = (): Promise<unknown> =>
      play().query(`UPDATE runs SET fingerprint = 'of another release' WHERE group_id = $1`, [added.id]);
    await anotherRelease();
    answerAll(site, () => ({ body: article('maintenance') }));
    assert.equal((await added.sync()).error?.code, 'PARTIAL');
    for (const name of NAMES.slice(1)) assert.ok(await says(added, name), name);
    // The same text in each, and other bytes: these are pages, as they were.
    answerAll(site, (path) => ({ body: article('one').replace('<body', `<body data-at="${path}"`) }));
    await anHourPasses(added);
    await added.sync();
    await anHourPasses(added);
    assert.equal((await added.sync()).error, null);
    await anotherRelease();
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), PATHS);
  });

  it('loses at once what its configuration leaves out, and what a sitemap does that was not there before', async () => {
    const { site, added } = await linkedSite();
    site.sitemap(['/p00']);
    await added.configure({ source_url: site.url('/'), sitemap: site.url('/sitemap.xml') });
    assert.equal((await added.sync()).error, null);
    assert.deepEqual(await added.paths(), ['/p00']);
  });
});
