import { describe, expect, it } from '@jest/globals';
import { report } from '../report.js';
import { takeInventory } from './inventory.js';
import { ScaledDeployment } from './scaled.deployment.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { watchReplacements } from './watch-replacements.js';

const REPLACEMENTS = 150;

describe('reading during many replacements and deletions', () => {
  it('never returns mixed revisions, missing chunks or deleted datasources, embedded', async () => {
    const deployment = await StandaloneDeployment.create();
    try {
      await deployment.start();
      await watchReplacements(deployment.client, REPLACEMENTS, (line) => report(line));
      expect((await takeInventory(await deployment.engines())).problems).toEqual([]);
    } finally {
      await deployment.dispose();
    }
  }, 600_000);

  it('never returns mixed revisions, missing chunks or deleted datasources, scaled', async () => {
    const deployment = await ScaledDeployment.start();
    try {
      await watchReplacements(deployment.client, REPLACEMENTS, (line) => report(line));
      expect((await takeInventory(await deployment.engines())).problems).toEqual([]);
    } finally {
      await deployment.dispose();
    }
  }, 600_000);
});
