import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { connectionsOf } from './postgres-connections.js';
import { COMMON_WORD, makeCorpus } from './corpus.js';
import { outcomesOf, waitUntilFinished, uploadAll } from './ingestion.js';
import { untilRecovered } from '../../client/tenant.js';

/**
 * Connections that the standalone may have open: 10 of the pool, 4 + 3 of the queue (its three workers
 * listen), one each for LISTEN of the dispatcher and of the indexer, and one that holds the lock of the data
 * directory.
 */
const MAX_CONNECTIONS = 20;
const POSTMASTER_KILLS = 4;

describe('connections to Postgres, standalone', () => {
  it('stay within their limit, and are restored after the postmaster was killed', async () => {
    await disturbEmbedded(async (deployment) => {
      const { tenant } = deployment;
      const { id: datastoreId } = await tenant.datastore('connections');
      const sampling = new AbortController();
      const highest = highestCount(deployment, sampling.signal);
      await uploadAll(tenant, datastoreId, makeCorpus(60), { concurrency: 12 });
      const queries = Array.from({ length: 400 }, () => tenant.search(datastoreId, COMMON_WORD, { topK: 5 }));
      await Promise.all(queries);
      await waitUntilFinished(tenant, datastoreId);
      sampling.abort();
      const { total, byName } = await highest;
      report(`at most ${total} of ${MAX_CONNECTIONS}: ${byName}`);
      expect(total).toBeLessThanOrEqual(MAX_CONNECTIONS);

      for (let kill = 0; kill < POSTMASTER_KILLS; kill += 1) {
        process.kill(await deployment.postgresPid(), 'SIGKILL');
        const started = performance.now();
        // Backends may outlive the postmaster for a moment, so readiness is no proof that the database is
        // back.
        await sleep(500);
        const { id: laterId } = await untilRecovered(() => tenant.datastore(`after-${kill}`), 'the database');
        const answeredMs = performance.now() - started;
        // Only NOTIFY wakes idle workers, so a file that is processed promptly proves that they listen
        // again.
        await uploadAll(tenant, laterId, makeCorpus(1));
        await waitUntilFinished(tenant, laterId, 20_000);
        const firstSynchedMs = performance.now() - started;
        await sleep(1_500);
        const secondStarted = performance.now();
        await uploadAll(tenant, laterId, makeCorpus(2).slice(1));
        await waitUntilFinished(tenant, laterId, 20_000);
        report(
          `killed: answering after ${answeredMs.toFixed(0)} ms, a file synched after ${firstSynchedMs.toFixed(0)} ms, ` +
            `the next one within ${(performance.now() - secondStarted).toFixed(0)} ms`,
        );
        expect((await outcomesOf(tenant, laterId)).size).toBe(2);
      }
      const { databaseUrl } = await deployment.engines();
      const after = await connectionsOf(databaseUrl);
      const totalAfter = [...after.values()].reduce((sum, n) => sum + n, 0);
      report(`afterwards: ${totalAfter}: ${format(after)}`);
      expect(totalAfter).toBeLessThanOrEqual(MAX_CONNECTIONS);
    });
  });
});

async function highestCount(
  { databaseUrl }: Deployment,
  signal: AbortSignal,
): Promise<{ total: number; byName: string }> {
  let highest = { total: 0, byName: '' };
  while (!signal.aborted) {
    const byName = await connectionsOf(databaseUrl);
    const total = [...byName.values()].reduce((sum, n) => sum + n, 0);
    if (total > highest.total) highest = { total, byName: format(byName) };
    await sleep(100);
  }
  return highest;
}

function format(byName: ReadonlyMap<string, number>): string {
  return [...byName].map(([name, n]) => `${name || 'unnamed'} ${n}`).join(', ');
}
