import assert from 'node:assert/strict';
import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import type { BatchPayload, Delivery } from '@citewell/contracts/jobs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PassageRepository } from '../../content/datasources/passage.repository.js';
import { LEASE_SECONDS, onlyOf, SPACE, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { PurgeRepository } from '../purging/purge.repository.js';
import { LeaseLostError } from './lease.js';
import { RunLifecycleRepository } from './run-lifecycle.repository.js';

const COUNTS = { chunks: 1, characters: 100, bytes: 100, pages: 0 };

const server = new TestServer();
afterAll(() => server.close());

describe('the lease of a run', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  async function claimed(): Promise<{ batch: BatchPayload; delivery: Delivery }> {
    const { datasource } = await tenant.datasource();
    const batch = onlyOf(datasource.id, await tenant.dispatch.claim('parsing', 100));
    assert.ok(batch?.deliveries[0]);
    return { batch, delivery: batch.deliveries[0] };
  }

  it('is granted to one of several workers with the same delivery', async () => {
    const { batch, delivery } = await claimed();
    const workers = Array.from(
      { length: 6 },
      (_, n) => new RunLifecycleRepository(dataSource, `w${n}`, LEASE_SECONDS),
    );
    const leases = await Promise.all(workers.map((worker) => worker.leaseBatch(batch)));
    expect(leases.flat()).toHaveLength(1);
    const view = await tenant.view(delivery.datasourceId);
    expect(view.datasource.status).toBe('running');
    expect(view.current?.state).toBe('active');
  });

  it('is refused for a late delivery, and for ids that do not belong together', async () => {
    const { batch, delivery } = await claimed();
    const other = await TestTenant.create(dataSource);
    const otherDatasource = await tenant.datasource();
    const deliveries = (change: Partial<Delivery>) => ({
      ...batch,
      deliveries: [{ ...delivery, ...change }],
    });
    for (const wrong of [
      deliveries({ delivery: delivery.delivery - 1 }),
      deliveries({ delivery: delivery.delivery + 1 }),
      deliveries({ datasourceId: otherDatasource.datasource.id }),
      { ...batch, organizationId: other.organizationId },
      { ...batch, stage: 'indexing' as const },
    ]) {
      expect(await tenant.lifecycle.leaseBatch(wrong)).toEqual([]);
    }
    expect(await tenant.lifecycle.leaseBatch(batch)).toHaveLength(1);
    // A repeated delivery.
    expect(await tenant.lifecycle.leaseBatch(batch)).toEqual([]);
  });

  it('is extended by a heartbeat, which records the progress', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await dataSource.query(`UPDATE runs SET lease_until = now() + interval '1 second' WHERE id = $1`, [
      run.id,
    ]);
    await tenant.lifecycle.heartbeat(run, { done: 3, total: 9 });
    await tenant.lifecycle.heartbeat(run, null);
    const { current } = await tenant.view(datasource.id);
    expect(current?.progress).toEqual({ done: 3, total: 9 });
    expect(current?.leaseUntil?.getTime() ?? 0).toBeGreaterThan(Date.now() + (LEASE_SECONDS - 10) * 1_000);
  });

  it('is required for every change: its former holder changes nothing', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await expire(run);
    expect(await tenant.lifecycle.endExpiredLease(run.id)).toBe('pending');
    await assertLost(tenant.lifecycle, run);
    expect((await tenant.view(datasource.id)).current?.state).toBe('pending');
  });

  it('is a new one when the same process claims the run again', async () => {
    const { datasource } = await tenant.datasource();
    const first = await tenant.take(datasource.id);
    await expire(first.run);
    await tenant.lifecycle.endExpiredLease(first.run.id);
    const second = await tenant.take(datasource.id);
    expect(second.run.id).toBe(first.run.id);
    await assertLost(tenant.lifecycle, first.run);
    await tenant.lifecycle.heartbeat(second.run, null);
  });

  it('is released with the result of the stage', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await dataSource.query(
      `UPDATE runs SET failures = 2, crashes = 5, error = '{"code":"INTERNAL"}' WHERE id = $1`,
      [run.id],
    );
    await tenant.lifecycle.advance(run, 'indexing', { fingerprint: 'f', characters: 7, counts: COUNTS });
    await assertLost(tenant.lifecycle, run);
    const { run: next } = await tenant.take(datasource.id, 'indexing');
    expect([
      next.fingerprint,
      next.characters,
      next.counts,
      next.failures,
      next.crashes,
      next.error,
      next.contentKey,
      next.contentType,
    ]).toEqual(['f', 7, COUNTS, 0, 0, null, datasource.contentKey, 'text/plain']);
    expect(next.startedAt?.getTime()).toBe(run.startedAt?.getTime());
  });

  it('can be released without a failure or a crash', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await tenant.lifecycle.release(run);
    const next = await tenant.take(datasource.id);
    expect([next.run.failures, next.run.crashes, next.run.delivery]).toEqual([0, 0, run.delivery + 1]);
  });

  it('can be released for a while', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await dataSource.query(
      `UPDATE runs SET failures = 3, crashes = 2, progress = '{"done":7}' WHERE id = $1`,
      [run.id],
    );
    await tenant.lifecycle.release(run, 60_000);
    const [row] = await dataSource.query<Record<string, unknown>[]>(
      `SELECT state, failures, crashes, progress, round(extract(epoch FROM not_before - now()) / 10)::int AS tens
         FROM runs WHERE id = $1`,
      [run.id],
    );
    expect(row).toEqual({ state: 'pending', failures: 3, crashes: 2, progress: { done: 7 }, tens: 6 });
  });

  async function expire(run: RunEntity): Promise<void> {
    await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      run.id,
    ]);
  }
});

