import { describe, it } from 'node:test';
import { CRAWL_FAULT_POINTS } from '@citewell/observability';
import { SeededRandom } from './seeded-random.js';
import { compareCrawlWithDeaths, CRAWLING, deathsAtRandom } from './site-storm.js';
import { StandaloneDeployment } from './standalone.deployment.js';

describe('a crawl whose process dies, embedded', () => {
  it('goes on where it was', { timeout: 180_000 }, async (t) => {
    const deployment = await StandaloneDeployment.create(CRAWLING);
    let passed = false;
    try {
      await deployment.start();
      const restart = async (): Promise<void> => {
        await deployment.kill();
        await deployment.start();
      };
      // The kill brings it to where the next start dies.
      const [seeds, settled, discovered] = CRAWL_FAULT_POINTS;
      const faults = [seeds, `${settled}:5`, discovered].map((fault) => async (): Promise<void> => {
        await deployment.kill();
        await deployment.launch({ CITEWELL_FAULT: fault });
        await deployment.ended();
      });
      await compareCrawlWithDeaths({
        client: deployment.client,
        engines: () => deployment.engines(),
        pages: 60,
        deaths: [
          ...deathsAtRandom(1, new SeededRandom(11), [0, 200], restart),
          ...faults,
          () => deployment.start(),
        ],
        print: (line) => t.diagnostic(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
