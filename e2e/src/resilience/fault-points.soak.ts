import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FAULT_POINTS } from '@citewell/observability';
import { Commotion, startPages } from './commotion.js';
import { makeCorpus } from './corpus.js';
import { takeInventory } from './inventory.js';
import { type ScaledApp, ScaledDeployment } from './scaled.deployment.js';

const DEATH_LIMIT_MS = 30_000;

/** Where each fault point is. */
const APPS: Readonly<Record<(typeof FAULT_POINTS)[number], ScaledApp>> = {
  'after-upload': 'api',
  'after-fetch': 'worker-crawler',
  'after-parse': 'worker-parser',
  'after-write': 'worker-indexer',
  'after-count': 'worker-indexer',
  'after-switch': 'worker-indexer',
  'after-purge-points': 'worker-indexer',
  'after-purge-blobs': 'worker-indexer',
};

describe('one kill at each fault point, scaled', () => {
  it('finds its way back from each of them', { timeout: 600_000 }, async (t) => {
    const pages = await startPages();
    const deployment = await ScaledDeployment.start({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
    let passed = false;
    try {
      const { client } = deployment;
      const commotion = new Commotion(
        client,
        await client.createDatastore('faults'),
        makeCorpus(6),
        pages.url,
      );
      await commotion.stir();
      for (const [fault, app] of Object.entries(APPS) as [(typeof FAULT_POINTS)[number], ScaledApp][]) {
        await deployment.app(app).terminate();
        const started = performance.now();
        const doomed = deployment.launchApp(app, { CITEWELL_FAULT: fault });
        while (doomed.isRunning && performance.now() - started < DEATH_LIMIT_MS) {
          await commotion.stir();
          await sleep(50);
        }
        assert.ok(!doomed.isRunning, `${fault} was not reached`);
        assert.equal((await doomed.ended).signal, 'SIGKILL');
        t.diagnostic(`${fault}: ${app} died after ${Math.round(performance.now() - started)} ms`);
        await deployment.startApp(app);
      }
      t.diagnostic(`${await commotion.assertKept()} datasources at the end`);
      const inventory = await takeInventory(await deployment.engines());
      t.diagnostic(JSON.stringify(inventory));
      assert.deepEqual(inventory.problems, []);
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
      await pages.close();
    }
  });
});
