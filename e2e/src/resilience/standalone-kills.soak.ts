import { startModelServer } from '@citewell/testing';
import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { makeCorpus } from './corpus.js';
import { SeededRandom } from './seeded-random.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { standaloneKillTargets } from './standalone.kill-targets.js';
import { compareWithKills } from './compare-with-kills.js';

describe('ten kills while 200 documents are ingested, embedded', () => {
  it.each([
    [1, 'built-in vectors'],
    [2, 'an embedding model'],
    [3, 'an embedding model'],
  ])(
    'keeps all acknowledged uploads and leaves nothing else (seed %d, %s)',
    async (seed, vectors) => {
      const model = await startModelServer();
      const deployment = await StandaloneDeployment.create({
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_API_KEY: 'scripted',
        EMBEDDING_MODEL: vectors === 'built-in vectors' ? 'builtin' : 'test-embedding',
      });
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
        await model.close();
      }
    },
    600_000,
  );
});
