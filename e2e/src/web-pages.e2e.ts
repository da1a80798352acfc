import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datasourceSchema } from '@citewell/contracts/http';
import { playWithSites } from './web-sites/play.js';
import { article, pageOf } from './web-sites/test-site.js';

describe('single web pages', () => {
  const play = playWithSites();

  const page = async (url: string) => {
    const { id: datastoreId } = await play().tenant.datastore();
    const body = { type: 'web_page', datastoreId, config: { source_url: url } };
    const { id } = (await play().tenant.api.post('/datasources', body)).as(datasourceSchema.strict());
    await play().tenant.waitUntilFinished(id);
    return {
      id,
      datastoreId,
      view: () => play().tenant.datasource(id),
      sync: async () => {
        (await play().tenant.api.post(`/datasources/${id}/sync`)).assertOk();
        return play().tenant.waitUntilFinished(id);
      },
    };
  };

  it('that are sitemaps or feeds say so', async () => {
    const site = await play().siteOf(['a']);
    site
      .sitemap(['/a'])
      .set('/feed', { type: 'text/html', body: '<rss version="2.0"><channel></channel></rss>' });
    for (const path of ['/sitemap.xml', '/feed']) {
      const { status, error } = await (await page(site.url(path))).view();
      assert.deepEqual([status, error?.code], ['error', 'NOT_A_PAGE']);
      assert.match(error?.message ?? '', /as a web site/);
    }
  });

  it('cost one conditional request where nothing has changed, also behind a redirect', async () => {
    const site = await play().siteOf(['a']);
    site.set('/moved', { status: 302, headers: { location: '/a' } });
    for (const path of ['/a', '/moved']) {
      const added = await page(site.url(path));
      site.forgetRequests();
      play().embedded();
      const { status, revision } = await added.sync();
      assert.deepEqual([status, revision], ['synched', 1]);
      assert.deepEqual(
        site.pageRequests.map(({ path: asked, status: answered }) => `${asked} ${answered}`),
        path === '/a' ? ['/a 304'] : ['/moved 302', '/a 304'],
      );
      assert.deepEqual(play().embedded(), []);
    }
  });

  it('ask without condition once their address is another, and are called by that, unless somebody has named them', async () => {
    const site = await play().siteOf(['b']);
    const headers = { etag: '"1"' };
    site
      .set('/a', { body: article('granite'), headers, validator: false })
      .set('/b', { body: article('chalk'), headers, validator: false });
    const added = await page(site.url('/a'));
    const config = { source_url: site.url('/b') };
    (await play().tenant.api.patch(`/datasources/${added.id}`, { config })).assertOk();
    assert.equal((await added.sync()).revision, 2);
    assert.match((await play().tenant.search(added.datastoreId, 'chalk'))[0]?.text ?? '', /chalk/);
    const named = async (body: object): Promise<string> =>
      (await play().tenant.api.patch(`/datasources/${added.id}`, body)).as(datasourceSchema.strict()).name;
    assert.equal((await play().tenant.datasource(added.id)).name, site.url('/b'));
    assert.equal(await named({ name: 'Chalk' }), 'Chalk');
    assert.equal(await named({ config: { source_url: site.url('/a') } }), 'Chalk');
  });

  it('that are gone stop answering; that fail keep what they had', async () => {
    const site = await play().siteOf(['a']);
    const added = await page(site.url('/a'));
    site.set('/a', { status: 403 });
    const refused = await added.sync();
    assert.deepEqual([refused.status, refused.error?.code, refused.revision], ['error', 'PAGE_REFUSED', 1]);
    assert.ok((await play().tenant.search(added.datastoreId, 'plain words')).length > 0);
    site.set('/a', { status: 410 });
    const gone = await added.sync();
    assert.deepEqual([gone.status, gone.error?.code, gone.revision], ['error', 'PAGE_GONE', 0]);
    assert.deepEqual(await play().tenant.search(added.datastoreId, 'plain words'), []);
    site.set('/a', { body: article('a') });
    assert.equal((await added.sync()).status, 'synched');
    assert.ok((await play().tenant.search(added.datastoreId, 'plain words')).length > 0);
  });

  it('obey noindex, of the page and of its server, also when that is new', async () => {
    const site = await play().siteOf(['later']);
    const head = '<meta name="robots" content="noindex">';
    const tagged = { 'x-robots-tag': 'noindex' };
    site
      .set('/meta', { body: article('meta', { head }) })
      .set('/header', { body: article('header'), headers: tagged })
      .set('/file.txt', { type: 'text/plain', body: 'A plain file.', headers: tagged });
    for (const path of ['/meta', '/header', '/file.txt']) {
      const { status, error } = await (await page(site.url(path))).view();
      assert.deepEqual([status, error?.code], ['error', 'NOINDEX'], path);
    }
    const added = await page(site.url('/later'));
    assert.equal((await play().tenant.search(added.datastoreId, 'plain words')).length, 1);
    site.set('/later', { body: article('later'), headers: tagged });
    assert.equal((await added.sync()).error?.code, 'NOINDEX');
    assert.equal(site.requests.at(-1)?.status, 304);
    assert.deepEqual(await play().tenant.search(added.datastoreId, 'plain words'), []);
    site.set('/later', { body: article('later') });
    assert.equal((await added.sync()).status, 'synched');
  });

  it('lie where a page leads that only refreshes to another one', async () => {
    const site = await play().siteOf(['here']);
    const refresh = (to: string): string => `<meta http-equiv="refresh" content="0; url=${to}">`;
    site
      .set('/old', { body: `<head>${refresh('/older')}</head><p>Moved.</p>` })
      .set('/older', { status: 302, headers: { location: '/here' } })
      .set('/long', {
        body: pageOf('Chalk', { One: 'Chalk is soft. '.repeat(30) }, { head: refresh('/here') }),
      })
      .set('/ring', { body: `<head>${refresh('/ring/two')}</head><p>One of a ring.</p>` })
      .set('/ring/two', { body: `<head>${refresh('/ring')}</head><p>Two of a ring.</p>` });
    for (const [path, text] of [
      ['/old', 'tells of here'],
      ['/long', 'Chalk is soft'],
      ['/ring', 'of a ring'],
    ] as const) {
      const added = await page(site.url(path));
      assert.equal((await added.view()).status, 'synched');
      const [hit] = await play().tenant.search(added.datastoreId, text);
      assert.ok(hit?.text.includes(text), path);
    }
  });

  it('are cited where the answer stands: at an anchor of their own, else at its first words', async () => {
    const site = await play().siteOf([]);
    const filling = 'Its keeper wrote down every ship that passed, and the weather of that night. '.repeat(
      30,
    );
    site
      .set('/lights', {
        body: `<!doctype html><title>Lights</title><main><h1>Lights</h1>
          <h2 id="the first">Cordouan</h2><p>The oldest one stands before the Gironde. ${filling}</p>
          <h2>Skerryvore</h2><p>Alan Stevenson built this well-known tower of granite. ${filling}</p></main>`,
      })
      .set('/notes', {
        type: 'text/plain',
        body: 'The tower of granite is not mentioned by this file at all.',
      });
    const words = ':~:text=Alan%20Stevenson%20built%20this%20well%2Dknown%20tower%20of';
    const builder = 'Who built the tower of granite?';
    for (const [address, question, source] of [
      ['/lights', builder, `/lights#${words}`],
      ['/lights#intro', builder, `/lights#intro${words}`],
      ['/lights#intro', 'Which one stands before the Gironde?', '/lights#the%20first'],
      ['/notes', builder, '/notes'],
    ] as const) {
      const { datastoreId } = await page(site.url(address));
      const [found] = await play().tenant.search(datastoreId, question);
      assert.equal(found?.source, site.url(source));
    }
  });

  it('obey robots.txt', async () => {
    const site = await play().siteOf(['a']);
    site.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /a' });
    const { status, error } = await (await page(site.url('/a'))).view();
    assert.deepEqual([status, error?.code], ['error', 'ROBOTS_DISALLOWED']);
    assert.equal(site.countOf('/a'), 0);
  });
});
