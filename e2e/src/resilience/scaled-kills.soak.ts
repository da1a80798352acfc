import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { makeCorpus } from './corpus.js';
import { ScaledDeployment } from './scaled.deployment.js';
import { scaledKillTargets } from './scaled.kill-targets.js';
import { SeededRandom } from './seeded-random.js';
import { compareWithKills } from './compare-with-kills.js';

describe('ten kills while 200 documents are ingested, scaled', () => {
  it('keeps all acknowledged uploads and leaves nothing else', async () => {
    const deployment = await ScaledDeployment.start();
    let passed = false;
    try {
      await compareWithKills({
        client: deployment.client,
        engines: () => deployment.engines(),
        files: makeCorpus(200, 3),
        targets: scaledKillTargets(deployment),
        kills: 10,
        random: new SeededRandom(3),
        pauseMs: [200, 1_500],
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  }, 900_000);
});
