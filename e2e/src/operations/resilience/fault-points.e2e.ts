import { FAULT_POINTS } from '@citewell/observability';
import { isWhole } from '@citewell/testing/extent';
import { it } from '@jest/globals';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { ALLOW_LOCAL_PAGES, killAtEachFaultPoint } from './kill-at-fault-points.js';

/** Kills of requests and of crawls have tests of their own: `sudden-ends.e2e.ts`, `site-kills.e2e.ts`. */
const FAULTS = isWhole()
  ? FAULT_POINTS
  : (['after-parse', 'after-write', 'after-switch', 'after-purge-points'] as const);

it('one kill at each fault point loses no acknowledged request, embedded', async () => {
  await disturbEmbedded(async (deployment) => {
    await killAtEachFaultPoint({
      deployment,
      faults: FAULTS,
      // Each start recovers from the kill before it.
      launch: async (fault) => {
        await deployment.terminate();
        return deployment.launch({ CITEWELL_FAULT: fault });
      },
      finish: () => deployment.start(),
    });
  }, ALLOW_LOCAL_PAGES);
});
