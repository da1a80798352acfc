import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsOf } from './connections.js';
import { EVERYWHERE, makeCorpus } from './corpus.js';
import { outcomesOf, untilSettled, uploadAll } from './ingestion.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { waitUntil } from './wait-until.js';

/**
 * What the standalone may have open: 10 of the pool, 4 + 3 of the queue (its three workers listen), one that the
 * dispatcher listens on and one that the indexer does, and the one that holds the lock of the data directory.
 */
const BUDGET = 20;
const POSTMASTER_KILLS = 4;

describe('connections to Postgres, standalone', () => {
  it(
    'stay within their budget, and come back after the postmaster was killed',
    { timeout: 300_000 },
    async (t) => {
      const deployment = await StandaloneDeployment.create();
      try {
        await deployment.start();
        const { client } = deployment;
        const datastoreId = await client.createDatastore('connections');
        const counting = new AbortController();
        const highest = countHighest(deployment, counting.signal);
        await uploadAll(client, datastoreId, makeCorpus(60), { atOnce: 12 });
        const queries = Array.from({ length: 400 }, () => client.query(datastoreId, EVERYWHERE, { topK: 5 }));
        await Promise.all(queries);
        await untilSettled(client, datastoreId);
        counting.abort();
        const { total, byName } = await highest;
        t.diagnostic(`at most ${total} of ${BUDGET}: ${byName}`);
        assert.ok(total <= BUDGET);

        for (let kill = 0; kill < POSTMASTER_KILLS; kill += 1) {
          process.kill(await deployment.postgresPid(), 'SIGKILL');
          const started = performance.now();
          // Its backends may outlive it for a moment: answers, not readiness, show that it is back.
          await sleep(500);
          const laterId = await waitUntil('database back', () => client.createDatastore(`after-${kill}`));
          const back = performance.now() - started;
          // Idle workers are woken by NOTIFY alone: a file that is taken at once shows that they listen again.
          await uploadAll(client, laterId, makeCorpus(1));
          await untilSettled(client, laterId, 20_000);
          const first = performance.now() - started;
          await sleep(1_500);
          const again = performance.now();
          await uploadAll(client, laterId, makeCorpus(2).slice(1));
          await untilSettled(client, laterId, 20_000);
          t.diagnostic(
            `killed: answering after ${back.toFixed(0)} ms, a file synched after ${first.toFixed(0)} ms, ` +
              `the next one within ${(performance.now() - again).toFixed(0)} ms`,
          );
          assert.equal((await outcomesOf(client, laterId)).size, 2);
        }
        const { databaseUrl } = await deployment.engines();
        const after = await connectionsOf(databaseUrl);
        const total_ = [...after.values()].reduce((sum, n) => sum + n, 0);
        t.diagnostic(`afterwards: ${total_}: ${shown(after)}`);
        assert.ok(total_ <= BUDGET);
      } finally {
        await deployment.dispose();
      }
    },
  );
});

async function countHighest(
  deployment: StandaloneDeployment,
  signal: AbortSignal,
): Promise<{ total: number; byName: string }> {
  const { databaseUrl } = await deployment.engines();
  let highest = { total: 0, byName: '' };
  while (!signal.aborted) {
    const byName = await connectionsOf(databaseUrl);
    const total = [...byName.values()].reduce((sum, n) => sum + n, 0);
    if (total > highest.total) highest = { total, byName: shown(byName) };
    await sleep(100);
  }
  return highest;
}

function shown(byName: ReadonlyMap<string, number>): string {
  return [...byName].map(([name, n]) => `${name || 'unnamed'} ${n}`).join(', ');
}