describe('the switch', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  it('numbers only runs that serve', async () => {
    const { datasource } = await tenant.datasource();
    const revisions: number[] = [];
    for (const serves of [true, false, true]) {
      if (revisions.length > 0 || !serves) await tenant.datasources.sync(tenant.scope, datasource.id);
      const { run } = await tenant.untilSwitch(datasource.id);
      if (serves) revisions.push(await tenant.lifecycle.serve(run, COUNTS));
      else await tenant.lifecycle.cancel(tenant.scope, datasource.id);
    }
    expect(revisions).toEqual([1, 2]);
    const view = await tenant.view(datasource.id);
    expect([
      view.datasource.status,
      view.datasource.error,
      view.serving?.revision,
      view.serving?.state,
      view.current,
    ]).toEqual(['synched', null, 2, 'succeeded', null]);
    expect(view.datasource.lastSynch).toBeTruthy();
  });

  it('adds the space of a run to its datastore, once', async () => {
    const other = await TestTenant.create(dataSource);
    const spaces = async (): Promise<unknown> =>
      dataSource.query('SELECT spaces FROM datastores WHERE id = $1', [other.datastoreId]);
    const { datasource } = await other.datasource();
    const { run } = await other.take(datasource.id);
    await other.lifecycle.serve(run, COUNTS);
    expect(await spaces()).toEqual([{ spaces: [] }]);
    const ready: RunEntity[] = [];
    for (let n = 0; n < 3; n += 1) {
      const view = await other.datasource();
      ready.push((await other.untilSwitch(view.datasource.id)).run);
    }
    await Promise.all(ready.map((item) => other.lifecycle.serve(item, COUNTS)));
    expect(await spaces()).toEqual([{ spaces: [SPACE] }]);
  });

  describe('of a reindex', () => {
    const NEW_SPACE = 'l2_new';

    /** A datasource that serves from an outdated space, and whose reindex has a lease. */
    async function reindexing() {
      const other = await TestTenant.create(await server.database());
      const { id } = (await other.datasource()).datasource;
      const first = await other.serve(id);
      expect(await other.datasources.reindexOutdated(SPACE, 'indexing', 10)).toBe(0);
      expect(await other.datasources.reindexOutdated(NEW_SPACE, 'indexing', 10)).toBe(1);
      // One is unfinished.
      expect(await other.datasources.reindexOutdated(NEW_SPACE, 'indexing', 10)).toBe(0);
      const before = await other.view(id);
      const { run } = await other.take(id, 'indexing');
      await other.lifecycle.recordSpace(run, NEW_SPACE);
      return { other, id, first, run, before };
    }

    it('leaves the content as it was, and removes the outdated space from the datastore', async () => {
      const { other, id, first, run, before } = await reindexing();
      const spaces = async (): Promise<unknown> =>
        (await other.dataSource.query<unknown[]>('SELECT spaces FROM datastores'))[0];
      // The space is still searched.
      expect(await spaces()).toEqual({ spaces: [SPACE] });
      const { current, datasource } = await other.view(id);
      expect([current, datasource]).toEqual([null, before.datasource]);
      expect(before.serving?.id).toBe(first);
      expect(await other.lifecycle.serve(run, COUNTS)).toBe(1);
      const after = await other.view(id);
      expect(after.serving).toMatchObject({ id: run.id, revision: 1 });
      expect(after.datasource).toEqual({
        ...before.datasource,
        servingRunId: run.id,
        reindexedRunId: run.id,
      });
      expect(await spaces()).toEqual({ spaces: [SPACE, NEW_SPACE] });
      expect(await other.datasources.reindexOutdated(NEW_SPACE, 'indexing', 10)).toBe(0);
      expect(await spaces()).toEqual({ spaces: [NEW_SPACE] });
    });

    it('starts with the switch, and keeps its points while newer content waits for the next one', async () => {
      const other = await TestTenant.create(await server.database());
      const purges = new PurgeRepository(other.dataSource);
      const { id } = (await other.datasource()).datasource;
      const serveAndEmbed = async (): Promise<{ content: string; reindex: RunEntity }> => {
        const { run } = await other.untilSwitch(id);
        await other.lifecycle.serve(run, COUNTS, { isEmbeddedLater: true });
        const { run: reindex } = await other.take(id, 'embedding');
        await other.lifecycle.recordSpace(reindex, NEW_SPACE);
        return { content: run.id, reindex };
      };
      const retired = async (): Promise<string[]> =>
        (await purges.retiredRuns(other.organizationId, [id])).map(({ runId }) => runId).toSorted();
      const first = await serveAndEmbed();
      expect((await other.view(id)).reindex?.id).toBe(first.reindex.id);
      await other.lifecycle.serve({ ...first.reindex, space: NEW_SPACE }, COUNTS);
      expect(await retired()).toEqual([first.content]);
      await other.datasources.sync(other.scope, id);
      const second = await serveAndEmbed();
      expect((await other.view(id)).serving?.id).toBe(second.content);
      expect(await retired()).toEqual([first.content]);
      await other.lifecycle.serve(second.reindex, COUNTS);
      expect(await retired()).toEqual([first.content, first.reindex.id, second.content].toSorted());
    });

    it('ends when other content serves', async () => {
      const { other, id, run } = await reindexing();
      await other.datasources.sync(other.scope, id);
      const newer = await other.serve(id);
      await expect(other.lifecycle.serve(run, COUNTS)).rejects.toThrow(LeaseLostError);
      const { serving } = await other.view(id);
      expect(serving).toMatchObject({ id: newer, revision: 2 });
    });

    it('ends when its datasource is deleted', async () => {
      const { other, id, run } = await reindexing();
      await other.datasources.markDeleted(other.scope, id);
      await expect(other.lifecycle.heartbeat(run, null)).rejects.toThrow(LeaseLostError);
    });

    it('shows its failure as a warning, until another one succeeds', async () => {
      const { other, id, first, run, before } = await reindexing();
      await other.lifecycle.fail(run, new IngestionError('MODEL_REFUSED'));
      const failed = await other.view(id);
      expect(failed.datasource).toMatchObject({ status: 'synched', error: { code: 'MODEL_REFUSED' } });
      expect([failed.serving?.id, failed.datasource.lastSynch]).toEqual([first, before.datasource.lastSynch]);
      // Another one is not started at once.
      expect(await other.datasources.reindexOutdated(NEW_SPACE, 'indexing', 10)).toBe(0);
      await other.datasources.reindex([id], 'indexing');
      await other.lifecycle.serve((await other.take(id, 'indexing')).run, COUNTS);
      expect((await other.view(id)).datasource).toMatchObject({ status: 'synched', error: null });
    });
  });

  it('leaves one serving run for readers at every moment', async () => {
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id);
    const passages = new PassageRepository(dataSource);
    const seen = new Set<number>();
    let reads = 0;
    let done = false;
    // `visible` with run ids could return none, if the run is replaced before the query.
    const reader = (async () => {
      while (!done) {
        const serving = await passages.newest(tenant.scope, [tenant.datastoreId], [datasource.id], 10);
        // One run serves.
        expect(serving).toHaveLength(1);
        for (const { revision } of serving) seen.add(revision);
        reads += 1;
      }
    })();
    for (let revision = 2; revision <= 6; revision += 1) {
      await tenant.datasources.sync(tenant.scope, datasource.id);
      const { run } = await tenant.untilSwitch(datasource.id);
      expect(await tenant.lifecycle.serve(run, COUNTS)).toBe(revision);
    }
    done = true;
    await reader;
    expect(reads).toBeGreaterThanOrEqual(6);
    expect(seen.size).toBeGreaterThanOrEqual(2);
  });

  it('does not happen when nothing has changed', async () => {
    const { datasource } = await tenant.datasource();
    const served = await tenant.serve(datasource.id, 100);
    const stored = await tenant.storedCharacters();
    await tenant.datasources.sync(tenant.scope, datasource.id);
    const { run } = await tenant.take(datasource.id);
    await tenant.lifecycle.keepServing(run, 'new fingerprint');
    const view = await tenant.view(datasource.id);
    expect(view.serving?.fingerprint).toBe('new fingerprint');
    expect([
      view.datasource.servingRunId,
      view.serving?.revision,
      view.datasource.status,
      view.current,
    ]).toEqual([served, 1, 'synched', null]);
    expect(await tenant.storedCharacters()).toBe(stored);
    const [latest] = await tenant.datasources.runs(tenant.scope, datasource.id, { limit: 1 });
    expect([latest?.id, latest?.state, latest?.revision]).toEqual([run.id, 'succeeded', null]);
  });

  it('shows the warning of the serving run, also after later runs that change nothing', async () => {
    const { datasource } = await tenant.datasource();
    const warning = datasourceErrorOf('LINES_SKIPPED', 'Line 3 was skipped.');
    const parsing = await tenant.take(datasource.id);
    await tenant.lifecycle.advance(parsing.run, 'indexing', { warning });
    const { run } = await tenant.take(datasource.id, 'indexing');
    await tenant.lifecycle.serve(run, COUNTS, { isEmbeddedLater: true });
    const shown = async () => {
      const { status, error } = (await tenant.view(datasource.id)).datasource;
      return [status, error];
    };
    expect(await shown()).toEqual(['synched', warning]);

    const reindex = await tenant.take(datasource.id, 'embedding');
    await tenant.lifecycle.serve(reindex.run, COUNTS);
    expect(await shown()).toEqual(['synched', warning]);

    await tenant.datasources.sync(tenant.scope, datasource.id);
    const unchanged = await tenant.take(datasource.id);
    await tenant.lifecycle.keepServing(unchanged.run);
    expect(await shown()).toEqual(['synched', warning]);

    await tenant.datasources.sync(tenant.scope, datasource.id);
    const corrected = await tenant.untilSwitch(datasource.id);
    await tenant.lifecycle.serve(corrected.run, COUNTS);
    expect(await shown()).toEqual(['synched', null]);
  });

  it('shows no run of a deleted datasource or datastore, or of another organization', async () => {
    const passages = new PassageRepository(dataSource);
    const owner = await TestTenant.create(dataSource);
    const { datasource } = await owner.datasource();
    const runId = await owner.serve(datasource.id);
    const visibleTo = async (reader: TestTenant): Promise<number> =>
      (await passages.visible(reader.scope, [owner.datastoreId], [datasource.id])).size;
    const visible = await passages.visible(owner.scope, [owner.datastoreId], [datasource.id]);
    expect(visible.get(datasource.id)?.runId).toBe(runId);
    expect(await visibleTo(tenant)).toBe(0);
    expect((await passages.visible(owner.scope, [tenant.datastoreId], [datasource.id])).size).toBe(0);
    expect((await passages.visible(owner.scope, [owner.datastoreId], [])).size).toBe(0);
    await dataSource.query('UPDATE datastores SET deleted_at = now() WHERE id = $1', [owner.datastoreId]);
    expect(await visibleTo(owner)).toBe(0);
    await dataSource.query('UPDATE datastores SET deleted_at = NULL WHERE id = $1', [owner.datastoreId]);
    await owner.datasources.markDeleted(owner.scope, datasource.id);
    expect(await visibleTo(owner)).toBe(0);
  });
});

/** Tries everything that a worker does to a run. */
async function assertLost(lifecycle: RunLifecycleRepository, run: RunEntity): Promise<void> {
  for (const act of [
    () => lifecycle.heartbeat(run, null),
    () => lifecycle.recordSpace(run, SPACE),
    () => lifecycle.advance(run, 'indexing', {}),
    () => lifecycle.serve(run, COUNTS),
    () => lifecycle.keepServing(run),
    () => lifecycle.fail(run, new IngestionError('INTERNAL')),
    () => lifecycle.fail(run, new IngestionError('CORRUPT_FILE')),
    () => lifecycle.release(run),
  ]) {
    await expect(act).rejects.toThrow(LeaseLostError);
  }
}
