import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { report } from '../../report.js';
import { disturbEmbedded, disturbScaled } from '../../deployments/disturbed.js';
import { withDatabase } from './postgres-connections.js';
import { makeCorpus } from './corpus.js';
import { waitUntilFinished, uploadAll } from './ingestion.js';
import { takeInventory } from './inventory.js';
import { SCALED_APPS } from '../../deployments/scaled.deployment.js';

const GRACE_MS = 2_000;
/** Allowed time beyond the grace period: releasing runs, closing connections, and load on the machine. */
const SLACK_MS = 3_000;

describe('SIGTERM during ingestion', () => {
  it('ends each scaled process with 0 in time, and counts as no failure', async () => {
    // Long leases: runs that continue at once have been released, and did not wait for their lease to expire.
    await disturbScaled(
      async (deployment) => {
        const { tenant } = deployment;
        const { id: datastoreId } = await tenant.datastore('sigterm');
        const uploading = uploadAll(tenant, datastoreId, makeCorpus(160, 5), { concurrency: 4, pauseMs: 30 });
        for (const app of SCALED_APPS) {
          await sleep(800);
          const { code, signal, ms } = await deployment.app(app).terminate();
          report(`${app}: ended with ${code ?? signal} after ${ms} ms`);
          expect([app, code]).toEqual([app, 0]);
          expect(ms).toBeLessThanOrEqual(GRACE_MS + SLACK_MS);
          await deployment.startApp(app);
        }
        await uploading;
        await waitUntilFinished(tenant, datastoreId, 50_000);
        await assertNoFailures(deployment.databaseUrl);
        expect((await takeInventory(deployment)).problems).toEqual([]);
      },
      {
        SHUTDOWN_GRACE_MS: `${GRACE_MS}`,
        LEASE_SECONDS: '60',
      },
    );
  });

  it('ends workers and API in time while Redis is down', async () => {
    await disturbScaled(
      async (deployment) => {
        const { tenant } = deployment;
        const { id: datastoreId } = await tenant.datastore('redis-down');
        await deployment.redis.kill();
        // Runs that the dispatcher tries to enqueue.
        await uploadAll(tenant, datastoreId, makeCorpus(2));
        await sleep(1_000);
        for (const app of SCALED_APPS) {
          const { code, signal, ms } = await deployment.app(app).terminate();
          report(`${app} without Redis: ended with ${code ?? signal} after ${ms} ms`);
          expect([app, code]).toEqual([app, 0]);
          expect(ms).toBeLessThanOrEqual(GRACE_MS + SLACK_MS);
        }
      },
      { SHUTDOWN_GRACE_MS: `${GRACE_MS}` },
    );
  });

  it('ends the standalone with 0, and ingestion continues after the next start', async () => {
    await disturbEmbedded(
      async (deployment) => {
        const { tenant } = deployment;
        const { id: datastoreId } = await tenant.datastore('sigterm');
        const uploading = uploadAll(tenant, datastoreId, makeCorpus(60, 6), { concurrency: 4, pauseMs: 30 });
        await sleep(1_200);
        const { code, signal, ms } = await deployment.terminate();
        report(`standalone: ended with ${code ?? signal} after ${ms} ms`);
        expect(code).toBe(0);
        expect(ms).toBeLessThanOrEqual(GRACE_MS + SLACK_MS);
        await deployment.start();
        await uploading;
        await waitUntilFinished(tenant, datastoreId);
        await assertNoFailures(deployment.databaseUrl);
        expect((await takeInventory(deployment)).problems).toEqual([]);
      },
      { SHUTDOWN_GRACE_MS: `${GRACE_MS}` },
    );
  });
});

/** Asserts that no run has counted a failure or a crash: stopping a process must not use up attempts. */
async function assertNoFailures(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (dataSource) => {
    const rows = await dataSource.query<{ n: number; failed: number }[]>(
      `SELECT count(*)::int AS n,
              (count(*) FILTER (WHERE state <> 'succeeded' OR error IS NOT NULL OR failures > 0 OR crashes > 0))::int AS failed
         FROM runs`,
    );
    expect(rows[0]?.n ?? 0).toBeGreaterThan(0);
    // Runs with a failure or a crash.
    expect(rows[0]?.failed).toBe(0);
  });
}
