import { it } from '@jest/globals';
import { TwoCrawlers } from '../../ingestion/web-sites/two-crawlers.js';
import { compareCrawlWithKills, killsAtRandom } from './compare-crawl-with-kills.js';
import { SeededRandom } from './seeded-random.js';

it('a crawl with two crawlers survives kills of any process', async () => {
  const crawlers = await TwoCrawlers.start({
    ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
    CRAWL_DELAY_MS: '40',
    CRAWL_CONCURRENCY_PER_HOST: '2',
    CRAWLER_CONCURRENCY: '2',
  });
  try {
    const { deployment } = crawlers;
    const fault = async (): Promise<void> => {
      await crawlers.killAll();
      await deployment.app('worker-crawler').kill();
      await deployment.launchApp('worker-crawler', { CITEWELL_FAULT: 'before-finish' }).ended;
      await deployment.startApp('worker-crawler');
    };
    await compareCrawlWithKills({
      deployment,
      // One crawler is ready before the other, and must not finish the crawl until the next kill.
      pages: 150,
      kills: [...killsAtRandom(2, new SeededRandom(5), [0, 300], () => crawlers.killAll()), fault],
    });
  } finally {
    await crawlers.stop();
  }
});
