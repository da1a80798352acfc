import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeInventory } from './inventory.js';
import { ScaledDeployment } from './scaled.deployment.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { watchReplacements } from './watch-replacements.js';

const REPLACEMENTS = 150;

describe('reading during many replacements and deletions', () => {
  it(
    'never returns mixed revisions, missing chunks or deleted datasources, embedded',
    { timeout: 600_000 },
    async (t) => {
      const deployment = await StandaloneDeployment.create();
      try {
        await deployment.start();
        await watchReplacements(deployment.client, REPLACEMENTS, (line) => t.diagnostic(line));
        assert.deepEqual((await takeInventory(await deployment.engines())).problems, []);
      } finally {
        await deployment.dispose();
      }
    },
  );

  it(
    'never returns mixed revisions, missing chunks or deleted datasources, scaled',
    { timeout: 600_000 },
    async (t) => {
      const deployment = await ScaledDeployment.start();
      try {
        await watchReplacements(deployment.client, REPLACEMENTS, (line) => t.diagnostic(line));
        assert.deepEqual((await takeInventory(await deployment.engines())).problems, []);
      } finally {
        await deployment.dispose();
      }
    },
  );
});
