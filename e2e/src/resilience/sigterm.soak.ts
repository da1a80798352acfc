import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from './postgres-connections.js';
import { makeCorpus } from './corpus.js';
import { waitUntilFinished, uploadAll } from './ingestion.js';
import { takeInventory } from './inventory.js';
import { SCALED_APPS, ScaledDeployment } from './scaled.deployment.js';
import { StandaloneDeployment } from './standalone.deployment.js';

const GRACE_MS = 2_000;
/** Allowed time beyond the grace period: releasing runs, closing connections, and load on the machine. */
const SLACK_MS = 3_000;

describe('SIGTERM during ingestion', () => {
  it('ends each scaled process with 0 in time, and counts as no failure', { timeout: 300_000 }, async (t) => {
    // Long leases: runs that continue at once have been released, and did not wait for their lease to expire.
    const deployment = await ScaledDeployment.start({
      SHUTDOWN_GRACE_MS: `${GRACE_MS}`,
      LEASE_SECONDS: '60',
    });
    let passed = false;
    try {
      const { client } = deployment;
      const datastoreId = await client.createDatastore('sigterm');
      const uploading = uploadAll(client, datastoreId, makeCorpus(160, 5), { concurrency: 4, pauseMs: 30 });
      for (const app of SCALED_APPS) {
        await sleep(800);
        const { code, signal, ms } = await deployment.app(app).terminate();
        t.diagnostic(`${app}: ended with ${code ?? signal} after ${ms} ms`);
        assert.equal(code, 0, app);
        assert.ok(ms <= GRACE_MS + SLACK_MS, `${app} took ${ms} ms`);
        await deployment.startApp(app);
      }
      await uploading;
      await waitUntilFinished(client, datastoreId, 50_000);
      const engines = await deployment.engines();
      await assertNoFailures(engines.databaseUrl);
      assert.deepEqual((await takeInventory(engines)).problems, []);
      passed = true;
    } finally {
      await deployment.dispose({ keepFiles: !passed });
    }
  });

  it('ends workers and API in time while Redis is down', { timeout: 120_000 }, async (t) => {
    const deployment = await ScaledDeployment.start({ SHUTDOWN_GRACE_MS: `${GRACE_MS}` });
    try {
      const { client } = deployment;
      const datastoreId = await client.createDatastore('redis-down');
      await deployment.redis.kill();
      // Runs that the dispatcher tries to enqueue.
      await uploadAll(client, datastoreId, makeCorpus(2));
      await sleep(1_000);
      for (const app of SCALED_APPS) {
        const { code, signal, ms } = await deployment.app(app).terminate();
        t.diagnostic(`${app} without Redis: ended with ${code ?? signal} after ${ms} ms`);
        assert.equal(code, 0, app);
        assert.ok(ms <= GRACE_MS + SLACK_MS, `${app} took ${ms} ms`);
      }
    } finally {
      await deployment.dispose();
    }
  });

  it(
    'ends the standalone with 0, and ingestion continues after the next start',
    { timeout: 120_000 },
    async (t) => {
      const deployment = await StandaloneDeployment.create({ SHUTDOWN_GRACE_MS: `${GRACE_MS}` });
      try {
        await deployment.start();
        const { client } = deployment;
        const datastoreId = await client.createDatastore('sigterm');
        const uploading = uploadAll(client, datastoreId, makeCorpus(60, 6), { concurrency: 4, pauseMs: 30 });
        await sleep(1_200);
        const { code, signal, ms } = await deployment.terminate();
        t.diagnostic(`standalone: ended with ${code ?? signal} after ${ms} ms`);
        assert.equal(code, 0);
        assert.ok(ms <= GRACE_MS + SLACK_MS);
        await deployment.start();
        await uploading;
        await waitUntilFinished(client, datastoreId);
        const engines = await deployment.engines();
        await assertNoFailures(engines.databaseUrl);
        assert.deepEqual((await takeInventory(engines)).problems, []);
      } finally {
        await deployment.dispose();
      }
    },
  );
});

/** Asserts that no run has counted a failure or a crash: stopping a process must not use up attempts. */
async function assertNoFailures(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (dataSource) => {
    const rows = await dataSource.query<{ n: number; failed: number }[]>(
      `SELECT count(*)::int AS n,
              (count(*) FILTER (WHERE state <> 'succeeded' OR error IS NOT NULL OR failures > 0 OR crashes > 0))::int AS failed
         FROM runs`,
    );
    assert.ok((rows[0]?.n ?? 0) > 0);
    assert.equal(rows[0]?.failed, 0, 'runs with a failure or a crash');
  });
}
