import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { beginCrawls, PAGE_CHARACTERS, type Outcome, TestCrawl } from '../fixtures/crawl.fixtures.js';
import type { TestTenant } from '../fixtures/tenant.fixtures.js';
import { LeaseLostError } from '../runs/lease.js';

const A = 'https://site.example/a';
const B = 'https://site.example/b';
const C = 'https://site.example/c';
const GONE: Outcome = {
  kind: 'failed',
  error: { code: 'PAGE_GONE', message: 'gone', retryable: false },
  isGone: true,
};
const FAILED: Outcome = {
  kind: 'failed',
  error: { code: 'FETCH_FAILED', message: 'no answer', retryable: true },
  isGone: false,
};

describe('what a crawl decides about a URL', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  let crawl: TestCrawl;
  beginCrawls((begun) => ({ dataSource, tenant, crawl } = begun));

  /** A crawl of a site whose page A serves. */
  const resync = async (urls: readonly string[] = [A]): Promise<string> => {
    const ids = await crawl.served(urls);
    await crawl.again();
    await crawl.find(urls);
    return ids.get(A) ?? '';
  };
  const committed = async (): Promise<string[]> =>
    (
      await dataSource.query<{ key: string }[]>(
        'SELECT key FROM blobs WHERE organization_id = $1 AND committed ORDER BY key',
        [tenant.organizationId],
      )
    ).map(({ key }) => key);
  const purges = async (): Promise<number> =>
    (
      await dataSource.query<unknown[]>('SELECT 1 FROM purges WHERE organization_id = $1', [
        tenant.organizationId,
      ])
    ).length;

  describe('a page', () => {
    it('becomes a datasource of the site, with a run that begins with indexing', async () => {
      const id = await crawl.page(A);
      const [page] = await crawl.pages();
      assert.deepEqual([page?.id, page?.name, page?.status], [id, A, 'unsynched']);
      const { datasource, current } = await tenant.view(id);
      assert.deepEqual(
        [datasource.type, datasource.groupId, datasource.datastoreId, datasource.config],
        ['web_page', crawl.siteId, tenant.datastoreId, { source_url: A }],
      );
      assert.deepEqual(
        [current?.stage, current?.groupId, current?.trigger, current?.contentName, current?.characters],
        ['indexing', crawl.siteId, 'create', A, PAGE_CHARACTERS],
      );
      assert.deepEqual(current?.validators, { etag: `"${A}"`, lastModified: null });
      assert.equal((await committed()).length, 3);
      assert.deepEqual(await crawl.outcome(A), { outcome: 'page', reason: null });
      await crawl.serve(id);
      assert.equal(await tenant.storedCharacters(), PAGE_CHARACTERS);
    });

    it('that is a file is parsed first', async () => {
      await crawl.find([A]);
      const content = await crawl.content('%PDF', { document: false });
      await crawl.settle(A, { kind: 'page', content });
      const { current } = await tenant.view(content.datasourceId);
      assert.deepEqual([current?.stage, current?.contentType], ['parsing', 'application/pdf']);
    });

    it('that has changed gets a run; what serves goes on until then', async () => {
      const id = await resync();
      const content = await crawl.content('changed', { pageId: id });
      await crawl.settle(A, { kind: 'page', content });
      const before = await tenant.view(id);
      assert.deepEqual([before.current?.id, before.serving?.revision], [content.runId, 1]);
      assert.equal(before.current?.trigger, 'sync');
      await crawl.serve(id);
      assert.equal((await tenant.view(id)).serving?.revision, 2);
      assert.equal(await tenant.storedCharacters(), PAGE_CHARACTERS);
    });

    it('that has changed while it was brought in ends that run', async () => {
      const id = await resync();
      await tenant.datasources.sync(tenant.scope, id);
      const [old] = await tenant.dispatch.claim('fetching', 10);
      const content = await crawl.content('changed', { pageId: id });
      await crawl.settle(A, { kind: 'page', content });
      assert.ok(old);
      assert.equal(await tenant.lifecycle.take(old), null);
      assert.equal((await tenant.view(id)).current?.id, content.runId);
    });

    it('that says the same as another one is none, whichever of them comes in the same batch', async () => {
      await crawl.find([A, B]);
      const contents = [await crawl.content('same'), await crawl.content('same')] as const;
      const { unwanted } = await crawl.sites.settle(crawl.run, [
        { url: A, pageId: null, found: [], kind: 'page', content: contents[0] },
        { url: B, pageId: null, found: [], kind: 'page', content: contents[1] },
      ]);
      assert.deepEqual(
        (await crawl.pages()).map(({ name }) => name),
        [A],
      );
      assert.deepEqual(await crawl.outcome(B), { outcome: 'left-out', reason: 'DUPLICATE' });
      assert.equal(unwanted.length, 3);
      assert.ok(unwanted.every((key) => key.includes(contents[1].runId)));
    });

    it('keeps its content when another one of the same batch had it before', async () => {
      const { run, sites } = crawl;
      const b = await crawl.page(B, 'first');
      await dataSource.query('UPDATE crawl_urls SET settled_in = NULL WHERE site_id = $1', [crawl.siteId]);
      await crawl.find([A]);
      const changed = await crawl.content('second', { pageId: b });
      const moved = await crawl.content('first');
      await sites.settle(run, [
        { url: B, pageId: b, found: [], kind: 'page', content: changed },
        { url: A, pageId: null, found: [], kind: 'page', content: moved },
      ]);
      const names = (await crawl.pages()).map(({ name }) => name);
      assert.deepEqual(names, [A, B]);
    });

    it('that somebody deletes while it is looked at stays deleted, until the next crawl', async () => {
      const id = await resync();
      const { pageId } = await crawl.due(A);
      const content = await crawl.content('changed', { pageId: id });
      await tenant.datasources.markDeleted(tenant.scope, id);
      const { unwanted } = await crawl.sites.settle(crawl.run, [
        { url: A, pageId, found: [], kind: 'page', content },
      ]);
      assert.equal(unwanted.length, 3);
      assert.deepEqual(await crawl.pages(), []);
      assert.deepEqual(await crawl.outcome(A), { outcome: 'left-out', reason: 'DELETED' });
      const [row] = await dataSource.query<unknown[]>('SELECT 1 FROM runs WHERE id = $1', [content.runId]);
      assert.equal(row, undefined);
    });

    it('brings what was found on it into the frontier', async () => {
      await crawl.find([A]);
      await crawl.settle(A, { kind: 'page', content: await crawl.content(A) }, [
        { url: B, kind: 'page', origin: 'link', depth: 1 },
      ]);
      assert.equal((await crawl.due(B)).row.depth, 1);
    });
  });

  describe('an unchanged page', () => {
    it('costs no run', async () => {
      const id = await resync();
      const before = await tenant.datasources.runs(tenant.scope, id, { limit: 10 });
      await crawl.settle(A, { kind: 'unchanged' });
      assert.deepEqual(await tenant.datasources.runs(tenant.scope, id, { limit: 10 }), before);
      assert.deepEqual(await crawl.outcome(A), { outcome: 'page', reason: null });
    });

    it('that could not be fetched the last time is well again', async () => {
      const id = await resync();
      await crawl.settle(A, FAILED);
      assert.equal((await tenant.view(id)).datasource.status, 'error');
      await crawl.discovered();
      await crawl.sites.finishDiscovered();
      await crawl.again();
      await crawl.find([A]);
      await crawl.settle(A, { kind: 'unchanged' });
      const { datasource } = await tenant.view(id);
      assert.deepEqual([datasource.status, datasource.error], ['synched', null]);
      assert.deepEqual((await crawl.outcome(A))?.reason, null);
    });

    it('that is being brought in anew keeps saying so', async () => {
      const id = await resync();
      await tenant.datasources.sync(tenant.scope, id);
      await tenant.take(id, 'fetching');
      await crawl.settle(A, { kind: 'unchanged' });
      assert.equal((await tenant.view(id)).datasource.status, 'running');
    });
  });

  describe('a URL that is left out', () => {
    it('says why, and is no datasource', async () => {
      await crawl.find([A]);
      await crawl.settle(A, { kind: 'left-out', reason: 'NOINDEX' });
      assert.deepEqual(await crawl.outcome(A), { outcome: 'left-out', reason: 'NOINDEX' });
      assert.deepEqual(await crawl.pages(), []);
    });

    it('stops answering if it was a page', async () => {
      await resync([A, B]);
      await crawl.settle(A, { kind: 'left-out', reason: 'NOINDEX' });
      assert.deepEqual(
        (await crawl.pages()).map(({ name }) => name),
        [B],
      );
      assert.equal(await tenant.storedCharacters(), PAGE_CHARACTERS);
      assert.ok((await purges()) > 0);
    });

    it('for another one that is no page itself is looked at again', async () => {
      await crawl.find([A, B, C]);
      await crawl.settle(A, { kind: 'left-out', reason: 'CANONICAL', target: B });
      await crawl.settle(C, { kind: 'left-out', reason: 'REDIRECT' });
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 1, 'B is not known yet');
      await crawl.settle(A, { kind: 'left-out', reason: 'CANONICAL', target: B });
      await crawl.page(B);
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
      await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
      await crawl.again();
      await crawl.find([A, B]);
      await crawl.settle(A, { kind: 'left-out', reason: 'CANONICAL', target: B });
      await crawl.settle(B, { kind: 'left-out', reason: 'NOINDEX' });
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 1);
      assert.equal((await crawl.due(A)).row.url, A);
      await crawl.settle(A, { kind: 'page', content: await crawl.content(A) });
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
    });
  });

  describe('a page left out for one that stands for another', () => {
    const STUB = { kind: 'left-out', reason: 'REFRESH', target: B } as const;

    for (const reason of ['REFRESH', 'REDIRECT'] as const) {
      it(`stays out where that is a page, ${reason}`, async () => {
        await crawl.find([A, B, C]);
        await crawl.settle(A, STUB);
        await crawl.settle(B, { kind: 'left-out', reason, target: C });
        await crawl.page(C);
        assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
      });
    }

    it('stays out where that is a copy', async () => {
      const start = 'https://site.example/';
      await crawl.find([A, B, start]);
      await crawl.settle(A, STUB);
      await crawl.page(start, 'same');
      await crawl.settle(B, { kind: 'page', content: await crawl.content('same') });
      assert.deepEqual(await crawl.frontier.decisionsOn(crawl.run, B), [
        { outcome: 'left-out', target: start },
        { outcome: 'page', target: null },
      ]);
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
    });

    it('is looked at again where nothing of all that is a page; what only redirects is not', async () => {
      await crawl.find([A, B, C]);
      await crawl.settle(A, STUB);
      await crawl.settle(B, { kind: 'left-out', reason: 'REDIRECT', target: C });
      await crawl.settle(C, FAILED);
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 1);
      assert.equal((await crawl.due(A)).row.url, A);
    });

    it('is looked at again where they stand for each other', async () => {
      await crawl.find([A, B]);
      await crawl.settle(A, STUB);
      await crawl.settle(B, { kind: 'left-out', reason: 'CANONICAL', target: A });
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 2);
    });
  });

  describe('a page that points to one that is none', () => {
    const pointing = async (): Promise<Outcome> => ({
      kind: 'page',
      content: await crawl.content(A),
      target: B,
    });
    const targetOf = async (url: string): Promise<string | null> => (await crawl.due(url)).row.target;

    /** A site whose page A serves, although it points to B, which failed. */
    const begin = async (): Promise<void> => {
      await crawl.find([A, B]);
      const page = await pointing();
      await crawl.settle(A, page);
      if (page.kind === 'page') await crawl.serve(page.content.datasourceId);
      await crawl.settle(B, FAILED);
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
      await crawl.discovered();
      await crawl.sites.finishDiscovered();
      await crawl.again();
      await crawl.find([A, B]);
    };

    it('is looked at again once that is a page, once in a crawl', async () => {
      await begin();
      assert.equal(await targetOf(A), B);
      await crawl.settle(A, { kind: 'unchanged', target: B });
      await crawl.page(B);
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 1);
      assert.equal(await targetOf(A), B);
      assert.equal((await crawl.due(A)).row.reopenedIn, crawl.run.id);
      await crawl.settle(A, { kind: 'unchanged', target: B });
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
    });

    it('is not what that is a copy of', async () => {
      for (const together of [false, true]) {
        await crawl.find([A, B]);
        const [a, b] = [await crawl.content('same'), await crawl.content('same')];
        const stays = { url: A, pageId: null, found: [], kind: 'page', content: a, target: B } as const;
        const copy = { url: B, pageId: null, found: [], kind: 'page', content: b } as const;
        for (const settlements of together ? [[stays, copy]] : [[stays], [copy]])
          assert.deepEqual((await crawl.sites.settle(crawl.run, settlements)).unwanted, []);
        assert.deepEqual(await crawl.outcome(B), { outcome: 'page', reason: null });
        assert.equal(await crawl.sites.reopenMisled(crawl.run), 1, 'A is left out for B then');
        crawl = await TestCrawl.begin(tenant);
      }
    });

    it('still does after a crawl in which it could not be fetched', async () => {
      await begin();
      await crawl.settle(A, FAILED);
      await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
      await crawl.again();
      await crawl.find([A]);
      assert.equal(await targetOf(A), B);
    });

    it('stays where that leads back to it', async () => {
      await begin();
      await crawl.settle(A, { kind: 'unchanged', target: B });
      await crawl.settle(B, { kind: 'left-out', reason: 'CANONICAL', target: A });
      assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
    });
  });

  it('takes a page that could not be fetched this time for the page that it was', async () => {
    await crawl.served([B]);
    await crawl.again();
    await crawl.find([A, B]);
    await crawl.settle(A, { kind: 'left-out', reason: 'REFRESH', target: B });
    await crawl.settle(B, FAILED);
    assert.equal(await crawl.sites.reopenMisled(crawl.run), 0);
    assert.deepEqual(await crawl.frontier.decisionsOn(crawl.run, B), [{ outcome: 'page', target: null }]);
  });

  describe('a page that fails', () => {
    it('and never served is a datasource that says so', async () => {
      await crawl.find([A]);
      await crawl.settle(A, FAILED);
      const [page] = await crawl.pages();
      assert.deepEqual(
        [page?.status, page?.error?.code, page?.serving_run_id],
        ['error', 'FETCH_FAILED', null],
      );
      assert.deepEqual(await crawl.outcome(A), { outcome: 'failed', reason: 'FETCH_FAILED' });
    });

    it('keeps what serves', async () => {
      const id = await resync();
      await crawl.settle(A, FAILED);
      const { datasource, serving } = await tenant.view(id);
      assert.deepEqual([datasource.status, serving?.revision], ['error', 1]);
      assert.equal(await tenant.storedCharacters(), PAGE_CHARACTERS);
    });

    it('because it is gone stops answering at once and no longer counts', async () => {
      const id = await resync();
      const before = await purges();
      await crawl.settle(A, GONE);
      const { datasource, serving } = await tenant.view(id);
      assert.deepEqual([datasource.status, datasource.error?.code, serving], ['error', 'PAGE_GONE', null]);
      assert.equal(await tenant.storedCharacters(), 0);
      assert.equal(await purges(), before + 1);
    });

    it('because it is gone ends a run that would find that nothing has changed', async () => {
      const id = await resync();
      await tenant.datasources.sync(tenant.scope, id);
      const { run } = await tenant.take(id, 'fetching');
      await crawl.settle(A, GONE);
      await assert.rejects(tenant.lifecycle.keepServing(run), LeaseLostError);
      const { datasource, serving } = await tenant.view(id);
      assert.deepEqual([datasource.status, serving], ['error', null]);
    });

    it('and comes back is the same datasource', async () => {
      const id = await resync();
      await crawl.settle(A, GONE);
      await crawl.discovered();
      await crawl.sites.finishDiscovered();
      await crawl.again();
      assert.equal(await crawl.page(A, 'back'), id);
      await crawl.serve(id);
      assert.deepEqual(
        (await crawl.pages()).map(({ status, error }) => [status, error]),
        [['synched', null]],
      );
    });
  });

  describe('without the lease', () => {
    const everything = async (): Promise<string> => {
      const rows = await Promise.all(
        ['datasources', 'runs', 'crawl_urls', 'purges', 'blobs'].map((table) =>
          dataSource.query(`SELECT t::text FROM ${table} t WHERE organization_id = $1 ORDER BY 1`, [
            tenant.organizationId,
          ]),
        ),
      );
      return JSON.stringify(rows);
    };

    const losses: Record<string, () => Promise<unknown>> = {
      'after a cancel': () => tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId),
      'after a delete': () => tenant.datasources.markDeleted(tenant.scope, crawl.siteId),
      'when it ran out': async () => {
        await dataSource.query('UPDATE runs SET lease_until = created_at WHERE id = $1', [crawl.run.id]);
        await tenant.lifecycle.crashed(crawl.run.id);
      },
      'when another delivery has it': async () => {
        const { run } = crawl;
        await tenant.lifecycle.handBack(run);
        await crawl.retake();
        crawl.run = run;
      },
    };
    for (const [name, lose] of Object.entries(losses)) {
      it(`changes nothing ${name}`, async () => {
        const id = await resync([A, B]);
        const content = await crawl.content('changed', { pageId: id });
        const outcomes: Outcome[] = [
          { kind: 'page', content },
          { kind: 'unchanged' },
          { kind: 'left-out', reason: 'NOINDEX' },
          GONE,
          FAILED,
          { kind: 'again', of: 'page', notBefore: new Date() },
          { kind: 'read', reason: null, leadsOn: true },
        ];
        const { run, sites } = crawl;
        await lose();
        const before = await everything();
        for (const outcome of outcomes)
          await assert.rejects(
            sites.settle(run, [
              {
                url: A,
                pageId: id,
                found: [{ url: C, kind: 'page', origin: 'link', depth: 1 }],
                ...outcome,
              },
            ]),
            LeaseLostError,
            outcome.kind,
          );
        await assert.rejects(sites.pause(run, { done: 0, total: 0 }, null), LeaseLostError);
        await assert.rejects(sites.discovered(run, { done: 0, total: 0 }, null), LeaseLostError);
        await assert.rejects(sites.reopenMisled(run), LeaseLostError);
        await assert.rejects(sites.remove(run, [A]), LeaseLostError);
        await assert.rejects(
          sites.find(run, [{ url: C, kind: 'page', origin: 'link', depth: 0 }]),
          LeaseLostError,
        );
        assert.equal(await everything(), before);
      });
    }
  });
});
