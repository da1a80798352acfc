import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { IngestionError } from '@citewell/contracts/errors';
import type { Stage } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { forceUpdate, TestServer } from '../../fixtures/test-server.fixtures.js';
import type { Batch } from './form-batches.js';
import { CRASH_LIMIT, RunDispatchRepository } from './run-dispatch.repository.js';

const server = new TestServer();
afterAll(() => server.close());

/** Inserts datasources with a pending run each. */
async function insertBacklog(tenant: TestTenant, count: number): Promise<void> {
  await tenant.dataSource.query(
    `WITH created AS (
       INSERT INTO datasources (id, organization_id, datastore_id, type, name)
       SELECT gen_random_uuid(), $1, $2, 'text', 'text ' || n FROM generate_series(1, $3::int) n RETURNING id)
     INSERT INTO runs (id, organization_id, datasource_id, trigger, stage)
     SELECT gen_random_uuid(), $1, id, 'create', 'parsing' FROM created`,
    [tenant.organizationId, tenant.datastoreId, count],
  );
}

const runsOf = (batches: readonly Batch[]): string[] =>
  batches.flatMap(({ deliveries }) => deliveries.map(({ runId }) => runId));
const datasourcesOf = (batches: readonly Batch[]): string[] =>
  batches.flatMap(({ deliveries }) => deliveries.map(({ datasourceId }) => datasourceId));

