import { describe, it } from 'node:test';
import { ScaledDeployment } from './scaled.deployment.js';
import { SeededRandom } from './seeded-random.js';
import { compareCrawlWithKills, CRAWL_ENVIRONMENT, killsAtRandom } from './compare-crawl-with-kills.js';
import { StandaloneDeployment } from './standalone.deployment.js';

const PAGES = 300;
const KILLS = 10;

describe('ten kills while a site of 300 pages is crawled', () => {
  it('embedded: crawls the same pages with few repeated fetches', { timeout: 600_000 }, async (t) => {
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
        print: (line) => t.diagnostic(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });

  it('scaled: crawls the same pages with few repeated fetches', { timeout: 900_000 }, async (t) => {
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
        print: (line) => t.diagnostic(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
