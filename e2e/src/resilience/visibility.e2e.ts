import { describe, expect, it } from '@jest/globals';
import { report } from '../report.js';
import { takeInventory } from './inventory.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { watchReplacements } from './watch-replacements.js';

describe('reading during replacements and deletions, embedded', () => {
  it('never returns mixed revisions, missing chunks or deleted datasources', async () => {
    const deployment = await StandaloneDeployment.create();
    try {
      await deployment.start();
      await watchReplacements(deployment.client, 8, (line) => report(line));
      expect((await takeInventory(await deployment.engines())).problems).toEqual([]);
    } finally {
      await deployment.dispose();
    }
  });
});
