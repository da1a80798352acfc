import { CRAWL_FAULT_POINTS } from '@citewell/observability';
import { it } from '@jest/globals';
import { compareCrawlWithKills, CRAWL_ENVIRONMENT, killsAtRandom } from './compare-crawl-with-kills.js';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { SeededRandom } from './seeded-random.js';

it('a crawl whose process is killed continues where it stopped', async () => {
  await disturbEmbedded(async (deployment) => {
    const restart = async (): Promise<void> => {
      await deployment.kill();
      await deployment.start();
    };
    // After the kill, the process starts with a fault point and kills itself there.
    const [seeds, processed, discovered] = CRAWL_FAULT_POINTS;
    const faults = [seeds, `${processed}:5`, discovered].map((fault) => async (): Promise<void> => {
      await deployment.kill();
      await deployment.launch({ CITEWELL_FAULT: fault }).ended;
    });
    const atRandom = killsAtRandom(1, new SeededRandom(11), [0, 200], restart);
    const kills = [...atRandom, ...faults, () => deployment.start()];
    await compareCrawlWithKills({ deployment, pages: 60, kills });
  }, CRAWL_ENVIRONMENT);
});
