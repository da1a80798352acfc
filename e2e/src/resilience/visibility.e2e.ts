import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeInventory } from './inventory.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { watchReplacements } from './watch-replacements.js';

describe('reading during replacements and deletions, embedded', () => {
  it(
    'never returns mixed revisions, missing chunks or deleted datasources',
    { timeout: 120_000 },
    async (t) => {
      const deployment = await StandaloneDeployment.create();
      try {
        await deployment.start();
        await watchReplacements(deployment.client, 8, (line) => t.diagnostic(line));
        assert.deepEqual((await takeInventory(await deployment.engines())).problems, []);
      } finally {
        await deployment.dispose();
      }
    },
  );
});
