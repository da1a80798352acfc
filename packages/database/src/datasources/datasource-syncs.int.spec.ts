import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { TestSite } from '../fixtures/site.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import type { RunEntity } from '../runs/run.entity.js';

let server: ThrowAwayServer;
let dataSource: DataSource;
let tenant: TestTenant;
before(async () => {
  server = await ThrowAwayServer.start();
  dataSource = await server.database();
});
after(() => server.stop());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
});

const sync = (id: string, options?: { removeMissing?: boolean }) =>
  tenant.datasources.sync(tenant.scope, id, 'sync', options);

/** Starts the runs that are due, as the dispatcher does. @returns the unfinished run of the datasource */
async function startDue(id: string, nextSyncAt: Date | null = null): Promise<RunEntity | null> {
  for (const due of await tenant.datasources.dueForSync(10))
    if (due.id === id) await tenant.datasources.syncDue(tenant.scope, id, nextSyncAt);
  return (await tenant.view(id)).current;
}

describe('a sync during a run of a web site', () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await TestSite.begin(tenant);
  });
  const requested = async (): Promise<string | null> => (await tenant.view(site.id)).datasource.requestedSync;
  const end = async (): Promise<void> => {
    await site.waitForPages();
    await site.runs.finishWaitingSites();
  };

  it('is followed by another run, when the run has started', async () => {
    await sync(site.id);
    assert.equal(await requested(), 'sync');
    assert.equal(
      await startDue(site.id).then((run) => run?.id),
      site.run.id,
      'not while the run is unfinished',
    );
    await end();
    const { dueStage, current } = await tenant.view(site.id);
    assert.deepEqual([dueStage, current], ['discovering', null]);
    const next = await startDue(site.id);
    assert.deepEqual([next?.state, next?.trigger, next?.removeMissing], ['pending', 'sync', false]);
    assert.equal(await requested(), null);
  });

  it('joins the run, when the run has not started', async () => {
    await end();
    await sync(site.id);
    const { current } = await tenant.view(site.id);
    await sync(site.id);
    assert.equal((await tenant.view(site.id)).current?.id, current?.id);
    assert.equal(await requested(), null);
  });

  for (const order of [
    [true, false],
    [false, true],
  ])
    it(`remembers removeMissing (${order.join(', then ')})`, async () => {
      for (const removeMissing of order) await sync(site.id, { removeMissing });
      assert.equal(await requested(), 'remove-missing');
      assert.equal((await tenant.view(site.id)).current?.removeMissing, false);
      await end();
      assert.equal((await startDue(site.id))?.removeMissing, true);
      assert.equal(await requested(), null);
    });

  it('sets removeMissing on a run that has not started', async () => {
    await end();
    assert.equal((await sync(site.id))?.current?.removeMissing, false);
    assert.equal((await sync(site.id, { removeMissing: true }))?.current?.removeMissing, true);
    assert.equal((await sync(site.id))?.current?.removeMissing, true, 'another sync joins the run');
    assert.equal(await requested(), null);
  });

  it('starts a run with removeMissing, when there is none', async () => {
    await end();
    assert.equal((await sync(site.id, { removeMissing: true }))?.current?.removeMissing, true);
  });

  it('is forgotten by a cancellation', async () => {
    await sync(site.id, { removeMissing: true });
    await tenant.datasources.update(tenant.scope, site.id, { requestedSync: null });
    await tenant.lifecycle.cancel(tenant.organizationId, site.id);
    assert.equal(await startDue(site.id), null);
  });
});

describe('a sync during a run of a file', () => {
  it('joins the run, whose content cannot have changed', async () => {
    const { datasource } = await tenant.datasource();
    await tenant.take(datasource.id);
    assert.equal((await sync(datasource.id))?.datasource.requestedSync, null);
  });
});

describe('a datasource with a schedule', () => {
  it('gets a run when it is due, and its next time', async () => {
    const site = await TestSite.begin(tenant);
    const [past, future] = [new Date(Date.now() - 1_000), new Date(Date.now() + 60_000)];
    await tenant.datasources.update(tenant.scope, site.id, { nextSyncAt: past });
    assert.equal((await startDue(site.id, future))?.id, site.run.id, 'a time during a run is skipped');
    assert.deepEqual((await tenant.view(site.id)).datasource.nextSyncAt, future);
    await site.waitForPages();
    await site.runs.finishWaitingSites();
    assert.equal(await startDue(site.id, future), null);
    await tenant.datasources.update(tenant.scope, site.id, { nextSyncAt: past });
    assert.equal((await startDue(site.id, null))?.trigger, 'schedule');
    assert.equal((await tenant.view(site.id)).datasource.nextSyncAt, null);
  });
});

describe('an update', () => {
  it('changes the fields that are given', async () => {
    const { datasource } = await tenant.datasource({ customId: 'c', config: { a: 1 } });
    const update = (fields: Parameters<typeof tenant.datasources.update>[2]) =>
      tenant.datasources.update(tenant.scope, datasource.id, fields);
    const fieldsOf = async (view: Awaited<ReturnType<typeof update>>) => {
      const { name, customId, config, nextSyncAt } = view?.datasource ?? {};
      return [name, customId, config, nextSyncAt];
    };
    assert.deepEqual(await fieldsOf(await update({})), ['text', 'c', { a: 1 }, null]);
    assert.deepEqual(await fieldsOf(await update({ name: 'n', config: { b: 2 } })), [
      'n',
      'c',
      { b: 2 },
      null,
    ]);
    assert.deepEqual(await fieldsOf(await update({ customId: null })), ['n', null, { b: 2 }, null]);
    await tenant.datasources.markDeleted(tenant.scope, datasource.id);
    assert.equal(await update({ name: 'x' }), null);
  });
});
