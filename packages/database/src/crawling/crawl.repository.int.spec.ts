import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { beginCrawls, TestCrawl } from '../fixtures/crawl.fixtures.js';
import type { TestTenant } from '../fixtures/tenant.fixtures.js';

const A = 'https://site.example/a';
const B = 'https://site.example/b';
const C = 'https://site.example/c';
const LEFT_OUT = { kind: 'left-out', reason: 'EMPTY' } as const;

describe('the frontier of a crawl', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  let crawl: TestCrawl;
  beginCrawls((begun) => ({ dataSource, tenant, crawl } = begun));

  const next = async (kind: 'page' | 'sitemap' = 'page', limit = 10, except: string[] = []) =>
    (await crawl.frontier.next(crawl.run, kind, limit, except)).map(({ row }) => row.url);

  it('is empty until something is found', async () => {
    assert.equal(await crawl.frontier.hasBegun(crawl.run), false);
    assert.equal(await crawl.frontier.nextDueAt(crawl.run), null);
    await crawl.find([A]);
    assert.equal(await crawl.frontier.hasBegun(crawl.run), true);
    assert.ok(await crawl.frontier.nextDueAt(crawl.run));
  });

  it('gives out what is nearest to the start first, and not what is being fetched', async () => {
    await crawl.find([C], { depth: 2 });
    await crawl.find([B], { depth: 1 });
    await crawl.find([A], { depth: 1 });
    assert.deepEqual(await next(), [A, B, C]);
    assert.deepEqual(await next('page', 2), [A, B]);
    assert.deepEqual(await next('page', 2, [A]), [B, C]);
  });

  it('keeps sitemaps apart from pages', async () => {
    await crawl.find(['https://site.example/sitemap.xml'], { kind: 'sitemap' });
    await crawl.find([A]);
    assert.deepEqual(await next('sitemap'), ['https://site.example/sitemap.xml']);
    assert.deepEqual(await next(), [A]);
    assert.deepEqual((await crawl.counts()).found, 1);
    assert.deepEqual((await crawl.frontier.urls(crawl.run)).length, 2);
  });

  it('knows a URL that is a sitemap and a page as both', async () => {
    await crawl.find([A], { kind: 'sitemap' });
    await crawl.find([A]);
    await crawl.sites.settle(crawl.run, [
      { url: A, pageId: null, found: [], kind: 'again', of: 'sitemap', notBefore: new Date() },
      { url: A, pageId: null, found: [], kind: 'page', content: await crawl.content(A) },
    ]);
    assert.deepEqual([await next('sitemap'), await next()], [[A], []]);
    await crawl.sites.settle(crawl.run, [
      { url: A, pageId: null, found: [], kind: 'read', reason: null, leadsOn: true },
    ]);
    assert.deepEqual(
      [await next('sitemap'), await crawl.frontier.decisionsOn(crawl.run, A)],
      [[], [{ outcome: 'page', target: null }]],
    );
    assert.equal((await crawl.pages()).length, 1);
  });

  it('takes a URL once, as it was found first', async () => {
    await crawl.find([A, A], { depth: 3, origin: 'link' });
    await crawl.find([A], { depth: 1, origin: 'sitemap' });
    const { row } = await crawl.due(A);
    assert.deepEqual([row.depth, row.origin], [3, 'link']);
    await crawl.settle(A, LEFT_OUT);
    await crawl.find([A]);
    assert.deepEqual(await next(), []);
  });

  it('takes a link once more that is nearer to the start, since more may be followed from there', async () => {
    await crawl.find([A, B], { depth: 3, origin: 'link' });
    await crawl.settle(A, LEFT_OUT);
    await crawl.settle(B, { kind: 'again', of: 'page', notBefore: new Date() });
    await crawl.find([A, B], { depth: 4, origin: 'link' });
    assert.deepEqual(await next(), [B]);
    await crawl.find([A, B], { depth: 2, origin: 'link' });
    assert.deepEqual(await next(), [A, B]);
    const found = [(await crawl.due(A)).row, (await crawl.due(B)).row];
    assert.deepEqual(
      found.map(({ depth, attempts }) => [depth, attempts]),
      [
        [2, 0],
        [2, 1],
      ],
    );
  });

  it('takes a page once more that has come nearer since its links were followed', async () => {
    await crawl.find([A, B], { depth: 3, origin: 'link' });
    await crawl.find([A], { depth: 1, origin: 'link' });
    for (const url of [A, B]) await crawl.settle(url, { ...LEFT_OUT, followedAt: 3 });
    assert.deepEqual(await next(), [A]);
    await crawl.settle(A, { ...LEFT_OUT, followedAt: 1 });
    assert.deepEqual(await next(), []);
  });

  it('knows which URLs pages name as the one that they stand for', async () => {
    await crawl.find([A]);
    await crawl.settle(A, { kind: 'left-out', reason: 'CANONICAL', target: B });
    assert.deepEqual(
      [await crawl.frontier.isNamed(crawl.run, B), await crawl.frontier.isNamed(crawl.run, A)],
      [true, false],
    );
  });

  it('takes thousands at once', async () => {
    const urls = Array.from({ length: 20_000 }, (_, n) => `https://site.example/${n}`);
    await crawl.find(urls);
    assert.equal((await crawl.counts()).found, 20_000);
    assert.equal((await next('page', 64)).length, 64);
  });

  it('waits with what is to be tried again, and counts the attempts', async () => {
    await crawl.find([A, B]);
    const soon = new Date(Date.now() + 60_000);
    await crawl.settle(A, { kind: 'again', of: 'page', notBefore: soon });
    assert.deepEqual(await next(), [B]);
    await crawl.settle(B, LEFT_OUT);
    assert.deepEqual(await next(), []);
    assert.equal((await crawl.frontier.nextDueAt(crawl.run))?.getTime(), soon.getTime());
    assert.equal((await crawl.counts()).settled, 1);
    await dataSource.query(`UPDATE crawl_urls SET not_before = now() - interval '1 second' WHERE url = $1`, [
      A,
    ]);
    assert.equal((await crawl.due(A)).row.attempts, 1);
  });

  it('begins anew with the next crawl: attempts are forgotten, and what was not found again is not fetched', async () => {
    await crawl.find([A, B]);
    await crawl.settle(A, { kind: 'again', of: 'page', notBefore: new Date(Date.now() + 60_000) });
    await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
    await crawl.again();
    assert.equal(await crawl.frontier.hasBegun(crawl.run), false);
    await crawl.find([A]);
    assert.deepEqual(await next(), [A]);
    assert.deepEqual([(await crawl.due(A)).row.attempts, (await crawl.due(A)).row.notBefore], [0, null]);
  });

  it('counts what was found, settled, brought in and failed', async () => {
    await crawl.page(A);
    await crawl.find([B, C, 'https://site.example/d']);
    await crawl.settle(B, LEFT_OUT);
    await crawl.settle(C, {
      kind: 'failed',
      error: { code: 'FETCH_FAILED', message: 'no', retryable: true },
      isGone: false,
    });
    assert.deepEqual(await crawl.counts(), { found: 4, settled: 3, pages: 1, failed: 1 });
  });

  it('tells what a page was the last time', async () => {
    const [id] = (await crawl.served([A])).values();
    await crawl.again();
    await crawl.find([A, B]);
    const { pageId, serving } = await crawl.due(A);
    assert.equal(pageId, id);
    assert.deepEqual(serving?.validators, { etag: `"${A}"`, lastModified: null });
    assert.ok(serving?.contentKey?.endsWith('/fetched') && serving.contentHash && serving.textHash);
    const unknown = await crawl.due(B);
    assert.deepEqual([unknown.pageId, unknown.serving], [null, null]);
  });

  it('forgets a page that was deleted', async () => {
    const [id = ''] = (await crawl.served([A])).values();
    await tenant.datasources.markDeleted(tenant.scope, id);
    await crawl.again();
    await crawl.find([A]);
    const { pageId, serving } = await crawl.due(A);
    assert.deepEqual([pageId, serving], [null, null]);
  });

  it('tells what it decided on a URL in this crawl only', async () => {
    await crawl.find([A, B]);
    await crawl.settle(A, LEFT_OUT);
    assert.deepEqual(await crawl.frontier.decisionsOn(crawl.run, A), [{ outcome: 'left-out', target: null }]);
    assert.deepEqual(await crawl.frontier.decisionsOn(crawl.run, B), []);
    await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
    await crawl.again();
    assert.deepEqual(await crawl.frontier.decisionsOn(crawl.run, A), []);
  });

  it('tells what it decided on what a URL stands for, as far as it goes', async () => {
    const decided = async (url: string): Promise<(string | null)[]> =>
      (await crawl.frontier.decisionsOn(crawl.run, url)).map(({ outcome, target }) => target ?? outcome);
    await crawl.find([A, B, C]);
    await crawl.settle(A, { kind: 'left-out', reason: 'REFRESH', target: B });
    assert.deepEqual(await decided(A), [B], 'B is not decided');
    await crawl.settle(B, { kind: 'left-out', reason: 'REDIRECT', target: C });
    await crawl.page(C);
    assert.deepEqual(await decided(A), [B, C, 'page']);
  });

  it('tells so much and no more of URLs that stand for each other', async () => {
    await crawl.find([A, B]);
    await crawl.settle(A, { kind: 'left-out', reason: 'REFRESH', target: B });
    await crawl.settle(B, { kind: 'left-out', reason: 'REFRESH', target: A });
    assert.equal((await crawl.frontier.decisionsOn(crawl.run, A)).length, 10);
  });

  describe('that could not read everything', () => {
    const unread = async (): Promise<string | undefined> =>
      (await crawl.frontier.unread(crawl.run))?.url.split('/').at(-1);
    const failed = (code: 'FETCH_FAILED' | 'PAGE_GONE' | 'ROBOTS_DISALLOWED') =>
      ({
        kind: 'failed',
        error: { code, message: '', retryable: true },
        isGone: code === 'PAGE_GONE',
        leadsOn: code === 'PAGE_GONE' ? false : null,
      }) as const;
    const read = (url: string, reason: string | null): Promise<unknown> =>
      crawl.sites.settle(crawl.run, [{ url, pageId: null, found: [], kind: 'read', reason, leadsOn: true }]);
    const recrawl = async (): Promise<void> => {
      await tenant.lifecycle.cancel(tenant.organizationId, crawl.siteId);
      await crawl.again();
    };

    it('names a sitemap first, then its start, then a page', async () => {
      const [good, bad] = ['https://site.example/1.xml', 'https://site.example/2.xml'];
      await crawl.find([B], { origin: 'link' });
      await crawl.settle(B, { kind: 'page', content: await crawl.content(B), leadsOn: true });
      await recrawl();
      await crawl.find([good, bad], { kind: 'sitemap' });
      await crawl.find([A], { origin: 'seed' });
      await crawl.find([B], { origin: 'link' });
      await read(good, null);
      assert.equal(await unread(), undefined);
      await crawl.settle(B, failed('FETCH_FAILED'));
      assert.equal(await unread(), 'b');
      await crawl.settle(A, failed('PAGE_GONE'));
      assert.equal(await unread(), 'a', 'the start, whatever the reason');
      await read(bad, 'TRUNCATED');
      assert.deepEqual(await crawl.frontier.unread(crawl.run), {
        url: bad,
        kind: 'sitemap',
        origin: 'sitemap',
        reason: 'TRUNCATED',
      });
    });

    it('knows where sitemaps were', async () => {
      const at = (name: string): string => `https://site.example/${name}.xml`;
      await crawl.find([at('top'), at('broken')], { kind: 'sitemap' });
      await crawl.find([at('below')], { kind: 'sitemap', depth: 1 });
      await crawl.find([at('configured')], { kind: 'sitemap', origin: 'seed' });
      for (const name of ['top', 'below', 'configured']) await read(at(name), null);
      assert.deepEqual(await crawl.frontier.sitemaps(crawl.run), [at('top')]);
    });

    it('misses nothing by what never led anywhere, or does not any more', async () => {
      const outcomes = async (code: Parameters<typeof failed>[0]): Promise<string | undefined> => {
        await recrawl();
        await crawl.find([A], { origin: 'link' });
        await crawl.settle(A, failed(code));
        return unread();
      };
      assert.equal(await outcomes('FETCH_FAILED'), undefined, 'it was never read');
      await recrawl();
      await crawl.find([A], { origin: 'link' });
      await crawl.settle(A, { ...LEFT_OUT, leadsOn: true });
      assert.equal(await outcomes('FETCH_FAILED'), 'a');
      assert.equal(await outcomes('FETCH_FAILED'), 'a', 'however often');
      assert.equal(await outcomes('PAGE_GONE'), undefined);
      assert.equal(await outcomes('FETCH_FAILED'), undefined, 'it was gone when it was seen last');
    });

    it('remembers what led on where that says the same', async () => {
      await crawl.find([A, B], { origin: 'link' });
      for (const url of [A, B])
        await crawl.settle(url, { kind: 'page', content: await crawl.content(url), leadsOn: url === A });
      await recrawl();
      await crawl.find([A, B], { origin: 'link' });
      await crawl.settle(A, { kind: 'unchanged', leadsOn: false });
      await crawl.settle(B, { kind: 'unchanged', leadsOn: true });
      await recrawl();
      await crawl.find([A, B], { origin: 'link' });
      await crawl.settle(A, failed('FETCH_FAILED'));
      assert.equal(await unread(), undefined);
      await crawl.settle(B, failed('FETCH_FAILED'));
      assert.equal(await unread(), 'b');
    });

    it('knows which pages it has not found, as they were found', async () => {
      const notFound = async (): Promise<unknown> =>
        (await crawl.frontier.notFound(crawl.run)).map(({ url, origin, depth }) => [url, origin, depth]);
      const ids = await crawl.served([A, B, C]);
      await crawl.again();
      await crawl.find(['https://site.example/z']);
      await crawl.settle('https://site.example/z', LEFT_OUT);
      await recrawl();
      await crawl.find([A], { origin: 'seed' });
      await tenant.datasources.markDeleted(tenant.scope, ids.get(C) ?? '');
      assert.deepEqual(await notFound(), [[B, 'sitemap', 0]], 'neither what is deleted nor what is no page');
      await recrawl();
      assert.deepEqual(await notFound(), [
        [A, 'seed', 0],
        [B, 'sitemap', 0],
      ]);
    });

    it('knows since when nothing leads to a page, until something does again', async () => {
      const since = async (): Promise<(Date | null)[]> =>
        (await crawl.frontier.notFound(crawl.run)).map(({ lostSince }) => lostSince);
      await crawl.served([A, B]);
      await crawl.again();
      assert.deepEqual(await since(), [null, null]);
      const lost = { origin: 'lost', lostSince: new Date(Date.now() - 1_000) } as const;
      await crawl.find([A, B], lost);
      assert.equal(await crawl.frontier.lostAndKept(crawl.run), 2);
      await crawl.settle(A, { kind: 'left-out', reason: 'GONE' });
      assert.equal(await crawl.frontier.lostAndKept(crawl.run), 1, 'what is gone is none');
      await recrawl();
      assert.deepEqual(await since(), [lost.lostSince]);
      await crawl.find([B], { origin: 'link' });
      await recrawl();
      assert.deepEqual(await since(), [null]);
    });

    it('knows whether it was led by feeds alone, and why it has left out what it found', async () => {
      const [feed, list] = ['https://site.example/feed', 'https://site.example/list'];
      const sitemap = async (url: string, isFeed: boolean): Promise<void> => {
        await crawl.find([url], { kind: 'sitemap' });
        const read = { url, pageId: null, found: [], kind: 'read', reason: null, leadsOn: true } as const;
        await crawl.sites.settle(crawl.run, [{ ...read, isFeed }]);
      };
      assert.equal(await crawl.frontier.isLedByFeed(crawl.run), false);
      await sitemap(feed, true);
      assert.equal(await crawl.frontier.isLedByFeed(crawl.run), true);
      await sitemap(list, false);
      assert.equal(await crawl.frontier.isLedByFeed(crawl.run), false);
      await crawl.find([A, B, C]);
      for (const [url, reason] of [
        [A, 'GONE'],
        [B, 'EMPTY'],
        [C, 'EMPTY'],
      ] as const)
        await crawl.settle(url, { kind: 'left-out', reason });
      assert.deepEqual(await crawl.frontier.leftOutFor(crawl.run), [
        { reason: 'EMPTY', url: B },
        { reason: 'GONE', url: A },
      ]);
    });

    it('knows when a page was last said not to have changed', async () => {
      const confirmed = async (): Promise<Date | null> => {
        await recrawl();
        await crawl.find([A]);
        return (await crawl.due(A)).row.confirmedAt;
      };
      await crawl.served([A]);
      await crawl.again();
      assert.equal(await confirmed(), null);
      await crawl.settle(A, { kind: 'unchanged' });
      assert.ok(Number(await confirmed()) > Date.now() - 60_000);
    });
  });

  it('is not seen by another site of the same organization', async () => {
    await crawl.page(A);
    await crawl.find([B]);
    const other = await TestCrawl.begin(tenant);
    assert.equal(await other.frontier.hasBegun(other.run), false);
    await other.find([A]);
    const { pageId } = await other.due(A);
    assert.equal(pageId, null, 'the page of the other site');
    assert.deepEqual(await other.counts(), { found: 1, settled: 0, pages: 0, failed: 0 });
    assert.deepEqual(await other.frontier.decisionsOn(other.run, A), []);
    await other.page('https://site.example/z', A);
    assert.equal((await other.pages()).length, 1, 'the same text on another site is no duplicate');
    assert.deepEqual(await next(), [B]);
  });
});
