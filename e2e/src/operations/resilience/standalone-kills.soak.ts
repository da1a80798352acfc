import { startModelServer } from '@citewell/testing';
import { describe, it } from '@jest/globals';
import { compareWithKills } from './compare-with-kills.js';
import { makeCorpus } from './corpus.js';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { SeededRandom } from './seeded-random.js';
import { standaloneKillTargets } from './standalone.kill-targets.js';

describe('ten kills while 200 documents are ingested, embedded', () => {
  it.each([
    [1, 'builtin'],
    [2, 'test-embedding'],
    [3, 'test-embedding'],
  ])(
    'keeps all acknowledged uploads and leaves nothing else (seed %d, EMBEDDING_MODEL %s)',
    async (seed, model) => {
      const server = await startModelServer();
      const disturb = disturbEmbedded(
        (deployment) =>
          compareWithKills({
            deployment,
            files: makeCorpus(200, seed),
            targets: standaloneKillTargets(deployment),
            kills: 10,
            random: new SeededRandom(seed),
            pauseMs: [200, 1_500],
          }),
        { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'scripted', EMBEDDING_MODEL: model },
      );
      await disturb.finally(() => server.close());
    },
    600_000,
  );
});
