import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IngestionError } from '@citewell/contracts/errors';
import type { DataSource } from 'typeorm';
import { beginCrawls, PAGE_CHARACTERS, TestCrawl } from '../fixtures/crawl.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { LeaseLostError } from '../runs/lease.js';
import { SiteRepository } from './site.repository.js';

const A = 'https://site.example/a';
const B = 'https://site.example/b';
const C = 'https://site.example/c';

let dataSource: DataSource;
let tenant: TestTenant;
let crawl: TestCrawl;
beginCrawls((begun) => ({ dataSource, tenant, crawl } = begun));

const names = async (): Promise<string[]> => (await crawl.pages()).map(({ name }) => name);

describe('a crawl that pauses', () => {
  it('gives the run back with what it has done, and goes on with the same run', async () => {
    await crawl.find([A]);
    const { id, delivery } = crawl.run;
    await crawl.sites.pause(crawl.run, { done: 3, total: 9, failed: 1, pages: 2, cut: 'too many' }, null);
    const { current } = await tenant.view(crawl.siteId);
    assert.deepEqual([current?.state, current?.progress?.done], ['pending', 3]);
    await crawl.retake();
    assert.equal(crawl.run.id, id);
    assert.ok(crawl.run.delivery > delivery);
    assert.equal(crawl.run.progress?.cut, 'too many', 'a turn knows why the one before was cut short');
    assert.equal(await crawl.frontier.hasBegun(crawl.run), true);
  });

  it('knows after a crash what the pages that were settled brought up', async () => {
    await crawl.find([A]);
    const settled = { url: A, pageId: null, found: [], kind: 'left-out', reason: 'EMPTY' } as const;
    await crawl.sites.settle(crawl.run, [settled], { cut: 'too many' });
    await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      crawl.run.id,
    ]);
    await tenant.lifecycle.crashed(crawl.run.id);
    await dataSource.query('UPDATE runs SET not_before = now() WHERE id = $1', [crawl.run.id]);
    await crawl.retake();
    assert.equal(crawl.run.progress?.cut, 'too many');
  });

  it('is not taken up before its time', async () => {
    await crawl.sites.pause(crawl.run, { done: 0, total: 1 }, new Date(Date.now() + 60_000));
    assert.deepEqual(await tenant.dispatch.claim('discovering', 10), []);
    await dataSource.query('UPDATE runs SET not_before = now() WHERE id = $1', [crawl.run.id]);
    await crawl.retake();
  });

  it('has made progress: failures and deaths before it no longer count', async () => {
    await dataSource.query('UPDATE runs SET failures = 3, crashes = 5 WHERE id = $1', [crawl.run.id]);
    await crawl.sites.pause(crawl.run, { done: 1, total: 1 }, null);
    const { current } = await tenant.view(crawl.siteId);
    assert.deepEqual([current?.failures, current?.crashes], [0, 0]);
  });
});

describe('a crawl that has got to everything', () => {
  it('waits for its pages, and is never dispatched again', async () => {
    const id = await crawl.page(A);
    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    assert.equal((await tenant.view(crawl.siteId)).current?.state, 'pending');
    assert.deepEqual(await tenant.dispatch.claim('discovering', 10), []);
    await crawl.serve(id);
    await crawl.sites.finishDiscovered();
    const { current, serving, datasource } = await tenant.view(crawl.siteId);
    assert.deepEqual([current, serving?.id, serving?.revision], [null, crawl.run.id, 1]);
    assert.deepEqual([datasource.status, datasource.error], ['synched', null]);
    assert.ok(datasource.lastSynch);
    assert.deepEqual(serving?.counts, { chunks: 2, characters: PAGE_CHARACTERS, bytes: 9, pages: 1 });
  });

  it('waits for every state that a page can be in', async () => {
    const [a, b, c] = [await crawl.page(A), await crawl.page(B), await crawl.page(C)];
    await crawl.discovered();
    const claimed = await tenant.dispatch.claim('indexing', 2);
    assert.equal(claimed.length, 2);
    const [first] = claimed;
    assert.ok(first && (await tenant.lifecycle.take(first)), 'one is active, one queued, one pending');
    await crawl.sites.finishDiscovered();
    assert.ok((await tenant.view(crawl.siteId)).current);
    for (const id of [a, b, c]) await tenant.lifecycle.cancel(tenant.organizationId, id);
    await crawl.sites.finishDiscovered();
    assert.equal((await tenant.view(crawl.siteId)).current, null);
  });

  it('is ended once, however many dispatchers look', async () => {
    await crawl.serve(await crawl.page(A));
    await crawl.discovered();
    const others = Array.from({ length: 6 }, (_, n) => new SiteRepository(dataSource, `api-${n}`));
    await Promise.all(others.map((sites) => sites.finishDiscovered()));
    const runs = await tenant.datasources.runs(tenant.scope, crawl.siteId, { limit: 10 });
    assert.deepEqual(
      runs.map(({ state, revision }) => [state, revision]),
      [['succeeded', 1]],
    );
    await crawl.again();
    await crawl.find([A]);
    await crawl.settle(A, { kind: 'unchanged' });
    await crawl.discovered();
    await Promise.all(others.map((sites) => sites.finishDiscovered()));
    assert.equal((await tenant.view(crawl.siteId)).serving?.revision, 2);
  });

  it('leaves other sites alone', async () => {
    const other = await TestCrawl.begin(tenant);
    await other.page(A);
    await other.discovered();
    await crawl.serve(await crawl.page(A));
    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    assert.equal((await crawl.site()).status, 'synched');
    assert.ok((await tenant.view(other.siteId)).current);
    assert.equal((await tenant.view(crawl.siteId)).serving?.counts?.pages, 1);
  });
});

