import { CRAWL_FAULT_POINTS } from '@citewell/observability';
import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { SeededRandom } from './seeded-random.js';
import { compareCrawlWithKills, CRAWL_ENVIRONMENT, killsAtRandom } from './compare-crawl-with-kills.js';
import { StandaloneDeployment } from './standalone.deployment.js';

describe('a crawl whose process is killed, embedded', () => {
  it('continues where it stopped', async () => {
    const deployment = await StandaloneDeployment.create(CRAWL_ENVIRONMENT);
    let passed = false;
    try {
      await deployment.start();
      const restart = async (): Promise<void> => {
        await deployment.kill();
        await deployment.start();
      };
      // After the kill, the process starts with a fault point and kills itself there.
      const [seeds, processed, discovered] = CRAWL_FAULT_POINTS;
      const faults = [seeds, `${processed}:5`, discovered].map((fault) => async (): Promise<void> => {
        await deployment.kill();
        await deployment.launch({ CITEWELL_FAULT: fault });
        await deployment.ended();
      });
      await compareCrawlWithKills({
        client: deployment.client,
        engines: () => deployment.engines(),
        pages: 60,
        kills: [
          ...killsAtRandom(1, new SeededRandom(11), [0, 200], restart),
          ...faults,
          () => deployment.start(),
        ],
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
