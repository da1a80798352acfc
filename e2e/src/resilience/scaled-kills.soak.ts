import { describe, it } from 'node:test';
import { makeCorpus } from './corpus.js';
import { ScaledDeployment } from './scaled.deployment.js';
import { scaledVictims } from './scaled.victims.js';
import { SeededRandom } from './seeded-random.js';
import { compareWithStorm } from './storm.js';

describe('ten kills while 200 documents come in, scaled', () => {
  it('keeps what was acknowledged, and nothing else', { timeout: 900_000 }, async (t) => {
    const deployment = await ScaledDeployment.start();
    let passed = false;
    try {
      await compareWithStorm({
        client: deployment.client,
        engines: () => deployment.engines(),
        files: makeCorpus(200, 3),
        victims: scaledVictims(deployment),
        kills: 10,
        random: new SeededRandom(3),
        pauseMs: [200, 1_500],
        print: (line) => t.diagnostic(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
