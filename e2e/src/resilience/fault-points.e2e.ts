import { FAULT_POINTS } from '@citewell/observability';
import { isWhole } from '@citewell/testing/extent';
import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { killAtEachFaultPoint, ALLOW_LOCAL_PAGES } from './kill-at-fault-points.js';
import { StandaloneDeployment } from './standalone.deployment.js';

/** Kills of requests and of crawls have tests of their own: `sudden-ends.e2e.ts`, `site-kills.e2e.ts`. */
const FAULTS = isWhole()
  ? FAULT_POINTS
  : (['after-parse', 'after-write', 'after-switch', 'after-purge-points'] as const);

describe('one kill at each fault point, embedded', () => {
  it('loses no acknowledged request', async () => {
    const deployment = await StandaloneDeployment.create(ALLOW_LOCAL_PAGES);
    let passed = false;
    try {
      await deployment.start();
      await killAtEachFaultPoint({
        client: deployment.client,
        engines: () => deployment.engines(),
        faults: FAULTS,
        // Each start recovers from the kill before it.
        launch: async (fault) => {
          await deployment.terminate();
          return deployment.launch({ CITEWELL_FAULT: fault });
        },
        finish: () => deployment.start(),
        timeoutMs: 60_000,
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });
});
