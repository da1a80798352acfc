import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { IngestionError } from '@citewell/contracts/errors';
import type { DataSource } from 'typeorm';
import { PAGE_CHARACTERS, TestSite } from '../fixtures/site.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { LeaseLostError } from './lease.js';
import { SiteRunRepository } from './site-run.repository.js';

let server: ThrowAwayServer;
let dataSource: DataSource;
let tenant: TestTenant;
let site: TestSite;
before(async () => {
  server = await ThrowAwayServer.start();
  dataSource = await server.database();
});
after(() => server.stop());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  site = await TestSite.begin(tenant);
});

describe('the time slice of a crawl', () => {
  it('ends with the progress of the run, and the next one belongs to the same run', async () => {
    const { id, delivery } = site.run;
    await site.runs.endTimeSlice(site.run, { done: 3, total: 9, failed: 1, pages: 2 }, null);
    const { current } = await tenant.view(site.id);
    assert.deepEqual([current?.state, current?.progress?.done], ['pending', 3]);
    await site.retake();
    assert.equal(site.run.id, id);
    assert.ok(site.run.delivery > delivery);
    assert.equal(site.run.progress?.pages, 2);
  });

  it('is not followed by another before the given time', async () => {
    await site.runs.endTimeSlice(site.run, { done: 0, total: 1 }, new Date(Date.now() + 60_000));
    assert.deepEqual(await tenant.dispatch.claim('discovering', 10), []);
    await dataSource.query('UPDATE runs SET not_before = now() WHERE id = $1', [site.run.id]);
    await site.retake();
  });

  it('resets the failures and crashes of the run', async () => {
    await dataSource.query('UPDATE runs SET failures = 3, crashes = 5 WHERE id = $1', [site.run.id]);
    await site.runs.endTimeSlice(site.run, { done: 1, total: 1 }, null);
    const { current } = await tenant.view(site.id);
    assert.deepEqual([current?.failures, current?.crashes], [0, 0]);
  });

  it('ends only for the worker that holds the lease', async () => {
    const other = new SiteRunRepository(dataSource, 'worker-2');
    await assert.rejects(other.endTimeSlice(site.run, { done: 1, total: 1 }, null), LeaseLostError);
    await assert.rejects(other.waitForPages(site.run, { done: 1, total: 1 }, null), LeaseLostError);
  });
});

