import assert from 'node:assert/strict';
import { IngestionError } from '@citewell/contracts/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { runBlobKey } from '../../content/blobs/blob.repository.js';
import { DatastoreRepository } from '../../content/datastores/datastore.repository.js';
import { SPACE, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { PurgeEntity } from '../../schema/ingestion.entities.js';
import { type PurgeBatch, PurgeRepository } from './purge.repository.js';

const server = new TestServer();
afterAll(() => server.close());

describe('what a purge removes', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  let purges: PurgeRepository;
  beforeAll(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
    purges = new PurgeRepository(dataSource);
  });

  async function retired(id: string): Promise<{ runs: string[]; blobs: string[] }> {
    const runs = (await purges.retiredRuns(tenant.organizationId, [id])).map((run) => run.runId);
    return { runs, blobs: await purges.retiredBlobs(tenant.organizationId, [id], runs) };
  }

  async function textKey(datasourceId: string, runId: string): Promise<string> {
    return runBlobKey({ organizationId: tenant.organizationId, datasourceId, id: runId }, 'text');
  }

  it('is neither the serving run nor an unfinished one', async () => {
    const { datasource } = await tenant.datasource();
    const { id } = datasource;
    expect(await retired(id)).toEqual({ runs: [], blobs: [] });
    const first = await tenant.serve(id);
    expect(await retired(id)).toEqual({ runs: [], blobs: [] });
    await tenant.datasources.sync(tenant.scope, id);
    const { run } = await tenant.untilSwitch(id);
    expect(await retired(id)).toEqual({ runs: [], blobs: [] });
    await tenant.lifecycle.serve(run, { chunks: 1, characters: 1, bytes: 1, pages: 0 });
    expect(await retired(id)).toEqual({ runs: [first], blobs: [await textKey(id, first)] });
    expect(await purges.retiredRuns(tenant.organizationId, [id])).toEqual([{ runId: first, space: SPACE }]);

    await purges.forgetPoints([first]);
    await dataSource.query('DELETE FROM blobs WHERE run_id = $1', [first]);
    // What is removed is not retired.
    expect(await retired(id)).toEqual({ runs: [], blobs: [] });
  });

  it('is a failed or cancelled run with its blobs', async () => {
    for (const end of ['fail', 'cancel'] as const) {
      const { datasource } = await tenant.datasource();
      const { run } = await tenant.untilSwitch(datasource.id);
      if (end === 'fail') await tenant.lifecycle.fail(run, new IngestionError('CORRUPT_FILE'));
      else await tenant.lifecycle.cancel(tenant.scope, datasource.id);
      expect(await retired(datasource.id)).toEqual({
        runs: [run.id],
        blobs: [await textKey(datasource.id, run.id)],
      });
      expect(await purgesOf(datasource.id)).toBe(1);
    }
  });

  it('is not a run that ended after the purge was requested, which has its own purge', async () => {
    const { datasource } = await tenant.datasource();
    const ended: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { run } = await tenant.untilSwitch(datasource.id);
      await tenant.lifecycle.cancel(tenant.scope, datasource.id);
      ended.push(run.id);
      // The first purge is being carried out when the second one is requested.
      await dataSource.query('UPDATE purges SET batch_id = gen_random_uuid() WHERE target_id = $1', [
        datasource.id,
      ]);
      if (round === 0) await tenant.datasources.sync(tenant.scope, datasource.id);
    }
    const requested = await dataSource.query<{ id: string }[]>(
      'SELECT id FROM purges WHERE target_id = $1 ORDER BY created_at',
      [datasource.id],
    );
    const retiredFor = await Promise.all(
      requested.map(async ({ id }) => {
        const runs = await purges.retiredRuns(tenant.organizationId, [datasource.id], [id]);
        return runs.map((run) => run.runId).sort();
      }),
    );
    expect(retiredFor).toEqual([[ended[0]], ended.toSorted()]);
  });

  it('is replaced content, once neither the serving run nor an unfinished one reads it', async () => {
    const { datasource } = await tenant.datasource();
    const { id, contentKey } = datasource;
    const first = await tenant.serve(id);
    const replaced = await tenant.upload(id);
    await tenant.datasources.replaceContent(tenant.scope, id, { ...replaced, mimeType: 'text/plain' });
    // The serving run has parsed it.
    expect((await retired(id)).blobs).toEqual([]);
    const current = await tenant.upload(id);
    await tenant.datasources.replaceContent(tenant.scope, id, { ...current, mimeType: 'text/plain' });
    expect((await retired(id)).blobs).toEqual([replaced.key]);
    await tenant.serve(id);
    expect((await retired(id)).blobs.toSorted()).toEqual(
      [contentKey, replaced.key, await textKey(id, first)].toSorted(),
    );
    expect((await retired(id)).blobs).not.toContain(current.key);
  });

  it('is requested when content is replaced before a run has served', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.untilSwitch(datasource.id);
    const content = await tenant.upload(datasource.id);
    await tenant.datasources.replaceContent(tenant.scope, datasource.id, {
      ...content,
      mimeType: 'text/plain',
    });
    expect(await purgesOf(datasource.id)).toBe(1);
    const { runs, blobs } = await retired(datasource.id);
    expect(runs).toEqual([run.id]);
    expect(blobs.toSorted()).toEqual(
      [datasource.contentKey, await textKey(datasource.id, run.id)].toSorted(),
    );
  });

  it('is not an upload in progress', async () => {
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id);
    await tenant.upload(datasource.id);
    expect((await retired(datasource.id)).blobs).toEqual([]);
  });

  it('is everything of a deleted datasource, its rows last', async () => {
    const { datasource } = await tenant.datasource();
    const { id } = datasource;
    const first = await tenant.serve(id);
    await tenant.datasources.sync(tenant.scope, id);
    const { run } = await tenant.untilSwitch(id);
    await tenant.datasources.markDeleted(tenant.scope, id);
    const { runs, blobs } = await retired(id);
    expect(runs.toSorted()).toEqual([first, run.id].toSorted());
    expect(blobs.toSorted()).toEqual((await purges.blobsOf(tenant.organizationId, [id])).toSorted());
    expect(blobs).toHaveLength(3);

    const purge = await purgeOf(id, 'datasource');
    await purges.scheduleRound([purge.id], 2, 30);
    const later = await purgeOf(id, 'datasource');
    expect(later.round).toBe(2);
    expect(later.notBefore.getTime()).toBeGreaterThan(Date.now() + 20_000);
    await purges.removeDatasources({ ...later, purges: [later] });
    for (const table of ['datasources WHERE id = $1', 'runs WHERE datasource_id = $1']) {
      expect(await dataSource.query(`SELECT 1 FROM ${table}`, [id])).toEqual([]);
    }
    expect(await dataSource.getRepository(PurgeEntity).existsBy({ id: purge.id })).toBe(false);
  });

  it('is not a datasource that is not deleted', async () => {
    const { datasource } = await tenant.datasource();
    const { organizationId } = tenant;
    const claimed = [{ id: newId(), targetId: datasource.id }];
    await purges.removeDatasources({ organizationId, kind: 'datasource', round: 2, purges: claimed });
    expect(await tenant.view(datasource.id)).toBeTruthy();
  });

  it('is requested once until the purge has begun, and includes the runs that ended meanwhile', async () => {
    const { datasource } = await tenant.datasource();
    const cancelled: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      if (n > 0) await tenant.datasources.sync(tenant.scope, datasource.id);
      const { run } = await tenant.untilSwitch(datasource.id);
      await tenant.lifecycle.cancel(tenant.scope, datasource.id);
      cancelled.push(run.id);
    }
    expect(await purgesOf(datasource.id)).toBe(1);
    const purge = await purgeOf(datasource.id, 'runs');
    const covered = await purges.retiredRuns(tenant.organizationId, [datasource.id], [purge.id]);
    expect(covered.map((run) => run.runId).toSorted()).toEqual(cancelled.toSorted());

    await dataSource.query('UPDATE purges SET batch_id = gen_random_uuid() WHERE id = $1', [purge.id]);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.untilSwitch(datasource.id);
    await tenant.lifecycle.cancel(tenant.scope, datasource.id);
    // A purge that has begun may miss it.
    expect(await purgesOf(datasource.id)).toBe(2);
  });

  it('is requested again while it is carried out', async () => {
    const { datasource } = await tenant.datasource();
    const cancelRun = async (): Promise<void> => {
      await tenant.untilSwitch(datasource.id);
      await tenant.lifecycle.cancel(tenant.scope, datasource.id);
    };
    await cancelRun();
    await purges.claimDue('index', 100);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await cancelRun();
    expect(await purgesOf(datasource.id)).toBe(2);
  });

  async function purgesOf(targetId: string): Promise<number> {
    return dataSource.getRepository(PurgeEntity).countBy({ targetId });
  }

  async function purgeOf(targetId: string, kind: PurgeEntity['kind']): Promise<PurgeEntity> {
    return dataSource.getRepository(PurgeEntity).findOneByOrFail({ targetId, kind });
  }
});

