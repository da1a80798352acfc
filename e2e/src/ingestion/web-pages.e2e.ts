import { datasourceSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { siteFixture } from './web-sites/site-fixture.js';
import { article, pageOf, redirectTo } from './web-sites/test-site.js';

describe('web pages', () => {
  const fixture = siteFixture();

  const page = async (url: string) => {
    const { id: datastoreId } = await fixture().tenant.datastore();
    const body = { type: 'web_page', datastoreId, config: { source_url: url } };
    const { id } = (await fixture().tenant.api.post('/datasources', body)).as(datasourceSchema.strict());
    await fixture().tenant.waitUntilFinished(id);
    return {
      id,
      datastoreId,
      view: () => fixture().tenant.datasource(id),
      sync: async () => {
        (await fixture().tenant.api.post(`/datasources/${id}/sync`)).assertOk();
        return fixture().tenant.waitUntilFinished(id);
      },
    };
  };

  it('fail with NOT_A_PAGE if they are sitemaps or feeds', async () => {
    const site = await fixture().siteOf(['a']);
    site
      .sitemap(['/a'])
      .set('/feed', { type: 'text/html', body: '<rss version="2.0"><channel></channel></rss>' });
    for (const path of ['/sitemap.xml', '/feed']) {
      const { status, error } = await (await page(site.url(path))).view();
      expect([status, error?.code]).toEqual(['error', 'NOT_A_PAGE']);
      expect(error?.message ?? '').toMatch(/as a web site/);
    }
  });

  it('cost one conditional request if nothing has changed, also behind a redirect', async () => {
    const site = await fixture().siteOf(['a']);
    site.set('/moved', { status: 302, headers: { location: '/a' } });
    for (const path of ['/a', '/moved']) {
      const added = await page(site.url(path));
      site.forgetRequests();
      await fixture().embedded();
      const { status, revision } = await added.sync();
      expect([status, revision]).toEqual(['synched', 1]);
      expect(site.pageRequests.map((request) => `${request.path} ${request.status}`)).toEqual(
        path === '/a' ? ['/a 304'] : ['/moved 302', '/a 304'],
      );
      expect(await fixture().embedded()).toEqual([]);
    }
  });

  it('are fetched anew and renamed when their address changes, unless they have a name of their own', async () => {
    const site = await fixture().siteOf(['b']);
    const headers = { etag: '"1"' };
    site
      .set('/a', { body: article('granite'), headers, validator: false })
      .set('/b', { body: article('chalk'), headers, validator: false });
    const added = await page(site.url('/a'));
    const config = { source_url: site.url('/b') };
    (await fixture().tenant.api.patch(`/datasources/${added.id}`, { config })).assertOk();
    expect((await added.sync()).revision).toBe(2);
    expect((await fixture().tenant.search(added.datastoreId, 'chalk'))[0]?.text ?? '').toMatch(/chalk/);
    const named = async (body: object): Promise<string> =>
      (await fixture().tenant.api.patch(`/datasources/${added.id}`, body)).as(datasourceSchema.strict()).name;
    expect((await fixture().tenant.datasource(added.id)).name).toBe(site.url('/b'));
    expect(await named({ name: 'Chalk' })).toBe('Chalk');
    expect(await named({ config: { source_url: site.url('/a') } })).toBe('Chalk');
  });

  it('stop answering when they are gone, and keep their content when they fail', async () => {
    const site = await fixture().siteOf(['a']);
    const added = await page(site.url('/a'));
    site.set('/a', { status: 403 });
    const refused = await added.sync();
    expect([refused.status, refused.error?.code, refused.revision]).toEqual(['error', 'PAGE_REFUSED', 1]);
    expect((await fixture().tenant.search(added.datastoreId, 'plain words')).length).toBeGreaterThan(0);
    site.set('/a', { status: 410 });
    const gone = await added.sync();
    expect([gone.status, gone.error?.code, gone.revision]).toEqual(['error', 'PAGE_GONE', 0]);
    expect(await fixture().tenant.search(added.datastoreId, 'plain words')).toEqual([]);
    site.set('/a', { body: article('a') });
    expect((await added.sync()).status).toBe('synched');
    expect((await fixture().tenant.search(added.datastoreId, 'plain words')).length).toBeGreaterThan(0);
  });

  it('obey noindex in the page and in headers, also with 304', async () => {
    const site = await fixture().siteOf(['later']);
    const head = '<meta name="robots" content="noindex">';
    const tagged = { 'x-robots-tag': 'noindex' };
    site
      .set('/meta', { body: article('meta', { head }) })
      .set('/header', { body: article('header'), headers: tagged })
      .set('/file.txt', { type: 'text/plain', body: 'A plain file.', headers: tagged });
    for (const path of ['/meta', '/header', '/file.txt']) {
      const { status, error } = await (await page(site.url(path))).view();
      expect([path, [status, error?.code]]).toEqual([path, ['error', 'NOINDEX']]);
    }
    const added = await page(site.url('/later'));
    expect(await fixture().tenant.search(added.datastoreId, 'plain words')).toHaveLength(1);
    site.set('/later', { body: article('later'), headers: tagged });
    expect((await added.sync()).error?.code).toBe('NOINDEX');
    expect(site.requests.at(-1)?.status).toBe(304);
    expect(await fixture().tenant.search(added.datastoreId, 'plain words')).toEqual([]);
    site.set('/later', { body: article('later') });
    expect((await added.sync()).status).toBe('synched');
  });

  it('are read behind redirects that want a cookie', async () => {
    const site = await fixture().siteOf();
    site
      .set('/itself', (_count, path, { cookie }) =>
        cookie === 'a=1'
          ? { body: article('itself') }
          : { status: 302, headers: { location: path, 'set-cookie': 'a=1' } },
      )
      .set('/gate', { status: 302, headers: { location: '/paper', 'set-cookie': 'b=2; Path=/' } })
      .set('/paper', (_count, _path, { cookie }) =>
        cookie === 'b=2' ? { body: article('paper') } : { status: 403 },
      );
    for (const path of ['/itself', '/gate'])
      expect([path, (await (await page(site.url(path))).view()).status]).toEqual([path, 'synched']);
  });

  it('fail with PAGE_REFUSED after ten redirects, also in a circle', async () => {
    const site = await fixture().siteOf();
    site
      .set('/itself', redirectTo('/itself'))
      .set('/there', redirectTo('/back'))
      .set('/back', redirectTo('/there'))
      .set('/endless*', (_count, path) => redirectTo(`${path}x`));
    for (const path of ['/itself', '/there', '/endless']) {
      site.forgetRequests();
      const { status, error } = await (await page(site.url(path))).view();
      const requests = site.pageRequests.length;
      expect([path, status, error?.code, requests]).toEqual([path, 'error', 'PAGE_REFUSED', 11]);
    }
  });

  it('are read from the target of a meta refresh', async () => {
    const site = await fixture().siteOf(['here']);
    const refresh = (to: string): string => `<meta http-equiv="refresh" content="0; url=${to}">`;
    site
      .set('/old', { body: `<head>${refresh('/older')}</head><p>Moved.</p>` })
      .set('/older', { status: 302, headers: { location: '/here' } })
      .set('/long', {
        body: pageOf('Chalk', { One: 'Chalk is soft. '.repeat(30) }, { head: refresh('/here') }),
      })
      .set('/ring', { body: `<head>${refresh('/ring/two')}</head><p>One of a ring.</p>` })
      .set('/header', { body: '<p>Moved.</p>', headers: { refresh: '0; url=/here' } })
      .set('/ring/two', { body: `<head>${refresh('/ring')}</head><p>Two of a ring.</p>` });
    for (const [path, text] of [
      ['/old', 'tells of here'],
      ['/header', 'tells of here'],
      ['/long', 'Chalk is soft'],
      ['/ring', 'of a ring'],
    ] as const) {
      const added = await page(site.url(path));
      expect((await added.view()).status).toBe('synched');
      const [hit] = await fixture().tenant.search(added.datastoreId, text);
      expect(hit?.text.includes(text)).toBe(true);
    }
  });

  it('answer with the row of a long table, below two header rows', async () => {
    const site = await fixture().siteOf();
    const rows = Array.from({ length: 160 }, (_value, index) => {
      const cells = [`Town${index}`, 100 + index, 500 + index, 900 + index, 1300 + index];
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    });
    const head =
      '<tr><th rowspan="2">City</th><th colspan="2">Summer</th><th colspan="2">Winter</th></tr>' +
      '<tr><th>Adult</th><th>Child</th><th>Adult</th><th>Child</th></tr>';
    site.set('/rates', { body: `<h1>Rates</h1><table>${head}${rows.join('')}</table>` });
    const { datastoreId } = await page(site.url('/rates'));
    const { id: agent } = await fixture().tenant.agent({ datastoreIds: [datastoreId] });
    for (const town of ['Town88', 'Town3']) {
      const { answer } = await fixture().tenant.ask(agent, `What is the winter rate for a child in ${town}?`);
      const row = rows.find((one) => one.includes(`>${town}<`))?.match(/[A-Z]?\w+(?=<)/g) ?? [];
      const [first = ''] = answer.split('[2]');
      expect([town, first.includes('Winter Child'), first.includes(row.join(' | '))]).toEqual([
        town,
        true,
        true,
      ]);
    }
  });

  it('are cited at the nearest anchor, else at the first words of the passage', async () => {
    const site = await fixture().siteOf([]);
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
      const [found] = await fixture().tenant.search(datastoreId, question);
      expect(found?.source).toBe(site.url(source));
    }
  });

  it('obey robots.txt', async () => {
    const site = await fixture().siteOf(['a']);
    site.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /a' });
    const { status, error } = await (await page(site.url('/a'))).view();
    expect([status, error?.code]).toEqual(['error', 'ROBOTS_DISALLOWED']);
    expect(site.countOf('/a')).toBe(0);
  });
});
