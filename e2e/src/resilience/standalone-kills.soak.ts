import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { makeCorpus } from './corpus.js';
import { SeededRandom } from './seeded-random.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { standaloneKillTargets } from './standalone.kill-targets.js';
import { compareWithKills } from './compare-with-kills.js';

describe('ten kills while 200 documents are ingested, embedded', () => {
  for (const seed of [1, 2]) {
    it(`keeps all acknowledged uploads and leaves nothing else (seed ${seed})`, async () => {
      const deployment = await StandaloneDeployment.create();
      let passed = false;
      try {
        await deployment.start();
        await compareWithKills({
          client: deployment.client,
          engines: () => deployment.engines(),
          files: makeCorpus(200, seed),
          targets: standaloneKillTargets(deployment),
          kills: 10,
          random: new SeededRandom(seed),
          pauseMs: [200, 1_500],
          print: (line) => report(line),
        });
        passed = true;
      } finally {
        await deployment.dispose({ keepFiles: !passed });
      }
    }, 600_000);
  }
});
