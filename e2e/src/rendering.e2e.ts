import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Datasource } from '@citewell/contracts/http';
import { chromiumForTests } from '@citewell/testing';
import { until } from './client/tenant.js';
import { playInHarbour } from './rendering/play.js';

const chromium = await chromiumForTests();
const skip = chromium === null ? 'there is no Chromium: apt-get install chromium' : false;

/** Processes of browsers that the given process has started, or that what it started has started. */
async function browsersOf(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folder = new RegExp(`citewell-browser-\\w+-${pid}-`);
  const all = await Promise.all(
    pids.map((one) => readFile(`/proc/${one}/environ`, 'latin1').catch(() => '')),
  );
  return all.filter((environment) => folder.test(environment)).length;
}

// Two at a time: much of it is waiting, for a silence or for the end of a time.
describe('rendering', { concurrency: 2 }, () => {
  describe('pages that need a browser', { skip, concurrency: 1 }, () => {
    const play = playInHarbour();

    async function page(path: string, config: object = {}): Promise<{ store: string; page: Datasource }> {
      const { id: store } = await play().tenant.datastore();
      return { store, page: await play().page(store, path, config) };
    }

    it('are rendered, indexed, and answer a question', async () => {
      const { site, tenant } = play();
      const { store, page: pilots } = await page('/pilots');
      assert.equal(pilots.status, 'synched', JSON.stringify(pilots.error));
      const [found] = await tenant.search(store, 'Where do the pilots of Ystad board ships?');
      assert.match(found?.text ?? '', /two miles off the mole/);
      assert.doesNotMatch(found?.text ?? '', /JavaScript/);
      const { id: agent } = await tenant.agent({ datastoreIds: [store] });
      assert.match((await tenant.ask(agent, 'Where do the pilots board ships?')).answer, /two miles/);
      assert.deepEqual(
        site.asked.filter((url) => /png|mp4/.test(url)),
        [],
      );
      // The page itself was fetched once: the browser was given what had come.
      assert.deepEqual(
        site.asked.filter((url) => url === '/pilots'),
        ['/pilots'],
      );
    });

    it('follow a redirect by script, but not into a private network', async () => {
      const [moved, away] = await Promise.all([page('/moved'), page('/away')]);
      assert.equal(moved.page.status, 'synched', JSON.stringify(moved.page.error));
      assert.equal((await play().tenant.search(moved.store, 'pilots')).length > 0, true);
      assert.deepEqual([away.page.status, away.page.error?.code], ['error', 'ADDRESS_BLOCKED']);
    });

    it('are left as they are with `never`, and used as far as they go where there is some text', async () => {
      const [never, some] = await Promise.all([page('/pilots', { render: 'never' }), page('/some')]);
      assert.equal(never.page.error?.code, 'EMPTY_DOCUMENT');
      assert.equal(some.page.status, 'synched', JSON.stringify(some.page.error));
    });

    it('are found among others in a site, and their links are followed', async () => {
      const { tenant } = play();
      const { id: store } = await tenant.datastore();
      const created = await play().add(store, 'web_site', '/');
      const crawled = await tenant.waitUntilFinished(created.id);
      assert.equal(crawled.status, 'synched', JSON.stringify(crawled.error));
      await until(async () => {
        const [found] = await tenant.search(store, 'How much does the strongest tug pull?');
        return /sixty tonnes/.test(found?.text ?? '');
      }, 'the page that only the rendered one links to');
      const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
      assert.match(pilots?.text ?? '', /two miles off the mole/);
    });

    it('take their browser with them when the service stops', async () => {
      const { tenant, deployment } = play();
      const { standalone } = deployment.processes;
      assert.ok(standalone);
      const { id: store } = await tenant.datastore();
      await play().add(store, 'web_page', '/slow');
      await until(async () => (await browsersOf(standalone.pid)) > 0, 'the browser');
      assert.equal(await standalone.stop(), 0);
      assert.equal(await browsersOf(standalone.pid), 0);
    });
  });

  describe('pages that need too much of a browser', { skip, concurrency: 1 }, () => {
    const play = playInHarbour(() => ({ RENDER_TIMEOUT_MS: '7000' }));

    it('end within their limits, and others go on', { timeout: 120_000 }, async () => {
      const { tenant } = play();
      const { id: store } = await tenant.datastore();
      const loop = await play().add(store, 'web_page', '/loop');
      const memory = await play().add(store, 'web_page', '/memory');
      const good = await play().add(store, 'web_page', '/buoys');
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
    const play = playInHarbour((site) => ({ ALLOW_PRIVATE_NETWORKS: '', HTTP_PROXY: site.origin }));

    it('fetches and renders pages through it, and asks it for nothing private', async () => {
      const { site, tenant } = play();
      const { id: store } = await tenant.datastore();
      const outcome = async (address: string): Promise<string> => {
        const { status, error } = await play().page(store, address);
        return error?.code ?? status;
      };
      assert.equal(await outcome('http://harbour.invalid/tides'), 'synched');
      assert.equal(await outcome('http://harbour.invalid/pilots'), 'synched');
      const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
      assert.match(pilots?.text ?? '', /two miles off the mole/);
      assert.ok(site.asked.includes('http://harbour.invalid/api/pilots'), String(site.asked));
      const asked = site.asked.length;
      assert.equal(await outcome('http://10.0.0.1/'), 'ADDRESS_BLOCKED');
      assert.equal(site.asked.length, asked);
    });
  });

  describe('a deployment without a browser', () => {
    const play = playInHarbour(() => ({ CHROMIUM_PATH: '/nowhere/chromium' }));

    it('says of a page that it needs one, and uses what text there is', async () => {
      const { id: store } = await play().tenant.datastore();
      const outcomes = [];
      for (const [path, render] of [
        ['/pilots', 'auto'],
        ['/tides', 'always'],
        ['/some', 'auto'],
        ['/tides', 'auto'],
      ] as const) {
        const { status, error } = await play().page(store, path, { render });
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
