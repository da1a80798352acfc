import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAULT_POINTS } from '@citewell/observability';
import { Commotion, startPages } from './commotion.js';
import { makeCorpus } from './corpus.js';
import { takeInventory } from './inventory.js';
import { StandaloneDeployment } from './standalone.deployment.js';

const DEATH_LIMIT_MS = 20_000;

describe('one kill at each fault point, embedded', () => {
  it('finds its way back from each of them', { timeout: 180_000 }, async (t) => {
    const pages = await startPages();
    const deployment = await StandaloneDeployment.create({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
    let passed = false;
    try {
      await deployment.start();
      const { client } = deployment;
      const commotion = new Commotion(
        client,
        await client.createDatastore('faults'),
        makeCorpus(6),
        pages.url,
      );
      await commotion.stir();
      await deployment.terminate();
      // Each start takes up what the death before it has left behind.
      for (const fault of FAULT_POINTS) {
        const started = performance.now();
        await deployment.launch({ CITEWELL_FAULT: fault });
        while (deployment.isRunning && performance.now() - started < DEATH_LIMIT_MS) {
          await commotion.stir();
          await sleep(50);
        }
        assert.ok(!deployment.isRunning, `${fault} was not reached`);
        assert.equal((await deployment.ended()).signal, 'SIGKILL');
        t.diagnostic(`${fault}: died after ${Math.round(performance.now() - started)} ms`);
      }
      await deployment.start();
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
