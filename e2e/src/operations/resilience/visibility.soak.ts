import { describe, expect, it } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { disturbEmbedded, disturbScaled } from '../../deployments/disturbed.js';
import { takeInventory } from './inventory.js';
import { watchReplacements } from './watch-replacements.js';

describe('reading during many replacements and deletions', () => {
  it.each([
    ['embedded', disturbEmbedded],
    ['scaled', disturbScaled],
  ])(
    'never returns mixed revisions, missing chunks or deleted datasources, %s',
    async (_, disturb) => {
      await disturb(async (deployment: Deployment) => {
        await watchReplacements(deployment.tenant, 150);
        expect((await takeInventory(deployment)).problems).toEqual([]);
      });
    },
    600_000,
  );
});
