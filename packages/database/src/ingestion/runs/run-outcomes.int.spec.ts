import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { IngestionError } from '@citewell/contracts/errors';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { forceUpdate, TestServer } from '../../fixtures/test-server.fixtures.js';
import { type LeasedRun, LeaseLostError } from './lease.js';
import { CRASH_LIMIT } from './run-dispatch.repository.js';

const COUNTS = { chunks: 1, characters: 100, bytes: 100, pages: 0 };

const server = new TestServer();
afterAll(() => server.close());

describe('a run that fails', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  /** Makes a run due. @returns milliseconds until it would have been, by the clock of the database */
  async function skipPause({ run }: LeasedRun): Promise<number> {
    const [row] = await dataSource.query<{ ms: number }[]>(
      'SELECT extract(epoch FROM not_before - now())::float8 * 1000 AS ms FROM runs WHERE id = $1',
      [run.id],
    );
    await dataSource.query('UPDATE runs SET not_before = now() WHERE id = $1', [run.id]);
    return row?.ms ?? Number.NaN;
  }

  it('ends at once for a permanent failure', async () => {
    const { datasource } = await tenant.datasource();
    const leased = await tenant.take(datasource.id);
    expect(await tenant.lifecycle.fail(leased.run, new IngestionError('CORRUPT_FILE'))).toBe('ended');
    const view = await tenant.view(datasource.id);
    expect([view.datasource.status, view.current]).toEqual(['error', null]);
    expect([view.datasource.error?.code, view.datasource.error?.retryable]).toEqual(['CORRUPT_FILE', false]);
  });

  it('is tried eight times with growing pauses for a transient failure', async () => {
    const { datasource } = await tenant.datasource();
    const waits: number[] = [];
    for (;;) {
      const leased = await tenant.take(datasource.id);
      if ((await tenant.lifecycle.fail(leased.run, new IngestionError('DEPENDENCY_UNAVAILABLE'))) === 'ended')
        break;
      const { current } = await tenant.view(datasource.id);
      expect([current?.state, current?.error?.code]).toEqual(['pending', 'DEPENDENCY_UNAVAILABLE']);
      // Claimed before its time.
      expect(await tenant.dispatch.claim('parsing', 10)).toHaveLength(0);
      waits.push(await skipPause(leased));
    }
    expect(waits).toHaveLength(7);
    for (const [index, ms] of waits.entries()) {
      const longest = 1_000 * 2 ** index;
      expect(ms).toBeGreaterThan(longest / 2 - 500);
      expect(ms).toBeLessThanOrEqual(longest);
    }
    const { datasource: ended } = await tenant.view(datasource.id);
    expect([ended.status, ended.error?.retryable]).toEqual(['error', true]);
  });

  it('waits as long as a provider asks for, without a failure', async () => {
    const { datasource } = await tenant.datasource();
    for (let n = 0; n < 12; n += 1) {
      const leased = await tenant.take(datasource.id);
      const error = new IngestionError('RATE_LIMITED', { retryAfterMs: 30_000 });
      expect(await tenant.lifecycle.fail(leased.run, error)).toBe('pending');
      const ms = await skipPause(leased);
      expect(ms).toBeGreaterThan(29_000);
      expect(ms).toBeLessThanOrEqual(30_000);
    }
    const { current } = await tenant.view(datasource.id);
    expect([current?.failures, current?.error?.code]).toEqual([0, 'RATE_LIMITED']);
    await tenant.lifecycle.cancel(tenant.scope, datasource.id);
  });

  for (const code of ['PARSE_TIMEOUT', 'PARSE_MEMORY', 'PARSER_CRASHED'] as const) {
    it(`is tried three times for ${code}`, async () => {
      const { datasource } = await tenant.datasource();
      const outcomes: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const leased = await tenant.take(datasource.id);
        outcomes.push(await tenant.lifecycle.fail(leased.run, new IngestionError(code)));
        await skipPause(leased);
      }
      expect(outcomes).toEqual(['pending', 'pending', 'ended']);
      expect((await tenant.view(datasource.id)).datasource.error?.code).toBe(code);
    });
  }

  it('leaves the serving run of its datasource serving', async () => {
    const { datasource } = await tenant.datasource();
    const served = await tenant.serve(datasource.id);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    const leased = await tenant.take(datasource.id);
    await tenant.lifecycle.fail(leased.run, new IngestionError('CORRUPT_FILE'));
    const view = await tenant.view(datasource.id);
    expect([view.datasource.status, view.serving?.id]).toEqual(['error', served]);
  });

  it('ends after too many crashes of its workers', async () => {
    const { datasource } = await tenant.datasource();
    const outcomes: string[] = [];
    for (let n = 0; n < CRASH_LIMIT; n += 1) {
      const { run } = await tenant.take(datasource.id);
      // The lease has not expired.
      expect(await tenant.lifecycle.endExpiredLease(run.id)).toBe('alive');
      await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
        run.id,
      ]);
      expect(await tenant.dispatch.expiredLeases(10)).toEqual([run.id]);
      outcomes.push(await tenant.lifecycle.endExpiredLease(run.id));
      // A crash counts once.
      expect(await tenant.lifecycle.endExpiredLease(run.id)).toBe('alive');
    }
    expect(outcomes).toEqual([...Array.from({ length: CRASH_LIMIT - 1 }, () => 'pending'), 'ended']);
    const view = await tenant.view(datasource.id);
    expect([view.datasource.status, view.datasource.error?.code]).toEqual(['error', 'WORKER_CRASHED']);
  });
});

