import assert from 'node:assert/strict';
import { IngestionError } from '@citewell/contracts/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PAGE_CHARACTERS, TestSite } from '../../fixtures/site.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { GroupRunRepository } from './group-run.repository.js';
import { LeaseLostError } from './lease.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let site: TestSite;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  site = await TestSite.begin(tenant);
});

describe('the time slice of a crawl', () => {
  it('ends with the progress of the run, and the next one belongs to the same run', async () => {
    const { id, delivery } = site.run;
    await site.runs.endTimeSlice(site.run, { done: 3, total: 9, failed: 1, pages: 2 }, null);
    const { current } = await tenant.view(site.id);
    expect([current?.state, current?.progress?.done]).toEqual(['pending', 3]);
    await site.retake();
    expect(site.run.id).toBe(id);
    expect(site.run.delivery).toBeGreaterThan(delivery);
    expect(site.run.progress?.pages).toBe(2);
  });

  it('is not followed by another before the given time', async () => {
    await site.runs.endTimeSlice(site.run, { done: 0, total: 1 }, new Date(Date.now() + 60_000));
    expect(await tenant.dispatch.claim('discovering', 10)).toEqual([]);
    await dataSource.query('UPDATE runs SET not_before = now() WHERE id = $1', [site.run.id]);
    await site.retake();
  });

  it('resets the failures and crashes of the run', async () => {
    await dataSource.query('UPDATE runs SET failures = 3, crashes = 5 WHERE id = $1', [site.run.id]);
    await site.runs.endTimeSlice(site.run, { done: 1, total: 1 }, null);
    const { current } = await tenant.view(site.id);
    expect([current?.failures, current?.crashes]).toEqual([0, 0]);
  });

  it('ends only for the worker that holds the lease', async () => {
    const other = new GroupRunRepository(dataSource, 'worker-2');
    await expect(other.endTimeSlice(site.run, { done: 1, total: 1 }, null)).rejects.toThrow(LeaseLostError);
    await expect(other.waitForPages(site.run, { done: 1, total: 1 }, null)).rejects.toThrow(LeaseLostError);
  });
});

