import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { KILLED_BY_POISON, killInBatches, type Mortal } from './batch-kills.js';
import { SCALED_APPS, ScaledDeployment } from './scaled.deployment.js';
import { SeededRandom } from './seeded-random.js';
import { StandaloneDeployment } from './standalone.deployment.js';

const OPTIONS = { batches: 20, kills: 50, print: (line: string) => report(line) };

describe('fifty kills while batches of 32 texts are ingested, one of which kills its process', () => {
  it('lose and double nothing, embedded', async () => {
    const deployment = await StandaloneDeployment.create(KILLED_BY_POISON);
    let passed = false;
    try {
      await deployment.start();
      await killInBatches({
        ...OPTIONS,
        client: deployment.client,
        engines: () => deployment.engines(),
        processes: [
          {
            name: 'standalone',
            isRunning: () => deployment.isRunning,
            kill: () => deployment.kill(),
            start: () => deployment.start(),
          },
        ],
        random: new SeededRandom(5),
        pauseMs: [0, 400],
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  }, 1_800_000);

  it('lose and double nothing, scaled', async () => {
    const deployment = await ScaledDeployment.start(KILLED_BY_POISON);
    let passed = false;
    try {
      await killInBatches({
        ...OPTIONS,
        client: deployment.client,
        engines: () => deployment.engines(),
        processes: SCALED_APPS.map((name): Mortal => ({
          name,
          isRunning: () => deployment.app(name).isRunning,
          kill: () => deployment.app(name).kill(),
          start: () => deployment.startApp(name),
        })),
        random: new SeededRandom(6),
        pauseMs: [0, 1_000],
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  }, 1_800_000);
});
