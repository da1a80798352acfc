import { describe, it } from '@jest/globals';
import { SCALED_APPS } from '../../deployments/scaled.deployment.js';
import { KILLED_BY_POISON, killInBatches, type Mortal } from './batch-kills.js';
import { disturbEmbedded, disturbScaled } from '../../deployments/disturbed.js';
import { SeededRandom } from './seeded-random.js';

const OPTIONS = { batches: 20, kills: 50 };

describe('fifty kills while batches of 32 texts are ingested, one of which kills its process', () => {
  it('lose and double nothing, embedded', async () => {
    await disturbEmbedded(async (deployment) => {
      const standalone: Mortal = {
        name: 'standalone',
        isRunning: () => deployment.process.isRunning,
        kill: () => deployment.kill(),
        start: () => deployment.start(),
      };
      const random = new SeededRandom(5);
      await killInBatches({ ...OPTIONS, deployment, processes: [standalone], random, pauseMs: [0, 400] });
    }, KILLED_BY_POISON);
  }, 1_800_000);

  it('lose and double nothing, scaled', async () => {
    await disturbScaled(async (deployment) => {
      const processes = SCALED_APPS.map((name): Mortal => ({
        name,
        isRunning: () => deployment.app(name).isRunning,
        kill: () => deployment.app(name).kill(),
        start: () => deployment.startApp(name),
      }));
      const random = new SeededRandom(6);
      await killInBatches({ ...OPTIONS, deployment, processes, random, pauseMs: [0, 1_000] });
    }, KILLED_BY_POISON);
  }, 1_800_000);
});