describe('a site whose crawl is over', () => {
  const finish = () => site.runs.finishWaitingSites();

  it('waits for its pages, and is not dispatched again', async () => {
    const page = await site.page();
    await site.waitForPages();
    await finish();
    assert.equal((await tenant.view(site.id)).current?.state, 'pending');
    assert.deepEqual(await tenant.dispatch.claim('discovering', 10), []);
    await site.serve(page);
    await finish();
    const { current, serving, datasource } = await tenant.view(site.id);
    assert.deepEqual([current, serving?.id, serving?.revision], [null, site.run.id, 1]);
    assert.deepEqual([datasource.status, datasource.error], ['synched', null]);
    assert.ok(datasource.lastSynch);
    assert.deepEqual(serving?.counts, { chunks: 2, characters: PAGE_CHARACTERS, bytes: 9, pages: 1 });
  });

  it('waits in the transaction of the caller', async () => {
    await assert.rejects(
      dataSource.transaction(async (manager) => {
        await site.runs.waitForPages(site.run, { done: 1, total: 1 }, null, manager);
        throw new Error('rolled back');
      }),
      /rolled back/,
    );
    assert.equal((await tenant.view(site.id)).current?.state, 'active');
  });

  it('waits for pages that are pending, queued or active', async () => {
    const pages = await site.pages(3);
    await site.waitForPages();
    const claimed = await tenant.dispatch.claim('indexing', 2);
    assert.equal(claimed.length, 2);
    const [first] = claimed;
    assert.ok(
      first && (await tenant.lifecycle.claimDelivered(first)),
      'one is active, one queued, one pending',
    );
    await finish();
    assert.ok((await tenant.view(site.id)).current);
    for (const id of pages) await tenant.lifecycle.cancel(tenant.organizationId, id);
    await finish();
    assert.equal((await tenant.view(site.id)).current, null);
  });

  it('is finished once by several dispatchers', async () => {
    await site.serve(await site.page());
    await site.waitForPages();
    const others = Array.from({ length: 6 }, (_, n) => new SiteRunRepository(dataSource, `api-${n}`));
    await Promise.all(others.map((runs) => runs.finishWaitingSites()));
    const runs = await tenant.datasources.runs(tenant.scope, site.id, { limit: 10 });
    assert.deepEqual(
      runs.map(({ state, revision }) => [state, revision]),
      [['succeeded', 1]],
    );
    await site.sync();
    await site.waitForPages();
    await Promise.all(others.map((other) => other.finishWaitingSites()));
    assert.equal((await tenant.view(site.id)).serving?.revision, 2);
  });

  it('is finished whatever other sites do', async () => {
    const other = await TestSite.begin(tenant);
    await other.page();
    await other.waitForPages();
    await site.serve(await site.page());
    await site.waitForPages();
    await finish();
    assert.equal((await tenant.view(site.id)).datasource.status, 'synched');
    assert.ok((await tenant.view(other.id)).current);
    assert.equal((await tenant.view(site.id)).serving?.counts?.pages, 1);
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
      await site.runs.finishWaitingSites();
      const { datasource } = await tenant.view(site.id);
      assert.deepEqual([datasource.status, datasource.error?.code], [status, code]);
      assert.equal(datasource.lastSynch !== null, status === 'synched');
      if (warning !== null) assert.equal(datasource.error?.message, warning);
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
    await site.runs.finishWaitingSites();
    const { datasource } = await tenant.view(site.id);
    assert.deepEqual([datasource.status, datasource.error?.code], ['synched', 'PARTIAL']);
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
    assert.equal((await tenant.view(added)).datasource.requestedSync, 'sync');
    const foreign = await (await TestSite.begin(tenant)).page();
    const { datasource: file } = await tenant.datasource();

    assert.equal(await site.runs.cancelPages(tenant.organizationId, site.id), 2);

    for (const [id, status] of [
      [serving, 'synched'],
      [added, 'unsynched'],
    ] as const) {
      const { datasource } = await tenant.view(id);
      assert.deepEqual(
        [datasource.status, datasource.error?.code, datasource.requestedSync],
        [status, 'CANCELLED', null],
      );
    }
    assert.equal((await tenant.view(serving)).serving?.revision, 1);
    await assert.rejects(tenant.lifecycle.heartbeat(leased.run, null), LeaseLostError);
    assert.ok((await tenant.view(foreign)).current, 'a page of another site');
    assert.ok((await tenant.view(file.id)).current, 'a file');
    assert.equal(await site.runs.cancelPages(tenant.organizationId, site.id), 0);
  });
});

describe('a site that is deleted', () => {
  it('is deleted with its pages and their characters', async () => {
    const page = await site.page();
    await site.serve(page);
    await tenant.datasources.markDeleted(tenant.scope, site.id);
    assert.equal(await tenant.datasources.find(tenant.scope, page), null);
    assert.equal(await tenant.storedCharacters(), 0);
  });

  it('has no living pages, however the deletion interleaves with a crawl that adds some', async () => {
    for (let round = 0; round < 10; round += 1) {
      site = await TestSite.begin(tenant);
      const adding = Array.from({ length: 12 }, () => site.page());
      const deleting = new Promise((resolve) => setTimeout(resolve, round * 2)).then(() =>
        tenant.datasources.markDeleted(tenant.scope, site.id),
      );
      for (const outcome of await Promise.allSettled([...adding, deleting]))
        if (outcome.status === 'rejected')
          assert.ok(outcome.reason instanceof LeaseLostError, String(outcome.reason));
      const left = await dataSource.query<unknown[]>(
        `SELECT d.id FROM datasources d LEFT JOIN runs r ON r.datasource_id = d.id
          WHERE d.group_id = $1 AND (d.deleted_at IS NULL OR r.state IN ('pending', 'queued', 'active'))`,
        [site.id],
      );
      assert.deepEqual(left, [], `round ${round}`);
    }
  });
});