describe('claiming', () => {
  let dataSource: DataSource;
  let dispatch: RunDispatchRepository;
  beforeEach(async () => {
    dataSource = await server.database();
    dispatch = new RunDispatchRepository(dataSource);
  });

  it('prefers organizations with few runs in flight, however long the backlog of another is', async () => {
    const a = await TestTenant.create(dataSource);
    const b = await TestTenant.create(dataSource);
    await insertBacklog(a, 2_000);
    const first = await dispatch.claim('parsing', 4);
    expect(first.map((batch) => [batch.organizationId, batch.priority])).toEqual(
      [1, 2, 3, 4].map((priority) => [a.organizationId, priority]),
    );
    const { datasource } = await b.datasource();
    const next = await dispatch.claim('parsing', 4);
    expect([datasourcesOf(next)[0], next[0]?.priority]).toEqual([datasource.id, 1]);
    expect(next.slice(1).map((batch) => [batch.organizationId, batch.priority])).toEqual(
      [5, 6, 7].map((priority) => [a.organizationId, priority]),
    );
  });

  it('claims the oldest runs, up to the limit', async () => {
    const tenant = await TestTenant.create(dataSource);
    const created = [];
    for (let n = 0; n < 5; n += 1) created.push((await tenant.datasource()).datasource.id);
    const claimed = [...(await dispatch.claim('parsing', 2)), ...(await dispatch.claim('parsing', 2))];
    expect(datasourcesOf(claimed)).toEqual(created.slice(0, 4));
    // Another stage.
    expect(await dispatch.claim('indexing', 5)).toEqual([]);
  });

  it('claims a released run after those that have waited longer', async () => {
    const tenant = await TestTenant.create(dataSource);
    const created = [];
    for (let n = 0; n < 3; n += 1) created.push((await tenant.datasource()).datasource.id);
    const [first] = await dispatch.claim('parsing', 1);
    const [leased] = first ? await tenant.lifecycle.leaseBatch(first) : [];
    assert.ok(leased);
    await tenant.lifecycle.release(leased.run);
    const claimed = await dispatch.claim('parsing', 2);
    expect(datasourcesOf(claimed)).toEqual(created.slice(1));
  });

  it('claims no run for two dispatchers', async () => {
    const tenants = await Promise.all([1, 2, 3].map(() => TestTenant.create(dataSource)));
    for (const tenant of tenants) await insertBacklog(tenant, 100);
    const claims = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const claimed: string[] = [];
        for (;;) {
          const batches = await dispatch.claim('parsing', 7);
          if (batches.length === 0) return claimed;
          claimed.push(...runsOf(batches));
        }
      }),
    );
    expect(claims.flat()).toHaveLength(300);
    expect(new Set(claims.flat()).size).toBe(300);
  });

  it('claims no run before its time', async () => {
    const tenant = await TestTenant.create(dataSource);
    await insertBacklog(tenant, 3);
    await dataSource.query(
      `UPDATE runs SET not_before = now() + interval '1 minute' WHERE id = (SELECT min(id::text)::uuid FROM runs)`,
    );
    expect(await dispatch.claim('parsing', 10)).toHaveLength(2);
  });

  it('claims a run on its last try alone', async () => {
    const tenant = await TestTenant.create(dataSource);
    await insertBacklog(tenant, 4);
    const [ordinary] = await dispatch.claim('parsing', 1);
    const [suspect] = await dataSource.query<{ id: string }[]>(
      `SELECT id FROM runs WHERE state = 'pending' LIMIT 1`,
    );
    await dataSource.query('UPDATE runs SET crashes = $2 WHERE id = $1', [suspect?.id, CRASH_LIMIT - 1]);

    const beside = await dispatch.claim('parsing', 1);
    // Others are claimed while it waits.
    expect(beside).toHaveLength(1);
    expect(runsOf(beside)).not.toContain(suspect?.id);

    await dataSource.query(`UPDATE runs SET not_before = now() - interval '11 minutes' WHERE id = $1`, [
      suspect?.id,
    ]);
    // Nothing is claimed once it has waited long enough.
    expect(await dispatch.claim('parsing', 10)).toEqual([]);

    assert.ok(ordinary);
    const inFlight = runsOf([ordinary, ...beside]);
    await forceUpdate(dataSource, `UPDATE runs SET state = 'succeeded' WHERE id = ANY($1)`, [inFlight]);
    const claims = await Promise.all([1, 2, 3].map(() => dispatch.claim('parsing', 10)));
    expect(runsOf(claims.flat())).toEqual([suspect?.id]);
    expect(await dispatch.claim('parsing', 10)).toEqual([]);

    await forceUpdate(dataSource, `UPDATE runs SET state = 'failed' WHERE id = $1`, [suspect?.id]);
    // The others are claimed after it.
    expect(await dispatch.claim('parsing', 10)).toHaveLength(1);
  });

  it('claims a run on its last try alone also when two dispatchers claim at once', async () => {
    const tenant = await TestTenant.create(dataSource);
    await insertBacklog(tenant, 2);
    await dataSource.query(
      `UPDATE runs SET crashes = $1, not_before = now() + interval '250 milliseconds'
        WHERE id = (SELECT id FROM runs LIMIT 1)`,
      [CRASH_LIMIT - 1],
    );
    let first: Promise<unknown[]> = Promise.resolve([]);
    let second: Promise<unknown[]> = Promise.resolve([]);
    // The lock lets reads pass and blocks writes, so that both dispatchers are claiming when the run becomes
    // due.
    await dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE runs IN SHARE MODE');
      first = dispatch.claim('parsing', 1);
      await sleep(300);
      second = dispatch.claim('parsing', 1);
      await sleep(100);
    });
    const claimed = [...(await first), ...(await second)];
    // One dispatcher claims nothing.
    expect(claimed).toHaveLength(1);
  });

  it('reads a bounded number of rows of a long backlog', async () => {
    const tenant = await TestTenant.create(dataSource);
    await insertBacklog(tenant, 20_000);
    await dataSource.query('ANALYZE runs');
    await dispatch.claim('parsing', 10);
    const before = await tuplesRead(dataSource);
    const claimed = await dispatch.claim('parsing', 10);
    const read = (await tuplesRead(dataSource)) - before;
    expect(claimed).toHaveLength(10);
    expect(read).toBeGreaterThanOrEqual(10);
    // A batch may have 32 runs.
    expect(read).toBeLessThan(1_000);
  });

  it('reads no other runs to find out whether a stage has pending ones', async () => {
    const tenant = await TestTenant.create(dataSource);
    await insertBacklog(tenant, 20_000);
    await dataSource.query('ANALYZE runs');
    const stages = [{ stage: 'embedding', queue: 'embed' } as const];
    await dispatch.backlog(stages, 1);
    const before = await tuplesRead(dataSource);
    expect((await dispatch.backlog(stages, 1)).capacity.size).toBe(0);
    expect((await tuplesRead(dataSource)) - before).toBeLessThan(100);
  });
});

/** Rows of `runs` that the server has read so far, by scans and through indexes. */
async function tuplesRead(dataSource: DataSource): Promise<number> {
  // Sessions report statistics at intervals. This makes each connection of the pool report now.
  await Promise.all(
    Array.from({ length: 8 }, () => dataSource.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.05)')),
  );
  const [row] = await dataSource.query<{ read: string }[]>(
    `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables WHERE relname = 'runs'`,
  );
  return Number(row?.read);
}

