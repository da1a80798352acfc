import { describe, it } from 'node:test';
import { FAULT_POINTS } from '@citewell/observability';
import { dieAtEachFault, WITH_PAGES } from './fault-points.js';
import { StandaloneDeployment } from './standalone.deployment.js';

describe('one kill at each fault point, embedded', () => {
  it('finds its way back from each of them', { timeout: 180_000 }, async (t) => {
    const deployment = await StandaloneDeployment.create(WITH_PAGES);
    let passed = false;
    try {
      await deployment.start();
      await dieAtEachFault({
        client: deployment.client,
        engines: () => deployment.engines(),
        faults: FAULT_POINTS,
        // Each start takes up what the death before it has left behind.
        launch: async (fault) => {
          await deployment.terminate();
          return deployment.launch({ CITEWELL_FAULT: fault });
        },
        finish: () => deployment.start(),
        deathLimitMs: 20_000,
        print: (line) => t.diagnostic(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
