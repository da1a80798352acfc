import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import { article, TestSite } from '../../ingestion/web-sites/test-site.js';
import { type Tenant, until } from '../../client/tenant.js';
import { waitUntilFinished } from './ingestion.js';
import { takeInventory } from './inventory.js';
import type { SeededRandom } from './seeded-random.js';

/** Environment of the deployments in these tests. */
export const CRAWL_ENVIRONMENT = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  CRAWL_DELAY_MS: '0',
  CRAWL_CONCURRENCY_PER_HOST: '4',
};
const CONCURRENCY = Number(CRAWL_ENVIRONMENT.CRAWL_CONCURRENCY_PER_HOST);
/** A crawler has at most this many URLs that it has fetched and not yet recorded. */
const MAX_UNRECORDED = 32;
const RESPONSE_DELAY_MS = 50;
/** The pages are alike, so that the crawl requests an address that does not exist. */
const PROBES = 1;

/** Kills the crawler once and restarts it. */
export type CrawlKill = (site: TestSite) => Promise<void>;

export interface CrawlKillOptions {
  readonly deployment: Deployment;
  readonly pages: number;
  /** Run one after the other, after the crawl was requested. */
  readonly kills: readonly CrawlKill[];
}

/**
 * Crawls a site twice: undisturbed, and while the crawler is killed. Asserts that both crawls have the same
 * pages, that nothing is left over, and that a kill repeats at most the fetches that were in progress or not
 * yet recorded.
 */
export async function compareCrawlWithKills(options: CrawlKillOptions): Promise<void> {
  const { deployment, pages, kills } = options;
  const { tenant } = deployment;
  const site = await startSite(pages);
  try {
    const undisturbedStarted = performance.now();
    const expected = await crawl(tenant, site, []);
    report(
      `undisturbed: ${expected.size} pages in ${seconds(undisturbedStarted)} s, ${site.pageRequests.length} fetches`,
    );
    expect([expected.size, site.pageRequests.length]).toEqual([pages, pages + REDIRECTS + PROBES]);

    site.forgetRequests();
    const killedStarted = performance.now();
    expect(await crawl(tenant, site, kills)).toEqual(expected);
    const fetches = site.pageRequests.length;
    const otherRequests = site.requests.length - fetches;
    report(
      `${kills.length} kills: the same pages in ${seconds(killedStarted)} s, ${fetches} fetches, ` +
        `and ${otherRequests} of robots.txt and sitemaps`,
    );
    const repeated = fetches - pages - REDIRECTS - PROBES;
    expect(repeated).toBeLessThanOrEqual(kills.length * (CONCURRENCY + MAX_UNRECORDED));
  } finally {
    await site.stop();
  }
  const inventory = await takeInventory(deployment);
  report(`inventory: ${JSON.stringify(inventory)}`);
  expect(inventory.problems).toEqual([]);
}

/** Kills at random moments of the crawl. Each waits until pages are requested again. */
export function killsAtRandom(
  count: number,
  random: SeededRandom,
  pauseMs: readonly [min: number, max: number],
  killAndRestart: () => Promise<void>,
): CrawlKill[] {
  return Array.from({ length: count }, () => async (site: TestSite) => {
    const before = site.pageRequests.length;
    await until(async () => site.pageRequests.length > before, 'page requests');
    await sleep(random.between(...pauseMs));
    await killAndRestart();
  });
}

/** Number of URLs that redirect to a page. */
const REDIRECTS = 5;

/** A site whose pages form a tree of links. The first pages can also be reached through redirects. */
async function startSite(pages: number): Promise<TestSite> {
  const site = await TestSite.start();
  for (let n = 0; n < pages; n += 1) {
    const children = [3 * n + 1, 3 * n + 2, 3 * n + 3]
      .filter((child) => child < pages)
      .map((child) => `/page/${child}`);
    const redirect = n < REDIRECTS ? [`/redirect/${n}`] : [];
    site.set(`/page/${n}`, { body: article(`number ${n}`, { links: [...children, ...redirect] }) });
    if (n < REDIRECTS) site.set(`/redirect/${n}`, { status: 301, headers: { location: `/page/${n}` } });
  }
  site.delayMs = RESPONSE_DELAY_MS;
  return site;
}

/** @returns the status of each page by its URL */
async function crawl(
  tenant: Tenant,
  site: TestSite,
  kills: readonly CrawlKill[],
): Promise<Map<string, string>> {
  const { id: datastoreId } = await tenant.datastore('site');
  const { id } = await tenant.webSite(datastoreId, { source_url: site.url('/page/0') });
  for (const kill of kills) await kill(site);
  const [finished] = await waitUntilFinished(tenant, datastoreId, 300_000);
  expect([finished?.status, finished?.error]).toEqual(['synched', null]);
  const pages = await tenant.datasources(datastoreId, id);
  return new Map(pages.map(({ name, status }) => [name, status] as const).toSorted());
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
