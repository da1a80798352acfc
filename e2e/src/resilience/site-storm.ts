import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { article, TestSite } from '../web-sites/test-site.js';
import type { ApiClient } from './api.client.js';
import { untilSettled } from './ingestion.js';
import { type Engines, type Inventory, takeInventory } from './inventory.js';
import type { SeededRandom } from './seeded-random.js';
import { waitUntil } from './wait-until.js';

/** Of the deployments that crawl in these tests. */
export const CRAWLING = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  CRAWL_DELAY_MS: '0',
  CRAWL_CONCURRENCY_PER_HOST: '4',
};
const CONCURRENCY = Number(CRAWLING.CRAWL_CONCURRENCY_PER_HOST);
const ANSWER_MS = 50;

/** Kills the crawler once, and brings it back. */
export type Death = (site: TestSite) => Promise<void>;

export interface SiteStormOptions {
  readonly client: ApiClient;
  readonly engines: () => Promise<Engines>;
  readonly pages: number;
  /** One after the other, once the crawl was asked for. */
  readonly deaths: readonly Death[];
  readonly print: (line: string) => void;
}

/**
 * Crawls a site once in peace and once while the crawler dies, and asserts that both brought in the same pages, that
 * nothing is left over, and that a death cost no more fetches than were under way.
 */
export async function compareCrawlWithDeaths(options: SiteStormOptions): Promise<Inventory> {
  const { client, pages, deaths, print } = options;
  const site = await siteOf(pages);
  try {
    const calmStarted = performance.now();
    const expected = await crawl(client, site, []);
    print(
      `undisturbed: ${expected.size} pages in ${seconds(calmStarted)} s, ${site.pageRequests.length} fetches`,
    );
    assert.deepEqual([expected.size, site.pageRequests.length], [pages, pages + STUBS]);

    site.forgetRequests();
    const stormStarted = performance.now();
    assert.deepEqual(await crawl(client, site, deaths), expected);
    const fetches = site.pageRequests.length;
    const others = site.requests.length - fetches;
    print(
      `${deaths.length} deaths: the same pages in ${seconds(stormStarted)} s, ${fetches} fetches, and ${others} of robots.txt and sitemaps`,
    );
    assert.ok(fetches <= pages + STUBS + deaths.length * CONCURRENCY, `${fetches} fetches`);
  } finally {
    await site.stop();
  }
  const inventory = await takeInventory(await options.engines());
  print(`inventory: ${JSON.stringify(inventory)}`);
  assert.deepEqual(inventory.problems, []);
  return inventory;
}

/** Deaths at random moments of the fetching: each waits until pages are asked for again. */
export function deathsAtRandom(
  kills: number,
  random: SeededRandom,
  pauseMs: readonly [least: number, most: number],
  die: () => Promise<void>,
): Death[] {
  return Array.from({ length: kills }, () => async (site: TestSite) => {
    const seen = site.pageRequests.length;
    await waitUntil('pages are asked for', async () => (site.pageRequests.length > seen ? true : null), {
      everyMs: 5,
    });
    await sleep(random.between(...pauseMs));
    await die();
  });
}

/** URLs that only redirect to pages. */
const STUBS = 5;

/** A tree of links; some of its branches are led to by redirects, too. */
async function siteOf(pages: number): Promise<TestSite> {
  const site = await TestSite.start();
  for (let n = 0; n < pages; n += 1) {
    const next = [3 * n + 1, 3 * n + 2, 3 * n + 3].filter((one) => one < pages).map((one) => `/page/${one}`);
    const stub = n < STUBS ? [`/stub/${n}`] : [];
    site.set(`/page/${n}`, { body: article(`number ${n}`, { links: [...next, ...stub] }) });
    if (n < STUBS) site.set(`/stub/${n}`, { status: 301, headers: { location: `/page/${n}` } });
  }
  site.delayMs = ANSWER_MS;
  return site;
}

/** @returns status of each page by address */
async function crawl(
  client: ApiClient,
  site: TestSite,
  deaths: readonly Death[],
): Promise<Map<string, string>> {
  const datastoreId = await client.createDatastore('site');
  const { id } = await client.createWebSite(datastoreId, { source_url: site.url('/page/0') });
  for (const die of deaths) await die(site);
  const [settled] = await untilSettled(client, datastoreId, 300_000);
  assert.deepEqual([settled?.status, settled?.error], ['synched', null]);
  const pages = await client.datasources(datastoreId, id);
  return new Map(pages.map(({ name, status }) => [name, status] as const).toSorted());
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