describe('a site whose pages are settled', () => {
  const fail = async (url: string, code: 'CORRUPT_FILE' | 'USAGE_LIMIT'): Promise<void> => {
    const id = await crawl.page(url);
    const { run } = await tenant.take(id, 'indexing');
    await tenant.lifecycle.fail(run, new IngestionError(code));
  };
  const end = async (cut: string | null = null) => {
    await crawl.discovered(cut);
    await crawl.sites.finishDiscovered();
    return crawl.site();
  };

  it('is partial when some of them failed', async () => {
    await crawl.serve(await crawl.page(A));
    await fail(B, 'CORRUPT_FILE');
    const { status, code, message } = await end();
    assert.deepEqual([status, code], ['synched', 'PARTIAL']);
    assert.match(message ?? '', /^1 page could not be brought in; 1 page answers\.$/);
  });

  it('is partial when the crawl was cut short', async () => {
    await crawl.serve(await crawl.page(A));
    assert.deepEqual(await end('The limit was reached.'), {
      status: 'synched',
      code: 'PARTIAL',
      message: 'The limit was reached.',
    });
  });

  it('has failed when all of them have', async () => {
    await fail(A, 'CORRUPT_FILE');
    assert.deepEqual(Object.values(await end()).slice(0, 2), ['error', 'SITE_FAILED']);
    const { datasource } = await tenant.view(crawl.siteId);
    assert.equal(datasource.lastSynch, null);
  });

  it('is empty when there are none', async () => {
    assert.deepEqual(Object.values(await end()).slice(0, 2), ['error', 'SITE_EMPTY']);
  });

  it('has reached the limit when none fits any more', async () => {
    await fail(A, 'USAGE_LIMIT');
    assert.deepEqual(Object.values(await end()).slice(0, 2), ['usage_limit_reached', 'USAGE_LIMIT']);
  });

  it('brings in as much as the limit allows', async () => {
    tenant = await TestTenant.create(dataSource, { limitStoredCharacters: PAGE_CHARACTERS });
    crawl = await TestCrawl.begin(tenant);
    await crawl.serve(await crawl.page(A));
    const { run } = await tenant.take(await crawl.page(B), 'indexing');
    const error = await tenant.lifecycle
      .serve(run, { chunks: 1, characters: PAGE_CHARACTERS, bytes: 1, pages: 0 })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof IngestionError);
    await tenant.lifecycle.fail(run, error);
    assert.deepEqual(Object.values(await end()).slice(0, 2), ['synched', 'PARTIAL']);
  });
});

describe('pages that the configuration leaves out', () => {
  it('go at once, with what they stored; those of other sites stay', async () => {
    const other = await TestCrawl.begin(tenant);
    await other.served([A]);
    await crawl.served([A, B]);
    await crawl.again();
    await crawl.sites.remove(crawl.run, [A, C]);
    assert.deepEqual(await names(), [B]);
    assert.equal((await other.pages()).length, 1);
    assert.equal(await tenant.storedCharacters(), 2 * PAGE_CHARACTERS);
  });
});