describe('a site whose crawl is over', () => {
  const finish = () => site.runs.finishWaitingGroups();

  it('waits for its pages, and is not dispatched again', async () => {
    const page = await site.page();
    await site.waitForPages();
    await finish();
    expect((await tenant.view(site.id)).current?.state).toBe('waiting');
    expect(await tenant.dispatch.claim('discovering', 10)).toEqual([]);
    await site.serve(page);
    await finish();
    const { current, serving, datasource } = await tenant.view(site.id);
    expect([current, serving?.id, serving?.revision]).toEqual([null, site.run.id, 1]);
    expect([datasource.status, datasource.error]).toEqual(['synched', null]);
    expect(datasource.lastSynch).toBeTruthy();
    expect(serving?.counts).toEqual({
      chunks: 2,
      characters: PAGE_CHARACTERS,
      bytes: 9,
      pages: 1,
      leftOut: {},
    });
  });

  it('waits in the transaction of the caller', async () => {
    await expect(
      dataSource.transaction(async (manager) => {
        await site.runs.waitForPages(site.run, { done: 1, total: 1 }, null, manager);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow(/rolled back/);
    expect((await tenant.view(site.id)).current?.state).toBe('active');
  });

  it('waits for pages that are pending, queued or active', async () => {
    const pages = await site.pages(3);
    await site.waitForPages();
    const [batch] = await tenant.dispatch.claim('indexing', 1);
    assert.ok(batch);
    const deliveries = batch.deliveries.slice(0, 1);
    expect(await tenant.lifecycle.leaseBatch({ ...batch, deliveries })).toHaveLength(1);
    await dataSource.query(`UPDATE runs SET state = 'pending' WHERE datasource_id = $1`, [pages[2]]);
    await finish();
    expect((await tenant.view(site.id)).current).toBeTruthy();
    for (const id of pages) await tenant.lifecycle.cancel(tenant.scope, id);
    await finish();
    expect((await tenant.view(site.id)).current).toBeNull();
  });

  it('is finished once by several dispatchers', async () => {
    await site.serve(await site.page());
    await site.waitForPages();
    const others = Array.from({ length: 6 }, (_, n) => new GroupRunRepository(dataSource, `api-${n}`));
    await Promise.all(others.map((runs) => runs.finishWaitingGroups()));
    const runs = await tenant.datasources.runs(tenant.scope, site.id, { limit: 10 });
    expect(runs.map(({ state, revision }) => [state, revision])).toEqual([['succeeded', 1]]);
    await site.sync();
    await site.waitForPages();
    await Promise.all(others.map((other) => other.finishWaitingGroups()));
    expect((await tenant.view(site.id)).serving?.revision).toBe(2);
  });

  it('is finished whatever other sites do', async () => {
    const other = await TestSite.begin(tenant);
    await other.page();
    await other.waitForPages();
    await site.serve(await site.page());
    await site.waitForPages();
    await finish();
    expect((await tenant.view(site.id)).datasource.status).toBe('synched');
    expect((await tenant.view(other.id)).current).toBeTruthy();
    expect((await tenant.view(site.id)).serving?.counts?.pages).toBe(1);
  });
});

describe('the outcome of a site', () => {
  const fail = async (code: 'CORRUPT_FILE' | 'USAGE_LIMIT'): Promise<void> => {
    const { run } = await tenant.take(await site.page(), 'indexing');
    await tenant.lifecycle.fail(run, new IngestionError(code));
  };
  const serve = async (): Promise<void> => site.serve(await site.page());

  for (const { name, pages, warning = null, status, code } of [
    { name: 'synched without failures', pages: [serve], status: 'synched', code: undefined },
    {
      name: 'partial with a failed page',
      pages: [serve, () => fail('CORRUPT_FILE')],
      status: 'synched',
      code: 'PARTIAL',
    },
    {
      name: 'partial with a warning of the crawl',
      pages: [serve],
      warning: 'The limit was reached.',
      status: 'synched',
      code: 'PARTIAL',
    },
    {
      name: 'failed with all pages',
      pages: [() => fail('CORRUPT_FILE')],
      status: 'error',
      code: 'SITE_FAILED',
    },
    { name: 'empty without pages', pages: [], status: 'error', code: 'SITE_EMPTY' },
    {
      name: 'over the limit',
      pages: [() => fail('USAGE_LIMIT')],
      status: 'usage_limit_reached',
      code: 'USAGE_LIMIT',
    },
  ]) {
    it(`is ${name}`, async () => {
      for (const page of pages) await page();
      await site.waitForPages(warning);
      await site.runs.finishWaitingGroups();
      const { datasource } = await tenant.view(site.id);
      expect([datasource.status, datasource.error?.code]).toEqual([status, code]);
      expect(datasource.lastSynch !== null).toBe(status === 'synched');
      if (warning !== null) expect(datasource.error?.message).toBe(warning);
    });
  }

  it('is partial when the limit allows only some pages', async () => {
    tenant = await TestTenant.create(dataSource, { limitStoredCharacters: PAGE_CHARACTERS });
    site = await TestSite.begin(tenant);
    await serve();
    const { run } = await tenant.take(await site.page(), 'indexing');
    const error = await tenant.lifecycle
      .serve(run, { chunks: 1, characters: PAGE_CHARACTERS, bytes: 1, pages: 0 })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof IngestionError);
    await tenant.lifecycle.fail(run, error);
    await site.waitForPages();
    await site.runs.finishWaitingGroups();
    const { datasource } = await tenant.view(site.id);
    expect([datasource.status, datasource.error?.code]).toEqual(['synched', 'PARTIAL']);
  });
});

describe('cancelling the pages of a site', () => {
  it('ends their runs and requested syncs, and keeps what serves', async () => {
    const serving = await site.page();
    await site.serve(serving);
    await site.updatePage(serving);
    const added = await site.page();
    const leased = await tenant.take(added, 'indexing');
    await tenant.datasources.sync(tenant.scope, added);
    expect((await tenant.view(added)).datasource.requestedSync).toBe('sync');
    const foreign = await (await TestSite.begin(tenant)).page();
    const { datasource: file } = await tenant.datasource();

    expect(await site.runs.cancelPages(tenant.scope, site.id)).toBe(2);

    for (const [id, status] of [
      [serving, 'synched'],
      [added, 'unsynched'],
    ] as const) {
      const { datasource } = await tenant.view(id);
      expect([datasource.status, datasource.error?.code, datasource.requestedSync]).toEqual([
        status,
        'CANCELLED',
        null,
      ]);
    }
    expect((await tenant.view(serving)).serving?.revision).toBe(1);
    await expect(tenant.lifecycle.heartbeat(leased.run, null)).rejects.toThrow(LeaseLostError);
    expect((await tenant.view(foreign)).current).toBeTruthy();
    expect((await tenant.view(file.id)).current).toBeTruthy();
    expect(await site.runs.cancelPages(tenant.scope, site.id)).toBe(0);
  });
});

describe('a site that is deleted', () => {
  it('is deleted with its pages and their characters', async () => {
    const page = await site.page();
    await site.serve(page);
    await tenant.datasources.markDeleted(tenant.scope, site.id);
    expect(await tenant.datasources.find(tenant.scope, page)).toBeNull();
    expect(await tenant.storedCharacters()).toBe(0);
  });

  it('has no living pages, however the deletion interleaves with a crawl that adds some', async () => {
    for (let round = 0; round < 10; round += 1) {
      site = await TestSite.begin(tenant);
      const adding = Array.from({ length: 12 }, () => site.page());
      const deleting = new Promise((resolve) => setTimeout(resolve, round * 2)).then(() =>
        tenant.datasources.markDeleted(tenant.scope, site.id),
      );
      for (const outcome of await Promise.allSettled([...adding, deleting]))
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LeaseLostError);
      const left = await dataSource.query<unknown[]>(
        `SELECT d.id FROM datasources d LEFT JOIN runs r ON r.datasource_id = d.id
          WHERE d.group_id = $1 AND (d.deleted_at IS NULL OR r.state IN ('pending', 'queued', 'active', 'waiting'))`,
        [site.id],
      );
      expect([`round ${round}`, left]).toEqual([`round ${round}`, []]);
    }
  });
});
