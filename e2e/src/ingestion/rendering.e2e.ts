import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import { chromiumForTests } from '@citewell/testing';
import { isWhole } from '@citewell/testing/extent';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { until } from '../client/tenant.js';
import { descendantsOf } from '../deployments/processes.js';
import { BERTHS, HOURS, NOTES } from './rendering/harbour-site.js';
import { renderingFixture } from './rendering/rendering-fixture.js';

const describeWithChromium = (await chromiumForTests()) === null ? describe.skip : describe;

/** The number of browser processes that these processes have started. */
async function browsersOf(crawlers: readonly number[]): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folder = new RegExp(`citewell-browser-\\w+-(?:${crawlers.join('|')})-`);
  const all = await Promise.all(pids.map((id) => readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')));
  return all.filter((environment) => folder.test(environment)).length;
}

describe('rendering', () => {
  describeWithChromium('rendered pages', () => {
    const fixture = renderingFixture();

    async function page(path: string, config: object = {}): Promise<{ store: string; page: Datasource }> {
      const { id: store } = await fixture().tenant.datastore();
      return { store, page: await fixture().page(store, path, config) };
    }

    it('are indexed and answer a question', async () => {
      const { site, tenant } = fixture();
      const { store, page: pilots } = await page('/pilots');
      expect(pilots).toMatchObject({ status: 'synched' });
      const [found] = await tenant.search(store, 'Where do the pilots of Ystad board ships?');
      expect(found?.text ?? '').toMatch(/two miles off the mole/);
      expect(found?.text ?? '').not.toMatch(/JavaScript/);
      const { id: agent } = await tenant.agent({ datastoreIds: [store] });
      expect((await tenant.ask(agent, 'Where do the pilots board ships?')).answer).toMatch(/two miles/);
      expect(site.requested.filter((url) => /png|mp4/.test(url))).toEqual([]);
      // The browser gets the bytes that were fetched.
      expect(site.requested.filter((url) => url === '/pilots')).toEqual(['/pilots']);
    });

    it('follow redirects by script, but not into a private network', async () => {
      const [moved, away] = await Promise.all([page('/moved'), page('/away')]);
      expect(moved.page).toMatchObject({ status: 'synched' });
      expect(await fixture().tenant.search(moved.store, 'pilots')).not.toEqual([]);
      expect([away.page.status, away.page.error?.code]).toEqual(['error', 'ADDRESS_BLOCKED']);
    });

    it('are not rendered with `never`, and are indexed without a browser if they have some text', async () => {
      const [never, some] = await Promise.all([page('/pilots', { render: 'never' }), page('/some')]);
      expect(never.page.error?.code).toBe('EMPTY_DOCUMENT');
      expect(some.page).toMatchObject({ status: 'synched' });
    });

    it('are part of web sites, and their links are followed', async () => {
      const { tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const created = await fixture().add(store, 'web_site', '/');
      const crawled = await tenant.waitUntilFinished(created.id);
      expect(crawled).toMatchObject({ status: 'synched' });
      await until(async () => {
        const [found] = await tenant.search(store, 'How much does the strongest tug pull?');
        return /sixty tonnes/.test(found?.text ?? '');
      }, 'the page that only the rendered one links to');
      const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
      expect(pilots?.text ?? '').toMatch(/two miles off the mole/);
    });

    it('are those to which rendering adds text; the others keep their validators', async () => {
      const { site, tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const created = await fixture().add(store, 'web_site', '/mixed');
      const crawled = await tenant.waitUntilFinished(created.id);
      expect([crawled.status, crawled.error, crawled.stats.pages]).toEqual(['synched', null, 14]);
      const [berth] = await tenant.search(store, `Which boats does the berth at ${BERTHS[5]} take?`);
      expect(berth?.text ?? '').toMatch(/draught of two metres/);
      expect(site.requested.filter((url) => url === '/notes.js').length).toBeLessThan(NOTES.length);
      await tenant.api.post(`/datasources/${created.id}/sync`);
      expect(await tenant.waitUntilFinished(created.id)).toMatchObject({ status: 'synched' });
      // The first note keeps the menu that its script has added.
      expect(site.unchanged.length).toBeGreaterThanOrEqual(NOTES.length - 1);
    });

    it('leave no browser behind when the service stops', async () => {
      const { tenant, deployment } = fixture();
      const { standalone } = deployment.processes;
      assert.ok(standalone);
      const { id: store } = await tenant.datastore();
      await fixture().add(store, 'web_page', '/slow');
      let processes: number[] = [];
      await until(async () => {
        processes = await descendantsOf(standalone.pid);
        return (await browsersOf(processes)) > 0;
      }, 'the browser');
      expect(await standalone.stop()).toBe(0);
      expect(await browsersOf(processes)).toBe(0);
    });
  });

  (isWhole() ? describeWithChromium : describe.skip)('pages that exceed the limits of rendering', () => {
    const fixture = renderingFixture(() => ({ RENDER_TIMEOUT_MS: '7000' }));

    it('fail, and do not stop others', async () => {
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
      expect(await errorOf(loop.id)).toBe('PARSE_TIMEOUT');
      expect(await errorOf(memory.id)).toBe('PARSE_MEMORY');
    });
  });

  describeWithChromium('a crawl that has used up its time in the browser', () => {
    const fixture = renderingFixture(() => ({
      RENDER_MS_PER_CRAWL: '1000',
      CRAWL_CONCURRENCY_PER_HOST: '1',
    }));

    it('says so, leaves out pages without text, and keeps pages that answer', async () => {
      const { tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const created = await fixture().add(store, 'web_site', '/hours');
      for (const time of ['crawl', 'sync']) {
        if (time === 'sync') await tenant.api.post(`/datasources/${created.id}/sync`);
        const { status, error, stats } = await tenant.waitUntilFinished(created.id);
        expect([time, status, error?.code, stats.pages]).toEqual([time, 'synched', 'PARTIAL', 2]);
        expect(error?.message).toMatch(/^Some pages were not opened in a browser.*RENDER_MS_PER_CRAWL/);
        const skipped = await tenant.api.get(`/datasources/${created.id}/urls?outcome=skipped`);
        expect(skipped.as(z.array(z.object({ reason: z.string() }))).map(({ reason }) => reason)).toEqual(
          HOURS.slice(1).map(() => 'NOT_RENDERED'),
        );
      }
    });
  });

  describeWithChromium('a deployment behind a proxy', () => {
    const fixture = renderingFixture((site) => ({ ALLOW_PRIVATE_NETWORKS: '', HTTP_PROXY: site.origin }));

    it('fetches and renders pages through the proxy, except private addresses', async () => {
      const { site, tenant } = fixture();
      const { id: store } = await tenant.datastore();
      const outcome = async (address: string): Promise<string> => {
        const { status, error } = await fixture().page(store, address);
        return error?.code ?? status;
      };
      expect(await outcome('http://harbour.invalid/tides')).toBe('synched');
      expect(await outcome('http://harbour.invalid/pilots')).toBe('synched');
      const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
      expect(pilots?.text ?? '').toMatch(/two miles off the mole/);
      expect(site.requested).toContain('http://harbour.invalid/api/pilots');
      const before = site.requested.length;
      expect(await outcome('http://10.0.0.1/')).toBe('ADDRESS_BLOCKED');
      expect(site.requested).toHaveLength(before);
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
      expect(outcomes).toEqual([
        ['error', 'RENDER_UNAVAILABLE'],
        ['error', 'RENDER_UNAVAILABLE'],
        ['synched', null],
        ['synched', null],
      ]);
    });
  });
});