describe('cancelling', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  for (const synchedBefore of [false, true]) {
    for (const state of ['pending', 'queued', 'active'] as const) {
      it(`ends a ${state} run of a datasource that was ${synchedBefore ? '' : 'never '}synched`, async () => {
        const { datasource } = await tenant.datasource();
        const served = synchedBefore ? await tenant.serve(datasource.id) : null;
        if (synchedBefore) await tenant.datasources.sync(tenant.scope, datasource.id);
        if (state === 'queued') await tenant.dispatch.claim('parsing', 100);
        const leased = state === 'active' ? await tenant.take(datasource.id) : null;

        expect(await tenant.lifecycle.cancel(tenant.scope, datasource.id)).toBe(true);

        const view = await tenant.view(datasource.id);
        expect(view.datasource.status).toBe(synchedBefore ? 'synched' : 'unsynched');
        expect(view.datasource.error?.code).toBe('CANCELLED');
        expect(view.serving?.id ?? null).toBe(served);
        expect(view.current).toBeNull();
        expect(await tenant.dispatch.claim('parsing', 100)).toEqual([]);
        if (leased)
          await expect(tenant.lifecycle.heartbeat(leased.run, null)).rejects.toThrow(LeaseLostError);
      });
    }
  }

  it('changes nothing without an unfinished run', async () => {
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id);
    expect(await tenant.lifecycle.cancel(tenant.scope, datasource.id)).toBe(false);
    expect((await tenant.view(datasource.id)).datasource.error).toBeNull();
  });
});