describe('pages that nothing leads to any more', () => {
  const recrawl = async (): Promise<void> => {
    await crawl.served([A, B]);
    await crawl.again();
    await crawl.find([A]);
    await crawl.settle(A, { kind: 'unchanged' });
  };

  it('are removed after a complete crawl, with what they stored', async () => {
    await recrawl();
    assert.deepEqual(await names(), [A, B]);
    await crawl.discovered();
    assert.deepEqual(await names(), [A]);
    assert.equal(await tenant.storedCharacters(), PAGE_CHARACTERS);
    await crawl.sites.finishDiscovered();
    assert.equal((await crawl.site()).code, null);
    const [row] = await dataSource.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM crawl_urls WHERE site_id = $1',
      [crawl.siteId],
    );
    assert.equal(row?.n, 1, 'what was lost is forgotten');
  });

  it('stay after one that was cut short', async () => {
    await recrawl();
    await crawl.discovered('The sitemap could not be read.');
    await crawl.sites.finishDiscovered();
    assert.deepEqual(await names(), [A, B]);
    assert.equal((await crawl.site()).code, 'PARTIAL');
  });

  it('stay after one that was cancelled, and go with the next complete one', async () => {
    await recrawl();
    await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
    assert.deepEqual(await names(), [A, B]);
    await crawl.again();
    await crawl.find([A]);
    await crawl.settle(A, { kind: 'unchanged' });
    await crawl.discovered();
    assert.deepEqual(await names(), [A]);
  });

  it('of another site stay', async () => {
    const other = await TestCrawl.begin(tenant);
    await other.served([A, B, C]);
    await recrawl();
    await crawl.discovered();
    assert.equal((await other.pages()).length, 3);
  });
});

describe('pages that a crawl has not come to when the site has as many as it may', () => {
  it('go, but for as many as are to be spared', async () => {
    for (const [spared, expected] of [
      [0, [A]],
      [1, [A, B]],
    ] as const) {
      await crawl.served([A, B, C]);
      await crawl.again();
      await crawl.find([A, B, C]);
      await crawl.settle(A, { kind: 'unchanged' });
      await crawl.sites.removeNotReached(crawl.run, spared);
      assert.deepEqual(await names(), expected);
      crawl = await TestCrawl.begin(tenant);
    }
  });
});

describe('cancelling the pages of a site', () => {
  it('ends their runs and leaves what serves', async () => {
    const serving = await crawl.page(A);
    await crawl.serve(serving);
    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    await crawl.again();
    await crawl.find([A]);
    await crawl.settle(A, { kind: 'page', content: await crawl.content('new', { pageId: serving }) });
    const fresh = await crawl.page(B);
    const leased = await tenant.take(fresh, 'indexing');
    const other = await TestCrawl.begin(tenant);
    const foreign = await other.page(C);
    const { datasource: file } = await tenant.datasource();

    await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
    assert.equal(await crawl.sites.cancelPages(tenant.organizationId, crawl.siteId), 2);

    const pages = (await crawl.pages()).map(({ name, status, error }) => [name, status, error?.code]);
    assert.deepEqual(pages, [
      [A, 'synched', 'CANCELLED'],
      [B, 'unsynched', 'CANCELLED'],
    ]);
    assert.equal((await tenant.view(serving)).serving?.revision, 1);
    await assert.rejects(tenant.lifecycle.heartbeat(leased.run, null), LeaseLostError);
    assert.ok((await tenant.view(foreign)).current, 'a page of another site');
    assert.ok((await tenant.view(file.id)).current, 'a file');
    assert.equal(await crawl.sites.cancelPages(tenant.organizationId, crawl.siteId), 0);
  });
});

describe('a site that is deleted', () => {
  it('takes its pages with it, and what they stored', async () => {
    await crawl.served([A, B]);
    await tenant.datasources.markDeleted(tenant.scope, crawl.siteId);
    assert.deepEqual(await names(), []);
    assert.equal(await tenant.storedCharacters(), 0);
  });

  it('leaves no page behind, however the delete falls among the pages that a crawl adds', async () => {
    for (let round = 0; round < 10; round += 1) {
      crawl = await TestCrawl.begin(tenant);
      const urls = Array.from({ length: 12 }, (_, n) => `https://site.example/${round}/${n}`);
      await crawl.find(urls);
      const contents = await Promise.all(urls.map((url) => crawl.content(url)));
      const { run, sites } = crawl;
      const settling = urls.map(async (url, n) => {
        const content = contents[n];
        assert.ok(content);
        await sites.settle(run, [{ url, pageId: null, found: [], kind: 'page', content }]);
      });
      const deleting = new Promise((resolve) => setTimeout(resolve, round * 2)).then(() =>
        tenant.datasources.markDeleted(tenant.scope, crawl.siteId),
      );
      const outcomes = await Promise.allSettled([...settling, deleting]);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          assert.ok(outcome.reason instanceof LeaseLostError, outcome.reason);
      assert.deepEqual(await names(), [], `round ${round}`);
      const under_way = await dataSource.query<unknown[]>(
        `SELECT 1 FROM runs WHERE group_id = $1 AND state IN ('pending', 'queued', 'active')`,
        [crawl.siteId],
      );
      assert.equal(under_way.length, 0);
    }
  });
});
