import { startModelServer } from '@citewell/testing';
import { describe, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedDeployment } from '../../deployments/embedded.deployment.js';
import { parsersOf } from '../../deployments/processes.js';
import { compareWithKills, type KillTarget } from './compare-with-kills.js';
import { makeCorpus } from './corpus.js';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { SeededRandom } from './seeded-random.js';

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

/** The processes to kill in an embedded deployment. */
function standaloneKillTargets(deployment: EmbeddedDeployment): KillTarget[] {
  return [
    {
      name: 'standalone',
      async kill() {
        await deployment.kill();
        return true;
      },
      restart: () => deployment.start(),
    },
    {
      name: 'postmaster',
      async kill() {
        return killPid(await deployment.postgresPid());
      },
      // The standalone process restarts it.
      restart: () => sleep(500),
    },
    {
      name: 'parser',
      async kill() {
        const [pid] = await parsersOf(deployment.process.pid);
        return pid !== undefined && killPid(pid);
      },
      restart: () => Promise.resolve(),
    },
    {
      name: 'standalone and postmaster',
      async kill() {
        const pid = await deployment.postgresPid();
        await deployment.kill();
        return killPid(pid);
      },
      restart: () => deployment.start(),
    },
  ];
}

function killPid(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
