import { describe, it } from 'node:test';
import { makeCorpus } from './corpus.js';
import { SeededRandom } from './seeded-random.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { standaloneVictims } from './standalone.victims.js';
import { compareWithStorm } from './storm.js';

describe('kills while documents come in, embedded', () => {
  it('keeps what was acknowledged, and nothing else', { timeout: 120_000 }, async (t) => {
    const deployment = await StandaloneDeployment.create();
    let passed = false;
    try {
      await deployment.start();
      await compareWithStorm({
        client: deployment.client,
        engines: () => deployment.engines(),
        files: makeCorpus(20),
        victims: standaloneVictims(deployment),
        kills: 2,
        random: new SeededRandom(7),
        pauseMs: [100, 400],
        print: (line) => t.diagnostic(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
