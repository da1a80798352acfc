import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { TestSite } from '../../fixtures/site.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import type { DatasourceChange } from './upsert-plan.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());
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
    await site.runs.finishWaitingGroups();
  };

  it('is followed by another run, when the run has started', async () => {
    await sync(site.id);
    expect(await requested()).toBe('sync');
    // Not while the run is unfinished.
    expect(await startDue(site.id).then((run) => run?.id)).toBe(site.run.id);
    await end();
    const { dueStage, current } = await tenant.view(site.id);
    expect([dueStage, current]).toEqual(['discovering', null]);
    const next = await startDue(site.id);
    expect([next?.state, next?.trigger, next?.removeMissing]).toEqual(['pending', 'sync', false]);
    expect(await requested()).toBeNull();
  });

  it('joins the run, when the run has not started', async () => {
    await end();
    await sync(site.id);
    const { current } = await tenant.view(site.id);
    await sync(site.id);
    expect((await tenant.view(site.id)).current?.id).toBe(current?.id);
    expect(await requested()).toBeNull();
  });

  for (const order of [
    [true, false],
    [false, true],
  ])
    it(`remembers removeMissing (${order.join(', then ')})`, async () => {
      for (const removeMissing of order) await sync(site.id, { removeMissing });
      expect(await requested()).toBe('remove-missing');
      expect((await tenant.view(site.id)).current?.removeMissing).toBe(false);
      await end();
      expect((await startDue(site.id))?.removeMissing).toBe(true);
      expect(await requested()).toBeNull();
    });

  it('sets removeMissing on a run that has not started', async () => {
    await end();
    expect((await sync(site.id))?.current?.removeMissing).toBe(false);
    expect((await sync(site.id, { removeMissing: true }))?.current?.removeMissing).toBe(true);
    // Another sync joins the run.
    expect((await sync(site.id))?.current?.removeMissing).toBe(true);
    expect(await requested()).toBeNull();
  });

  it('starts a run with removeMissing, when there is none', async () => {
    await end();
    expect((await sync(site.id, { removeMissing: true }))?.current?.removeMissing).toBe(true);
  });

  it('is forgotten by a cancellation', async () => {
    await sync(site.id, { removeMissing: true });
    await tenant.datasources.update(tenant.scope, site.id, () => ({ requestedSync: null }));
    await tenant.lifecycle.cancel(tenant.scope, site.id);
    expect(await startDue(site.id)).toBeNull();
  });
});

describe('a sync during a run of a file', () => {
  it('joins the run, whose content cannot have changed', async () => {
    const { datasource } = await tenant.datasource();
    await tenant.take(datasource.id);
    expect((await sync(datasource.id))?.datasource.requestedSync).toBeNull();
  });
});

describe('a datasource with a schedule', () => {
  it('gets a run when it is due, and its next time', async () => {
    const site = await TestSite.begin(tenant);
    const [past, future] = [new Date(Date.now() - 1_000), new Date(Date.now() + 60_000)];
    await tenant.datasources.update(tenant.scope, site.id, () => ({ nextSyncAt: past }));
    // A time during a run is skipped.
    expect((await startDue(site.id, future))?.id).toBe(site.run.id);
    expect((await tenant.view(site.id)).datasource.nextSyncAt).toEqual(future);
    await site.waitForPages();
    await site.runs.finishWaitingGroups();
    expect(await startDue(site.id, future)).toBeNull();
    await tenant.datasources.update(tenant.scope, site.id, () => ({ nextSyncAt: past }));
    expect((await startDue(site.id, null))?.trigger).toBe('schedule');
    expect((await tenant.view(site.id)).datasource.nextSyncAt).toBeNull();
  });
});