describe('batches', () => {
  const rule = { contentTypes: ['text/plain'] };
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeEach(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  async function texts(count: number, owner = tenant): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await owner.datasource()).datasource.id);
    return ids;
  }
  const claim = async (limit: number) => tenant.dispatch.claim('parsing', limit, rule);
  const sizes = (batches: readonly Batch[]): number[] => batches.map(({ deliveries }) => deliveries.length);

  it('have the oldest small texts, and take one slot each', async () => {
    const ids = await texts(40);
    const [first, second] = [await claim(1), await claim(1)];
    expect(datasourcesOf(first)).toEqual(ids.slice(0, 32));
    expect(datasourcesOf(second)).toEqual(ids.slice(32));
    expect([first[0]?.priority, second[0]?.priority]).toEqual([1, 2]);
    const { capacity } = await tenant.dispatch.backlog([{ stage: 'parsing', queue: 'parse' }], 2);
    expect(capacity.get('parsing') ?? 0).toBe(0);
    await texts(1, await TestTenant.create(dataSource));
    const later = await tenant.dispatch.backlog([{ stage: 'parsing', queue: 'parse' }], 2);
    expect(later.capacity.get('parsing')).toEqual({ slots: 2, free: 2 });
  });

  it('leave slots to other organizations', async () => {
    await texts(70);
    const other = await TestTenant.create(dataSource);
    const limited = async (): Promise<string[]> => {
      const batches = await tenant.dispatch.claim('parsing', 4, { ...rule, perOrganization: 2 });
      return batches.map(({ organizationId }) =>
        organizationId === other.organizationId ? 'other' : 'first',
      );
    };
    expect(await limited()).toEqual(['first', 'first']);
    expect(await limited()).toEqual([]);
    const stages = [{ stage: 'parsing', queue: 'parse' } as const];
    expect((await tenant.dispatch.backlog(stages, 2)).capacity.size).toBe(0);
    await texts(1, other);
    expect((await tenant.dispatch.backlog(stages, 2)).capacity.get('parsing')?.free).toBe(2);
    expect(await limited()).toEqual(['other']);
  });

  it('are leased in one statement: runs that are cancelled or deleted meanwhile are missing', async () => {
    const ids = await texts(4);
    const [batch] = await claim(1);
    assert.ok(batch);
    await tenant.lifecycle.cancel(tenant.scope, ids[1] ?? '');
    await tenant.datasources.markDeleted(tenant.scope, ids[2] ?? '');
    const leased = await tenant.lifecycle.leaseBatch(batch);
    expect(leased.map(({ datasource }) => [datasource.id, datasource.status]).toSorted()).toEqual(
      [ids[0], ids[3]].map((id) => [id, 'running']).toSorted(),
    );
    expect(await tenant.lifecycle.leaseBatch(batch)).toEqual([]);
  });

  it('are short while another organization waits, and take turns', async () => {
    await texts(40);
    const other = await TestTenant.create(dataSource);
    await texts(1, other);
    const claimed = await claim(3);
    expect(sizes(claimed).toSorted()).toEqual([1, 8, 8]);
    expect(claimed.map(({ priority }) => priority)).toEqual([1, 1, 2]);
    // It still waits: no worker has taken it.
    expect(sizes(await claim(1))).toEqual([8]);
    const own = claimed.find(({ organizationId }) => organizationId === other.organizationId);
    assert.ok(own);
    await other.lifecycle.leaseBatch(own);
    expect(sizes(await claim(1))).toEqual([16]);
  });

  it('have no runs that failed or crashed a worker: each is delivered alone, and one that crashed after the other', async () => {
    const ids = await texts(5);
    const [batch] = await claim(1);
    assert.ok(batch);
    const runs = await tenant.lifecycle.leaseBatch(batch);
    await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = ANY($1)`, [
      runs.slice(0, 3).map(({ run }) => run.id),
    ]);
    for (const id of await tenant.dispatch.expiredLeases(10))
      expect(await tenant.lifecycle.endExpiredLease(id)).toBe('pending');
    const failing = runs[3];
    assert.ok(failing);
    await tenant.lifecycle.fail(failing.run, new IngestionError('INTERNAL'));
    await dataSource.query('UPDATE runs SET not_before = now() WHERE id = $1', [failing.run.id]);
    await texts(3);
    const claimed = await claim(10);
    expect(sizes(claimed).toSorted()).toEqual([1, 1, 3]);
    const crashed = ids.slice(0, 3);
    const isCrashed = ({ deliveries }: Batch): boolean => crashed.includes(deliveries[0]?.datasourceId ?? '');
    expect(claimed.filter(isCrashed)).toHaveLength(1);
    expect(await claim(10)).toEqual([]);
    const first = claimed.find(isCrashed);
    assert.ok(first);
    for (const { run } of await tenant.lifecycle.leaseBatch(first))
      await tenant.lifecycle.advance(run, 'indexing', { characters: 1 });
    expect(sizes(await claim(10))).toEqual([1]);
  });

  it('have no content of other types, and not more than 128,000 bytes', async () => {
    await tenant.datasource({ mimeType: 'application/pdf' });
    await tenant.datasource({ mimeType: 'application/pdf' });
    const ids = await texts(5);
    await dataSource.query('UPDATE blobs SET bytes = 60000 WHERE datasource_id = ANY($1)', [ids]);
    expect(sizes(await claim(10))).toEqual([1, 1, 2, 2, 1]);
  });

  for (const [name, characters, deliveries] of [
    ['one after the other if they are small', 10, 1],
    ['at once if they are large', 200_000, 3],
  ] as const)
    it(`of documents that crashed are delivered ${name}`, async () => {
      for (let n = 0; n < 3; n += 1) {
        const { datasource } = await tenant.datasource({ mimeType: 'application/pdf' });
        const { run } = await tenant.take(datasource.id);
        await tenant.lifecycle.advance(run, 'indexing', { characters });
        await dataSource.query('UPDATE runs SET crashes = 1 WHERE id = $1', [run.id]);
      }
      const [first, ...others] = await tenant.dispatch.claim('indexing', 1);
      assert.ok(first);
      expect([sizes([first]), others]).toEqual([[1], []]);
      expect(sizes(await tenant.dispatch.claim('indexing', 10))).toHaveLength(deliveries - 1);
    });

  it('of another stage have no more than 128,000 characters', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { datasource } = await tenant.datasource();
      const { run } = await tenant.take(datasource.id);
      await tenant.lifecycle.advance(run, 'indexing', { characters: 50_000 });
    }
    expect(sizes(await tenant.dispatch.claim('indexing', 10))).toEqual([2, 2]);
  });

  it('are delivered again as they were when no worker took them', async () => {
    await texts(6);
    const [claimed] = await claim(1);
    await dataSource.query(`UPDATE runs SET queued_at = now() - interval '11 seconds'`);
    const [lost, ...others] = await tenant.dispatch.takeLostDeliveries(10);
    expect(others).toEqual([]);
    expect(lost?.id).toBe(claimed?.id);
    expect(lost?.deliveries).toEqual(expect.arrayContaining(claimed?.deliveries ?? []));
  });

  it('are delivered again run by run if an earlier release has delivered them', async () => {
    await texts(2);
    await claim(1);
    await dataSource.query(`UPDATE runs SET batch_id = NULL, queued_at = now() - interval '11 seconds'`);
    const lost = await tenant.dispatch.takeLostDeliveries(10);
    expect(sizes(lost)).toEqual([1, 1]);
    for (const batch of lost) expect(await tenant.lifecycle.leaseBatch(batch)).toHaveLength(1);
  });
});

describe('work that was lost', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  it('is delivered again with the same number when no worker took it', async () => {
    await tenant.datasource();
    const [claimed] = await tenant.dispatch.claim('parsing', 1);
    expect(await tenant.dispatch.takeLostDeliveries(10)).toEqual([]);
    await dataSource.query(`UPDATE runs SET queued_at = now() - interval '31 seconds'`);
    const [lost] = await tenant.dispatch.takeLostDeliveries(10);
    expect(lost).toEqual(claimed);
    // Not again at once.
    expect(await tenant.dispatch.takeLostDeliveries(10)).toEqual([]);
    expect(claimed && (await tenant.lifecycle.leaseBatch(claimed))).toHaveLength(1);
  });

  it('is found by its expired lease', async () => {
    expect(await tenant.dispatch.expiredLeases(10)).toEqual([]);
    await tenant.workers.announce('w', 'parse', 2);
    await tenant.dispatch.takeBackAllWork();
    const expired = await tenant.dispatch.expiredLeases(10);
    expect(expired).toHaveLength(1);
    expect(await tenant.lifecycle.endExpiredLease(expired[0] ?? '')).toBe('pending');
    expect(await tenant.dispatch.expiredLeases(10)).toEqual([]);
    expect(await dataSource.query<unknown[]>('SELECT 1 FROM workers')).toHaveLength(0);
  });
});

describe('the capacity of a stage', () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await TestTenant.create(await server.database());
  });

  async function capacityOf(stage: Stage, queue: string, minimumSlots: number): Promise<number> {
    const { capacity } = await tenant.dispatch.backlog([{ stage, queue }], minimumSlots);
    return capacity.get(stage)?.free ?? 0;
  }

  it('is twice the slots of the living workers, less the runs in flight', async () => {
    const { dispatch, workers, dataSource } = tenant;
    await insertBacklog(tenant, 5);
    expect(await capacityOf('parsing', 'parse', 1)).toBe(2);
    await workers.announce('w1', 'parse', 2);
    await workers.announce('w1', 'parse', 3);
    await workers.announce('w2', 'parse', 4);
    await workers.announce('w2', 'index', 9);
    expect(await capacityOf('parsing', 'parse', 1)).toBe(14);
    await dispatch.claim('parsing', 3);
    expect(await capacityOf('parsing', 'parse', 1)).toBe(11);
    await dataSource.query(`UPDATE workers SET seen_at = now() - interval '16 seconds' WHERE id = 'w1'`);
    expect(await capacityOf('parsing', 'parse', 1)).toBe(5);
    await workers.remove('w2');
    expect(await capacityOf('parsing', 'parse', 1)).toBe(0);
  });

  it('is none without runs that are due', async () => {
    const { dataSource } = tenant;
    expect(await capacityOf('indexing', 'index', 1)).toBe(0);
    expect(await capacityOf('parsing', 'parse', 9)).toBe(15);
    for (const waiting of [
      `not_before = now() + interval '1 minute'`,
      `not_before = now(), state = 'waiting'`,
    ]) {
      await forceUpdate(dataSource, `UPDATE runs SET ${waiting} WHERE state = 'pending'`);
      expect([waiting, await capacityOf('parsing', 'parse', 9)]).toEqual([waiting, 0]);
    }
  });
});

describe('unfinished runs', () => {
  it('are counted with the age of the oldest waiting run', async () => {
    const tenant = await TestTenant.create(await server.database());
    const { dispatch, dataSource } = tenant;
    await insertBacklog(tenant, 5);
    await dispatch.claim('parsing', 3);
    const set = (state: string, fields: string): Promise<unknown> =>
      dataSource.query(`UPDATE runs SET ${fields} WHERE id = (SELECT id FROM runs WHERE state = '${state}'
                                                           ORDER BY not_before DESC LIMIT 1)`);
    const counted = async () =>
      (await dispatch.runsByStage())
        .map(({ waitSeconds, ...counts }) => ({ ...counts, waitSeconds: Math.floor(waitSeconds / 10) * 10 }))
        .toSorted((a, b) => (a.state < b.state ? -1 : 1));
    const stage = 'parsing';
    expect(await counted()).toEqual([
      { stage, state: 'pending', runs: 2, waitSeconds: 0 },
      { stage, state: 'queued', runs: 3, waitSeconds: 0 },
    ]);
    await set('queued', `not_before = now() - interval '300 seconds'`);
    await set('queued', `not_before = now() - interval '400 seconds', state = 'active'`);
    await set('pending', `not_before = now() - interval '90 seconds'`);
    expect(await counted()).toEqual([
      { stage, state: 'active', runs: 1, waitSeconds: 0 },
      { stage, state: 'pending', runs: 2, waitSeconds: 90 },
      { stage, state: 'queued', runs: 2, waitSeconds: 300 },
    ]);
    // Sites that wait for their pages, and runs that are tried again later, do not wait for a worker.
    await forceUpdate(dataSource, `UPDATE runs SET state = 'waiting' WHERE state = 'pending'`);
    await dataSource.query(`UPDATE runs SET not_before = now() + interval '1 minute' WHERE state = 'queued'`);
    expect((await counted()).map(({ waitSeconds }) => waitSeconds)).toEqual([0, 0, 0]);
  });
});