describe('runs of one datasource', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  it('are unfinished one at a time, also with concurrent syncs', async () => {
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id);
    const views = await Promise.all(
      Array.from({ length: 8 }, () => tenant.datasources.sync(tenant.scope, datasource.id)),
    );
    expect(new Set(views.map((view) => view?.current?.id)).size).toBe(1);
    expect(await tenant.datasources.runs(tenant.scope, datasource.id, { limit: 10 })).toHaveLength(2);
  });

  it('change nothing after its deletion', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.untilSwitch(datasource.id, 50);
    const stored = await tenant.storedCharacters();
    await tenant.datasources.markDeleted(tenant.scope, datasource.id);
    await expect(tenant.lifecycle.heartbeat(run, null)).rejects.toThrow(LeaseLostError);
    await expect(tenant.lifecycle.serve(run, COUNTS)).rejects.toThrow(LeaseLostError);
    await expect(tenant.lifecycle.fail(run, new IngestionError('INTERNAL'))).rejects.toThrow(LeaseLostError);
    expect(await tenant.storedCharacters()).toBe(stored);
    expect(await tenant.datasources.sync(tenant.scope, datasource.id)).toBeNull();
    const [row] = await dataSource.query<{ serving_run_id: string | null }[]>(
      'SELECT serving_run_id FROM datasources WHERE id = $1',
      [datasource.id],
    );
    expect(row?.serving_run_id).toBeNull();
  });

  it('end when the content is replaced, and a new one reads the new content', async () => {
    const { datasource } = await tenant.datasource();
    const first = await tenant.take(datasource.id);
    const content = await tenant.upload(datasource.id);
    const view = await tenant.datasources.replaceContent(tenant.scope, datasource.id, {
      ...content,
      mimeType: 'text/plain',
    });
    await expect(tenant.lifecycle.heartbeat(first.run, null)).rejects.toThrow(LeaseLostError);
    expect([view?.current?.contentKey, view?.current?.trigger, view?.datasource.contentKey]).toEqual([
      content.key,
      'update',
      content.key,
    ]);
    expect(view?.current?.id).not.toBe(first.run.id);
  });

  const changes: [name: string, change: (leased: LeasedRun) => Promise<unknown>][] = [
    ['fail', ({ run }) => tenant.lifecycle.fail(run, new IngestionError('CORRUPT_FILE'))],
    ['cancel', ({ run }) => tenant.lifecycle.cancel(tenant.scope, run.datasourceId)],
    ['crashed', ({ run }) => tenant.lifecycle.endExpiredLease(run.id)],
    ['serve', ({ run }) => tenant.lifecycle.serve(run, COUNTS)],
    ['keepServing', ({ run }) => tenant.lifecycle.keepServing(run)],
    [
      'leaseBatch',
      async ({ run, datasource }) => {
        const deliveries = [{ datasourceId: datasource.id, runId: run.id, delivery: run.delivery }];
        return tenant.lifecycle.leaseBatch({
          organizationId: tenant.organizationId,
          stage: run.stage,
          deliveries,
        });
      },
    ],
  ];
  for (const [name, change] of changes) {
    it(`are locked after their datasource, so that a deletion does not deadlock: ${name}`, async () => {
      const { datasource } = await tenant.datasource();
      const leased = await tenant.take(datasource.id);
      const { id } = leased.run;
      if (name === 'leaseBatch')
        await forceUpdate(dataSource, `UPDATE runs SET state = 'queued' WHERE id = $1`, [id]);
      if (name === 'crashed')
        await dataSource.query('UPDATE runs SET lease_until = created_at WHERE id = $1', [id]);
      let changing: Promise<unknown> = Promise.resolve();
      // Locks in the order of a deletion.
      await dataSource.transaction(async (manager) => {
        await manager.query('SELECT 1 FROM datasources WHERE id = $1 FOR UPDATE', [datasource.id]);
        changing = change(leased);
        changing.catch(() => undefined);
        await untilConnectionWaits(dataSource);
        await manager.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE NOWAIT', [id]);
      });
      await changing;
    });
  }
});

