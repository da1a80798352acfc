import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { ScaledDeployment } from './scaled.deployment.js';
import { SeededRandom } from './seeded-random.js';
import { compareCrawlWithKills, CRAWL_ENVIRONMENT, killsAtRandom } from './compare-crawl-with-kills.js';
import { StandaloneDeployment } from './standalone.deployment.js';

const PAGES = 300;
const KILLS = 10;

describe('ten kills while a site of 300 pages is crawled', () => {
  it('embedded: crawls the same pages with few repeated fetches', async () => {
    const deployment = await StandaloneDeployment.create(CRAWL_ENVIRONMENT);
    let passed = false;
    try {
      await deployment.start();
      await compareCrawlWithKills({
        client: deployment.client,
        engines: () => deployment.engines(),
        pages: PAGES,
        kills: killsAtRandom(KILLS, new SeededRandom(1), [0, 300], async () => {
          await deployment.kill();
          await deployment.start();
        }),
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  }, 600_000);

  it('scaled: crawls the same pages with few repeated fetches', async () => {
    const deployment = await ScaledDeployment.start(CRAWL_ENVIRONMENT);
    let passed = false;
    try {
      await compareCrawlWithKills({
        client: deployment.client,
        engines: () => deployment.engines(),
        pages: PAGES,
        kills: killsAtRandom(KILLS, new SeededRandom(2), [0, 300], async () => {
          await deployment.app('worker-crawler').kill();
          await deployment.startApp('worker-crawler');
        }),
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  }, 900_000);
});
