import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { makeCorpus } from './corpus.js';
import { SeededRandom } from './seeded-random.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { standaloneKillTargets } from './standalone.kill-targets.js';
import { compareWithKills } from './compare-with-kills.js';

describe('kills while documents are ingested, embedded', () => {
  it('keeps all acknowledged uploads and leaves nothing else', async () => {
    const deployment = await StandaloneDeployment.create();
    let passed = false;
    try {
      await deployment.start();
      await compareWithKills({
        client: deployment.client,
        engines: () => deployment.engines(),
        files: makeCorpus(20),
        targets: standaloneKillTargets(deployment),
        kills: 2,
        random: new SeededRandom(7),
        pauseMs: [100, 400],
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
