import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeInventory } from './inventory.js';
import { ScaledDeployment } from './scaled.deployment.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { watchReplacements } from './visibility.js';

const REPLACEMENTS = 150;

describe('a reader beside many replacements and deletions', () => {
  it('sees no mixture, no gap and nothing deleted, embedded', { timeout: 600_000 }, async (t) => {
    const deployment = await StandaloneDeployment.create();
    try {
      await deployment.start();
      await watchReplacements(deployment.client, REPLACEMENTS, (line) => t.diagnostic(line));
      assert.deepEqual((await takeInventory(await deployment.engines())).problems, []);
    } finally {
      await deployment.dispose();
    }
  });

  it('sees no mixture, no gap and nothing deleted, scaled', { timeout: 600_000 }, async (t) => {
    const deployment = await ScaledDeployment.start();
    try {
      await watchReplacements(deployment.client, REPLACEMENTS, (line) => t.diagnostic(line));
      assert.deepEqual((await takeInventory(await deployment.engines())).problems, []);
    } finally {
      await deployment.dispose();
    }
  });
});