describe('due purges', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeEach(async () => {
    dataSource = await server.database();
    tenant = await TestTenant.create(dataSource);
  });

  async function deleted(count: number, owner = tenant): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id } = (await owner.datasource()).datasource;
      await owner.datasources.markDeleted(owner.scope, id);
      ids.push(id);
    }
    return ids;
  }
  /** Claims purges, and begins their jobs. */
  async function claimed(minimumSlots = 5): Promise<(PurgeBatch | null)[]> {
    const batches = await tenant.purges.claimDue('index', minimumSlots);
    return Promise.all(batches.map((one) => tenant.purges.begin(one.organizationId, one.batchId)));
  }
  const targetsOf = (batch: PurgeBatch | null | undefined) =>
    batch?.purges.map(({ targetId }) => targetId).toSorted();

  it('are claimed in batches of one organization, kind and round', async () => {
    const other = await TestTenant.create(dataSource);
    const ids = await deleted(3);
    const foreign = await deleted(1, other);
    const { datasource } = await tenant.datasource();
    await tenant.untilSwitch(datasource.id);
    await tenant.lifecycle.cancel(tenant.scope, datasource.id);
    const second = await dataSource.getRepository(PurgeEntity).findOneByOrFail({ targetId: ids[2] ?? '' });
    await tenant.purges.scheduleRound([second.id], 2, 0);
    const batches = (await claimed()).map((batch) => [batch?.kind, batch?.round, targetsOf(batch)]);
    expect(batches).toHaveLength(4);
    expect(batches).toEqual(
      expect.arrayContaining([
        ['datasource', 1, ids.slice(0, 2).toSorted()],
        ['datasource', 2, [ids[2]]],
        ['datasource', 1, foreign],
        ['runs', 1, [datasource.id]],
      ]),
    );
    expect(await claimed()).toEqual([]);
  });

  it('are claimed again as the same batch when they were not carried out in time', async () => {
    const ids = await deleted(2);
    const [first] = await tenant.purges.claimDue('index', 1);
    assert.ok(first);
    // Their job may still wait in the queue, which drops another one with the same id.
    const [later] = await deleted(1);
    await dataSource.query(`UPDATE purges SET not_before = now()`);
    const again = await tenant.purges.claimDue('index', 1);
    expect(again).toHaveLength(2);
    expect(again).toContainEqual(first);
    const begun = await Promise.all(
      again.map(({ organizationId, batchId }) => tenant.purges.begin(organizationId, batchId)),
    );
    expect(begun.map(targetsOf)).toEqual(expect.arrayContaining([ids.toSorted(), [later]]));
    // What is left of a batch is claimed again, too. A job without purges does nothing.
    const [done, left] = begun.find((batch) => batch?.purges.length === 2)?.purges ?? [];
    assert.ok(done && left);
    await tenant.purges.complete([done.id]);
    await dataSource.query(`UPDATE purges SET not_before = now() WHERE id = $1`, [left.id]);
    expect(await tenant.purges.claimDue('index', 5)).toEqual([first]);
    await tenant.purges.complete([left.id]);
    expect(await tenant.purges.begin(first.organizationId, first.batchId)).toBeNull();
  });

  it('of datastores come first, as they free what counts against limits', async () => {
    await deleted(3);
    const other = await TestTenant.create(dataSource);
    await new DatastoreRepository(dataSource).markDeleted(other.scope, other.datastoreId);
    await dataSource.query(
      `UPDATE purges SET not_before = now() - interval '1 minute' WHERE kind <> 'datastore'`,
    );
    await dataSource.query(`UPDATE purges SET round = round + 1 WHERE target_id = (SELECT max(target_id::text)::uuid FROM purges
                             WHERE kind <> 'datastore')`);
    expect((await claimed(1)).map((batch) => batch?.kind).toSorted()).toEqual(['datasource', 'datastore']);
  });

  it('are claimed for up to twice the slots of the workers, not between rounds', async () => {
    await deleted(3);
    await dataSource.query(`UPDATE purges SET round = n FROM (
      SELECT id AS purge, row_number() OVER () AS n FROM purges) numbered WHERE id = purge`);
    const [first, second] = await claimed(1);
    expect(await claimed(1)).toEqual([]);
    assert.ok(first?.purges[0] && second?.purges[0]);
    await tenant.purges.complete([first.purges[0].id]);
    expect(await claimed(1)).toHaveLength(1);
    await deleted(1);
    expect(await claimed(1)).toEqual([]);
    await tenant.purges.scheduleRound([second.purges[0].id], 9, 60);
    expect(await claimed(1)).toHaveLength(1);
  });

  it('of a batch are at most 64', async () => {
    await deleted(1);
    await dataSource.query(`INSERT INTO purges (id, organization_id, kind, target_id)
      SELECT gen_random_uuid(), organization_id, kind, gen_random_uuid() FROM purges, generate_series(1, 70)`);
    expect((await claimed()).map((batch) => batch?.purges.length).toSorted()).toEqual([64, 7]);
  });

  it('are claimed once by several dispatchers', async () => {
    await deleted(20);
    const batches = await Promise.all([1, 2, 3, 4].map(() => claimed(50)));
    const targets = batches.flat().flatMap((batch) => targetsOf(batch) ?? []);
    expect(new Set(targets).size).toBe(targets.length);
  });
});

