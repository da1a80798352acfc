import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SPACE, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { type LeasedRun, LeaseLostError } from './lease.js';

const COUNTS = { chunks: 1, characters: 10, bytes: 4, pages: 0 };

describe('runs that are changed together', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });
  afterAll(() => server.close());

  /** Three runs of one job, in the stage `indexing`. */
  async function batch(): Promise<LeasedRun[]> {
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      const { datasource } = await tenant.datasource();
      const parsing = await tenant.take(datasource.id);
      await tenant.lifecycle.advance(parsing.run, 'indexing', { characters: 10 });
      ids.push(datasource.id);
    }
    const [claimed] = await tenant.dispatch.claim('indexing', 1);
    assert.ok(claimed);
    const runs = await tenant.lifecycle.leaseBatch(claimed, SPACE);
    expect(runs.map(({ datasource }) => datasource.id).toSorted()).toEqual(ids.toSorted());
    return runs;
  }

  const advance = (run: RunEntity): Promise<unknown> =>
    tenant.lifecycle.advance(run, 'embedding', { fingerprint: run.id });
  const changes: Record<string, (run: RunEntity) => Promise<unknown>> = {
    heartbeat: (run) => tenant.lifecycle.heartbeat(run, { done: 1, total: 2 }),
    advance,
    serve: (run) => tenant.lifecycle.serve(run, COUNTS),
  };
  const losses: Record<string, (leased: LeasedRun) => Promise<unknown>> = {
    'was deleted': ({ datasource }) => tenant.datasources.markDeleted(tenant.scope, datasource.id),
    'was cancelled': ({ datasource }) => tenant.lifecycle.cancel(tenant.scope, datasource.id),
    'was taken by another worker': ({ run }) =>
      dataSource.query(`UPDATE runs SET lease_owner = 'other', delivery = delivery + 1 WHERE id = $1`, [
        run.id,
      ]),
  };

  for (const [change, apply] of Object.entries(changes))
    for (const [loss, lose] of Object.entries(losses))
      it(`${change}: one that ${loss} fails alone`, async () => {
        const runs = await batch();
        const lost = runs[1];
        assert.ok(lost);
        await lose(lost);
        const outcomes = await Promise.allSettled(runs.map(({ run }) => apply(run)));
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(outcomes[1]).toMatchObject({ reason: expect.any(LeaseLostError) });
        await endAll();
      });

  it('keep the results of each', async () => {
    const runs = await batch();
    await Promise.all(runs.map(({ run }) => advance(run)));
    for (const { run, datasource } of runs)
      expect((await tenant.view(datasource.id)).current).toMatchObject({
        state: 'pending',
        stage: 'embedding',
        fingerprint: run.id,
        characters: 10,
      });
    await endAll();
  });

  it('do not wait for one that another transaction has locked, except that one', async () => {
    const runs = await batch();
    const locked = runs[1];
    assert.ok(locked);
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [locked.run.id]);
    const ended: string[] = [];
    const advances = runs.map(({ run }) =>
      tenant.lifecycle.advance(run, 'embedding', {}).then(() => ended.push(run.id)),
    );
    await Promise.all([advances[0], advances[2]]);
    expect(ended).not.toContain(locked.run.id);
    await other.commitTransaction();
    await other.release();
    await Promise.all(advances);
    expect(ended).toContain(locked.run.id);
    await endAll();
  });

  const endAll = (): Promise<unknown> =>
    dataSource.query(
      `UPDATE runs SET state = 'cancelled' WHERE state IN ('pending', 'queued', 'active', 'waiting')`,
    );
});
