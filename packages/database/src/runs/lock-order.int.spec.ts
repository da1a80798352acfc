import { IngestionError } from '@citewell/contracts/errors';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SPACE, TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import type { LeasedRun } from './lease-batch.js';

const COUNTS = { chunks: 1, characters: 10, bytes: 4, pages: 0 };
const ROUNDS = 40;
/** Runs of a round. Each is served, and changed from another side at the same moment. */
const RUNS = 8;

describe('the order of locks', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });
  afterAll(() => server.close());

  /** Runs in their last stage. */
  async function leased(): Promise<LeasedRun[]> {
    const texts = await Promise.all(Array.from({ length: RUNS }, () => tenant.newText()));
    await tenant.datasources.write(tenant.scope, texts);
    const rule = { contentTypes: ['text/plain'] };
    for (const batch of await tenant.dispatch.claim('parsing', 10, rule))
      for (const { run } of await tenant.lifecycle.leaseBatch(batch))
        await tenant.lifecycle.advance(run, 'indexing', { characters: 10 });
    const batches = await tenant.dispatch.claim('indexing', 10, rule);
    const runs = await Promise.all(batches.map((batch) => tenant.lifecycle.leaseBatch(batch, SPACE)));
    return runs.flat();
  }

  it('is the same on every side: no deadlock', async () => {
    const others: ((run: LeasedRun) => Promise<unknown>)[] = [
      ({ datasource }) => tenant.datasources.markDeleted(tenant.scope, datasource.id),
      ({ datasource }) => tenant.lifecycle.cancel(tenant.organizationId, datasource.id),
      ({ run }) => tenant.lifecycle.fail(run, new IngestionError('PAGE_GONE')),
      async ({ datasource }) => {
        const content = { ...(await tenant.upload(datasource.id)), mimeType: 'text/plain' };
        await tenant.datasources.replaceContent(tenant.scope, datasource.id, content);
      },
      ({ datasource }) => tenant.datasources.sync(tenant.scope, datasource.id),
      ({ run }) => tenant.lifecycle.heartbeat(run, { done: 1, total: 2 }),
    ];
    let changes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const runs = await leased();
      const served = runs.map(({ run }) =>
        tenant.lifecycle.serve(run, COUNTS, { isEmbeddedLater: round % 2 === 0 }),
      );
      const changed = runs.map((run, index) => others[(round + index) % others.length]?.(run));
      const outcomes = await Promise.allSettled([...served, ...changed]);
      changes += outcomes.length;
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect([outcome.reason.name, outcome.reason.message]).toEqual([
            'LeaseLostError',
            expect.any(String),
          ]);
    }
    expect(changes).toBeGreaterThanOrEqual(2 * RUNS * ROUNDS);
    expect(await deadlocks(dataSource)).toBe(0);
  });
});

/** Deadlocks of this database, also those after which a statement was tried again. */
async function deadlocks(dataSource: DataSource): Promise<number> {
  // Sessions report statistics at intervals. This makes each connection of the pool report now.
  await Promise.all(
    Array.from({ length: 8 }, () => dataSource.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.05)')),
  );
  const [row] = await dataSource.query<{ deadlocks: number }[]>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? NaN;
}