describe('an upsert', () => {
  const before = { name: 'before', config: { include: ['/a'] }, metadata: { b: 2 }, nextSyncAt: null };
  const changes = {
    name: 'after',
    config: { source_url: 'https://site.example/', maxPages: 5, schedule: '@daily' },
    metadata: { a: 1 },
    nextSyncAt: new Date(Date.now() + 60_000),
  };

  it.each(['web_page', 'web_site'] as const)(
    'of a %s changes configuration, schedule, name and metadata, and a run with them follows',
    async (type) => {
      const item = { type, customId: 'c', mimeType: null, content: null, datastoreId: tenant.datastoreId };
      const { datasource } = await tenant.datasource({ ...item, ...before });
      const upsert = async (fields: typeof changes | typeof before) => {
        const [written] = await tenant.datasources.write(tenant.scope, [
          { ...item, ...fields, isUpsert: true },
        ]);
        return written;
      };
      const waiting = await upsert(changes);
      expect(waiting).toMatchObject({ outcome: 'replaced', view: { datasource: changes } });
      // The run that waits reads the new configuration.
      expect(waiting?.view?.datasource.requestedSync).toBeNull();
      await tenant.take(datasource.id, type === 'web_site' ? 'discovering' : 'fetching');
      expect((await upsert(before))?.view?.datasource).toMatchObject({
        ...before,
        id: datasource.id,
        requestedSync: 'sync',
      });
      await tenant.lifecycle.cancel(tenant.scope, datasource.id);
      expect((await upsert(changes))?.view?.current).toMatchObject({ state: 'pending', trigger: 'sync' });
    },
  );

  it('of equal bytes changes name and metadata, and starts no run', async () => {
    const { datasource } = await tenant.datasource({ customId: 'c' });
    const runId = await tenant.serve(datasource.id);
    const { datastoreId } = tenant;
    const [written] = await tenant.datasources.write(tenant.scope, [
      {
        datastoreId,
        type: 'text',
        name: 'after',
        customId: 'c',
        config: {},
        metadata: { a: 1 },
        mimeType: 'text/plain',
        content: await tenant.upload(newId()),
        isUpsert: true,
      },
    ]);
    expect(written).toMatchObject({ outcome: 'unchanged' });
    const view = written?.view;
    expect(view?.datasource).toMatchObject({ name: 'after', metadata: { a: 1 }, status: 'synched' });
    expect([view?.current, view?.serving?.id]).toEqual([null, runId]);
  });
});

describe('an update', () => {
  it('changes the fields that are given', async () => {
    const { datasource } = await tenant.datasource({ customId: 'c', config: { a: 1 } });
    const update = (change: DatasourceChange) =>
      tenant.datasources.update(tenant.scope, datasource.id, () => change);
    const fieldsOf = async (view: Awaited<ReturnType<typeof update>>) => {
      const { name, customId, config, nextSyncAt } = view?.datasource ?? {};
      return [name, customId, config, nextSyncAt];
    };
    expect(await fieldsOf(await update({}))).toEqual(['text', 'c', { a: 1 }, null]);
    expect(await fieldsOf(await update({ name: 'n', config: { b: 2 } }))).toEqual(['n', 'c', { b: 2 }, null]);
    expect(await fieldsOf(await update({ customId: null }))).toEqual(['n', null, { b: 2 }, null]);
    await tenant.datasources.markDeleted(tenant.scope, datasource.id);
    expect(await update({ name: 'x' })).toBeNull();
  });

  it('is made completely or not at all, and not together with another', async () => {
    const site = await TestSite.begin(tenant);
    await dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
    await dataSource.query(
      `CREATE TRIGGER refuse BEFORE UPDATE OF requested_sync ON datasources EXECUTE FUNCTION refuse()`,
    );
    const change = () => ({ name: 'half', followsRun: true });
    await expect(tenant.datasources.update(tenant.scope, site.id, change)).rejects.toThrow('refused');
    await dataSource.query('DROP FUNCTION refuse CASCADE');
    expect((await tenant.view(site.id)).datasource.name).not.toBe('half');

    const append = (letter: string) =>
      tenant.datasources.update(tenant.scope, site.id, ({ name }) => ({ name: name + letter }));
    await tenant.datasources.update(tenant.scope, site.id, () => ({ name: '' }));
    await Promise.all([...'abcdef'].map(append));
    expect([...(await tenant.view(site.id)).datasource.name].toSorted().join('')).toBe('abcdef');
  });
});
