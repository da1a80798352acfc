import { FAULT_POINTS } from '@citewell/observability';
import { describe, it } from '@jest/globals';
import { report } from '../report.js';
import { killAtEachFaultPoint, ALLOW_LOCAL_PAGES } from './kill-at-fault-points.js';
import { type ScaledApp, ScaledDeployment } from './scaled.deployment.js';

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

describe('one kill at each fault point, scaled', () => {
  it('loses no acknowledged request', async () => {
    const deployment = await ScaledDeployment.start(ALLOW_LOCAL_PAGES);
    let passed = false;
    try {
      await killAtEachFaultPoint({
        client: deployment.client,
        engines: () => deployment.engines(),
        faults: FAULT_POINTS,
        launch: async (fault) => {
          await deployment.app(APPS[fault]).terminate();
          return deployment.launchApp(APPS[fault], { CITEWELL_FAULT: fault });
        },
        restart: (fault) => deployment.startApp(APPS[fault]),
        timeoutMs: 60_000,
        print: (line) => report(line),
      });
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  }, 600_000);
});