describe('a deleted datastore', () => {
  it('disappears at once with 1,200 datasources, and leaves no rows', async () => {
    const dataSource = await server.database();
    const tenant = await TestTenant.create(dataSource);
    const purges = new PurgeRepository(dataSource);
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id, 70);
    await dataSource.query(
      `INSERT INTO datasources (id, organization_id, datastore_id, type, name)
       SELECT gen_random_uuid(), $1, $2, 'text', 'text' FROM generate_series(1, 1199)`,
      [tenant.organizationId, tenant.datastoreId],
    );
    await new DatastoreRepository(dataSource).markDeleted(tenant.scope, tenant.datastoreId);
    expect(await tenant.datasources.find(tenant.scope, datasource.id)).toBeNull();
    expect(await tenant.datasources.list(tenant.scope, {}, { limit: 10 })).toEqual([]);
    expect(await tenant.datasources.sync(tenant.scope, datasource.id)).toBeNull();

    let rounds = 0;
    const [datastorePurge] = await dataSource.getRepository(PurgeEntity).findBy({ kind: 'datastore' });
    assert.ok(datastorePurge);
    while (await purges.fanOutDatastore(datastorePurge.organizationId, datastorePurge)) {
      rounds += 1;
      expect(rounds).toBeLessThan(10);
      for (const purge of await dataSource.getRepository(PurgeEntity).findBy({ kind: 'datasource' })) {
        await purges.removeDatasources({ ...purge, purges: [purge] });
      }
    }
    expect(rounds).toBe(3);
    for (const table of ['datastores', 'datasources', 'runs', 'purges WHERE kind <> $$runs$$']) {
      expect([table, await dataSource.query(`SELECT 1 FROM ${table}`)]).toEqual([table, []]);
    }
    expect(await tenant.storedCharacters()).toBe(0);
  });
});

describe('a deleted web site', () => {
  it('is deleted with its pages, also with more than a statement has parameters', async () => {
    const dataSource = await server.database();
    const tenant = await TestTenant.create(dataSource);
    const { datasource: site } = await tenant.datasource({ type: 'web_site', content: null });
    await dataSource.query(
      `INSERT INTO datasources (id, organization_id, datastore_id, type, name, group_id)
       SELECT gen_random_uuid(), $1, $2, 'web_page', 'page', $3 FROM generate_series(1, 20000)`,
      [tenant.organizationId, tenant.datastoreId, site.id],
    );
    await tenant.datasources.markDeleted(tenant.scope, site.id);
    const rows = await dataSource.query('SELECT count(*)::int AS purges FROM purges');
    expect(rows).toEqual([{ purges: 20_001 }]);
    expect(await tenant.datasources.list(tenant.scope, { groupId: site.id }, { limit: 10 })).toEqual([]);
  });
});
