import { describe, it } from '@jest/globals';
import { compareCrawlWithKills, CRAWL_ENVIRONMENT, killsAtRandom } from './compare-crawl-with-kills.js';
import { disturbEmbedded, disturbScaled } from '../../deployments/disturbed.js';
import { SeededRandom } from './seeded-random.js';

const PAGES = 300;
const KILLS = 10;

describe('ten kills while a site of 300 pages is crawled', () => {
  it('embedded: crawls the same pages with few repeated fetches', async () => {
    await disturbEmbedded(async (deployment) => {
      const kills = killsAtRandom(KILLS, new SeededRandom(1), [0, 300], async () => {
        await deployment.kill();
        await deployment.start();
      });
      await compareCrawlWithKills({ deployment, pages: PAGES, kills });
    }, CRAWL_ENVIRONMENT);
  }, 600_000);

  it('scaled: crawls the same pages with few repeated fetches', async () => {
    await disturbScaled(async (deployment) => {
      const kills = killsAtRandom(KILLS, new SeededRandom(2), [0, 300], async () => {
        await deployment.app('worker-crawler').kill();
        await deployment.startApp('worker-crawler');
      });
      await compareCrawlWithKills({ deployment, pages: PAGES, kills });
    }, CRAWL_ENVIRONMENT);
  }, 900_000);
});
