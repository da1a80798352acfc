import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Datasource } from '@citewell/contracts/http';
import { chromiumForTests } from '@citewell/testing';
import { until } from './client/tenant.js';
import { renderingFixture } from './rendering/rendering-fixture.js';

const chromium = await chromiumForTests();
const skip = chromium === null ? 'Chromium is not installed: apt-get install chromium' : false;

/** The number of browser processes below a process. */
async function browsersOf(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folder = new RegExp(`citewell-browser-\\w+-${pid}-`);
  const all = await Promise.all(pids.map((id) => readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')));
  return all.filter((environment) => folder.test(environment)).length;
}

// Two at a time: most of the time is spent waiting for network silence or timeouts.
describe('rendering', { concurrency: 2 }, () => {
  describe('rendered pages', { skip, concurrency: 1 }, () => {
    const fixture = renderingFixture();

    async function page(path: string, config: object = {}): Promise<{ store: string; page: Datasource }> {
      const { id: store } = await fixture().tenant.datastore();
      return { store, page: await fixture().page(store, path, config) };
    }

    it('are indexed and answer a question', async () => {
      const { site, tenant } = fixture();
      const { store, page: pilots } = await page('/pilots');
      assert.equal(pilots.status, 'synched', JSON.stringify(pilots.error));
      const [found] = await tenant.search(store, 'Where do the pilots of Ystad board ships?');
      assert.match(found?.text ?? '', /two miles off the mole/);
      assert.doesNotMatch(found?.text ?? '', /JavaScript/);
      const { id: agent } = await tenant.agent({ datastoreIds: [store] });
      assert.match((await tenant.ask(agent, 'Where do the pilots board ships?')).answer, /two miles/);
      assert.deepEqual(
        site.requested.filter((url) => /png|mp4/.test(url)),
        [],
      );
      // The browser gets the bytes that were fetched.
      assert.deepEqual(
        site.requested.filter((url) => url === '/pilots'),
        ['/pilots'],
      );
    });

    it('follow redirects by script, but not into a private network', async () => {
      const [moved, away] = await Promise.all([page('/moved'), page('/away')]);
      assert.equal(moved.page.status, 'synched', JSON.stringify(moved.page.error));
      assert.equal((await fixture().tenant.search(moved.store, 'pilots')).length > 0, true);
      assert.deepEqual([away.page.status, away.page.error?.code], ['error', 'ADDRESS_BLOCKED']);
    });

    it('are not rendered with `never`, and are indexed without a browser if they have some text', async () => {
      const [never, some] = await Promise.all([page('/pilots', { render: 'never' }), page('/some')]);
      assert.equal(never.page.error?.code, 'EMPTY_DOCUMENT');
      assert.equal(some.page.status, 'synched', JSON.stringify(some.page.error));
    });

    it('are part of web sites, and their links are followed', async () => {
      const { tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const created = await fixture().add(store, 'web_site', '/');
      const crawled = await tenant.waitUntilFinished(created.id);
      assert.equal(crawled.status, 'synched', JSON.stringify(crawled.error));
      await until(async () => {
        const [found] = await tenant.search(store, 'How much does the strongest tug pull?');
        return /sixty tonnes/.test(found?.text ?? '');
      }, 'the page that only the rendered one links to');
      const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
      assert.match(pilots?.text ?? '', /two miles off the mole/);
    });

    it('leave no browser behind when the service stops', async () => {
      const { tenant, deployment } = fixture();
      const { standalone } = deployment.processes;
      assert.ok(standalone);
      const { id: store } = await tenant.datastore();
      await fixture().add(store, 'web_page', '/slow');
      await until(async () => (await browsersOf(standalone.pid)) > 0, 'the browser');
      assert.equal(await standalone.stop(), 0);
      assert.equal(await browsersOf(standalone.pid), 0);
    });
  });

  describe('pages that exceed the limits of rendering', { skip, concurrency: 1 }, () => {
    const fixture = renderingFixture(() => ({ RENDER_TIMEOUT_MS: '7000' }));

    it('fail, and do not stop others', { timeout: 120_000 }, async () => {
      const { tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const loop = await fixture().add(store, 'web_page', '/loop');
      const memory = await fixture().add(store, 'web_page', '/memory');
      const good = await fixture().add(store, 'web_page', '/buoys');
      await tenant.waitUntilSynched(good.id);
      const errorOf = (id: string): Promise<string> =>
        until(
          async () => {
            const { progress, error } = await tenant.datasource(id);
            return progress === null && error?.code;
          },
          'the page to fail',
          100_000,
        );
      assert.equal(await errorOf(loop.id), 'PARSE_TIMEOUT');
      assert.equal(await errorOf(memory.id), 'PARSE_MEMORY');
    });
  });

  describe('a deployment behind a proxy', { skip }, () => {
    const fixture = renderingFixture((site) => ({ ALLOW_PRIVATE_NETWORKS: '', HTTP_PROXY: site.origin }));

    it('fetches and renders pages through the proxy, except private addresses', async () => {
      const { site, tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const outcome = async (address: string): Promise<string> => {
        const { status, error } = await fixture().page(store, address);
        return error?.code ?? status;
      };
      assert.equal(await outcome('http://harbour.invalid/tides'), 'synched');
      assert.equal(await outcome('http://harbour.invalid/pilots'), 'synched');
      const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
      assert.match(pilots?.text ?? '', /two miles off the mole/);
      assert.ok(site.requested.includes('http://harbour.invalid/api/pilots'), String(site.requested));
      const before = site.requested.length;
      assert.equal(await outcome('http://10.0.0.1/'), 'ADDRESS_BLOCKED');
      assert.equal(site.requested.length, before);
    });
  });

  describe('a deployment without a browser', () => {
    const fixture = renderingFixture(() => ({ CHROMIUM_PATH: '/nowhere/chromium' }));

    it('fails pages that need a browser, and indexes pages that have some text', async () => {
      const { id: store } = await fixture().tenant.datastore();
      const outcomes = [];
      for (const [path, render] of [
        ['/pilots', 'auto'],
        ['/tides', 'always'],
        ['/some', 'auto'],
        ['/tides', 'auto'],
      ] as const) {
        const { status, error } = await fixture().page(store, path, { render });
        outcomes.push([status, error?.code ?? null]);
      }
      assert.deepEqual(outcomes, [
        ['error', 'RENDER_UNAVAILABLE'],
        ['error', 'RENDER_UNAVAILABLE'],
        ['synched', null],
        ['synched', null],
      ]);
    });
  });
});
