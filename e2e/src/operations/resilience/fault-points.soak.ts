import { FAULT_POINTS } from '@citewell/observability';
import { it } from '@jest/globals';
import type { ScaledApp } from '../../deployments/scaled.deployment.js';
import { disturbScaled } from '../../deployments/disturbed.js';
import { ALLOW_LOCAL_PAGES, killAtEachFaultPoint } from './kill-at-fault-points.js';

// All points of the embedded deployment, too.
process.env['TEST_EXTENT'] = 'whole';
await import('./fault-points.e2e.js');

/** The app that contains each fault point. */
const APPS: Readonly<Record<(typeof FAULT_POINTS)[number], ScaledApp>> = {
  'after-create': 'api',
  'after-fetch': 'worker-crawler',
  'after-parse': 'worker-parser',
  'after-write': 'worker-indexer',
  'after-count': 'worker-indexer',
  'after-switch': 'worker-indexer',
  'after-purge-points': 'worker-indexer',
  'after-purge-blobs': 'worker-indexer',
};

it('one kill at each fault point loses no acknowledged request, scaled', async () => {
  await disturbScaled(async (deployment) => {
    await killAtEachFaultPoint({
      deployment,
      faults: FAULT_POINTS,
      launch: async (fault) => {
        await deployment.app(APPS[fault]).terminate();
        return deployment.launchApp(APPS[fault], { CITEWELL_FAULT: fault });
      },
      restart: (fault) => deployment.startApp(APPS[fault]),
    });
  }, ALLOW_LOCAL_PAGES);
}, 600_000);