describe('stored characters', () => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await server.database();
  });

  it('change with the serving runs and with deletions', async () => {
    const tenant = await TestTenant.create(dataSource);
    const { datasource } = await tenant.datasource();
    const other = await tenant.datasource();
    await tenant.serve(datasource.id, 100);
    expect(await tenant.storedCharacters()).toBe(100);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.serve(datasource.id, 130);
    expect(await tenant.storedCharacters()).toBe(130);
    await tenant.lifecycle.cancel(tenant.scope, other.datasource.id);
    await tenant.datasources.sync(tenant.scope, other.datasource.id);
    await tenant.serve(other.datasource.id, 20);
    expect(await tenant.storedCharacters()).toBe(150);
    await tenant.datasources.markDeleted(tenant.scope, datasource.id);
    await tenant.datasources.markDeleted(tenant.scope, datasource.id);
    expect(await tenant.storedCharacters()).toBe(20);
  });

  it('stay within the limit, and may always decrease', async () => {
    const tenant = await TestTenant.create(dataSource, { limitStoredCharacters: 150 });
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id, 100);
    const { datasource: second } = await tenant.datasource();
    const { run } = await tenant.untilSwitch(second.id, 51);
    const error = await tenant.lifecycle.serve(run, COUNTS).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof IngestionError && error.code === 'USAGE_LIMIT');
    expect(await tenant.lifecycle.fail(run, error)).toBe('ended');
    expect((await tenant.view(second.id)).datasource.status).toBe('usage_limit_reached');
    expect(await tenant.storedCharacters()).toBe(100);

    await tenant.datasources.sync(tenant.scope, second.id);
    await tenant.serve(second.id, 50);
    // Exactly the limit fits.
    expect(await tenant.storedCharacters()).toBe(150);
    await dataSource.query('UPDATE organizations SET limit_stored_characters = 10 WHERE id = $1', [
      tenant.organizationId,
    ]);
    await tenant.datasources.sync(tenant.scope, second.id);
    await tenant.serve(second.id, 40);
    expect(await tenant.storedCharacters()).toBe(140);
  });

  it('are exact after concurrent switches', async () => {
    const tenant = await TestTenant.create(dataSource, { limitStoredCharacters: 60 });
    const views = [];
    for (let n = 0; n < 10; n += 1) views.push(await tenant.datasource());
    const ready: LeasedRun[] = [];
    for (const batch of await tenant.dispatch.claim('parsing', 100))
      for (const leased of await tenant.lifecycle.leaseBatch(batch))
        ready.push({ ...leased, run: { ...leased.run, characters: 10 } });
    const outcomes = await Promise.allSettled(ready.map(({ run }) => tenant.lifecycle.serve(run, COUNTS)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(6);
    expect(await tenant.storedCharacters()).toBe(60);
    expect(views).toHaveLength(10);
  });

  it('are exact when some of the concurrent switches fail', async () => {
    const tenant = await TestTenant.create(dataSource);
    const runs = [];
    for (let n = 0; n < 5; n += 1) {
      const { datasource } = await tenant.datasource();
      runs.push((await tenant.untilSwitch(datasource.id, 10)).run);
    }
    const [deleted, late, ...good] = runs;
    assert.ok(deleted && late);
    await tenant.datasources.markDeleted(tenant.scope, deleted.datasourceId);
    const outcomes = await Promise.allSettled(
      [...good, deleted, { ...late, delivery: late.delivery - 1 }].map((run) =>
        tenant.lifecycle.serve(run, COUNTS),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    for (const { datasourceId, id } of good) {
      const { datasource, serving } = await tenant.view(datasourceId);
      expect([datasource.status, serving?.id, serving?.counts]).toEqual(['synched', id, COUNTS]);
    }
    expect((await tenant.view(late.datasourceId)).serving).toBeNull();
    expect(await tenant.storedCharacters()).toBe(30);
  });
});

describe('concurrent switches of two deliveries of one run', () => {
  it('are one switch, and the late delivery loses its lease', async () => {
    const tenant = await TestTenant.create(await server.database());
    const runs = [];
    for (let n = 0; n < 2; n += 1) {
      const { datasource } = await tenant.datasource();
      runs.push((await tenant.untilSwitch(datasource.id, 10)).run);
    }
    const [other, run] = runs;
    assert.ok(other && run);
    const outcomes = await Promise.allSettled(
      [other, { ...run, delivery: run.delivery - 1 }, run].map((item) =>
        tenant.lifecycle.serve(item, COUNTS),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await tenant.storedCharacters()).toBe(20);
  });
});

/** Resolves when a connection to this database waits for a lock. */
async function untilConnectionWaits(dataSource: DataSource): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const waiting = await dataSource.query<unknown[]>(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
    await sleep(10);
  }
  assert.fail('no connection waits for a lock');
}
