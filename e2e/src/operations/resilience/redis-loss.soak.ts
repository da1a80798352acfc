import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ScaledDeployment } from '../../deployments/scaled.deployment.js';
import { report } from '../../report.js';
import { makeCorpus } from './corpus.js';
import { disturbScaled } from '../../deployments/disturbed.js';
import { outcomesOf, waitUntilFinished, uploadAll } from './ingestion.js';
import { takeInventory } from './inventory.js';

const FILES = 100;

describe('losing the data of Redis', () => {
  const losses: Record<string, (deployment: ScaledDeployment) => Promise<void>> = {
    async FLUSHALL({ redis }) {
      expect(await redis.command('FLUSHALL')).toBe('+OK');
    },
    async 'a kill and an empty restart'({ redis }) {
      await redis.kill();
      await sleep(1_000);
      await redis.restart({ empty: true });
    },
  };

  for (const [name, lose] of Object.entries(losses)) {
    it(`loses no upload: ${name}`, async () => {
      await disturbScaled(async (deployment) => {
        const { tenant } = deployment;
        const { id: datastoreId } = await tenant.datastore('redis');
        const started = performance.now();
        const uploading = uploadAll(tenant, datastoreId, makeCorpus(FILES, 4), { concurrency: 6 });
        await sleep(700);
        await lose(deployment);
        await uploading;
        await lose(deployment);
        await waitUntilFinished(tenant, datastoreId);
        report(
          `${FILES} files in ${((performance.now() - started) / 1_000).toFixed(1)} s, the data of Redis lost twice`,
        );
        expect((await outcomesOf(tenant, datastoreId)).size).toBe(FILES);
        expect((await takeInventory(deployment)).problems).toEqual([]);
      });
    });
  }
});
