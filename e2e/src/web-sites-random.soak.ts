import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SeededRandom } from './resilience/seeded-random.js';
import { SitePlay } from './web-sites/play.js';
import { type RandomSite, randomSite } from './web-sites/random-site.js';
import { RandomSiteRun } from './web-sites/random-site-run.js';
import { laterSite } from './web-sites/site-mutations.js';
import { hasRing } from './web-sites/site-reach.js';

/** `FIRST_SEED=17 SITES=1 npm run soak -- random` plays the site of a seed again. */
const FIRST_SEED = Number(process.env['FIRST_SEED'] ?? 1);
const SITES = Number(process.env['SITES'] ?? 100);
const AT_ONCE = 4;

describe('sites at random, that change from sync to sync', { concurrency: AT_ONCE }, () => {
  let play: SitePlay | undefined;
  before(async () => {
    play = await SitePlay.start();
  });
  after(() => play?.stop());

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SITES; seed += 1)
    it(`are what a complete crawl must have: seed ${seed}`, { timeout: 600_000 }, async () => {
      assert.ok(play);
      const { tenant } = play;
      const random = new SeededRandom(seed);
      const runs = await Promise.all(
        ['one', 'other'].map(() => RandomSiteRun.start(tenant, new SeededRandom(random.between(0, 1e9)))),
      );
      try {
        await compareSyncs(randomSite(random), random, runs);
      } finally {
        await Promise.all(runs.map((run) => run.stop()));
      }
    });
});

/** Syncs both runs with the site, which changes in between, then once more without a change. */
async function compareSyncs(
  first: RandomSite,
  random: SeededRandom,
  runs: readonly RandomSiteRun[],
): Promise<void> {
  const syncs = random.between(3, 4);
  let site = first;
  let wasInterrupted = false;
  for (let sync = 1; sync <= syncs; sync += 1) {
    const wrong = await Promise.all(runs.map((run) => run.sync(site)));
    assert.deepEqual(wrong, [[], []], `after sync ${sync} of ${describeSite(site)}`);
    wasInterrupted ||= site.isInterrupted;
    // Of pages that name each other, and of copies that an interrupted sync came to first, another one may stay.
    if (!wasInterrupted && !hasRing(site))
      assert.deepEqual(runs[0]?.pages, runs[1]?.pages, `after sync ${sync}`);
    if (sync < syncs) site = laterSite(site, random);
  }
  // Which pages a limited site has depends on the order of answers.
  if (site.maxPages !== undefined) return;
  // That there is no sitemap any more is believed the second time.
  if (site.sitemapStatus === 404) await Promise.all(runs.map((run) => run.sync(site)));
  const wrong = await Promise.all(runs.map((run) => run.syncUnchanged(site)));
  assert.deepEqual(wrong, [[], []], `after a sync without changes of ${describeSite(site)}`);
}

function describeSite(site: RandomSite): string {
  const readable = (_key: string, value: unknown): unknown =>
    value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value;
  return JSON.stringify(site, readable).replaceAll('],"', '],\n"').replaceAll('},"', '},\n"');
}
