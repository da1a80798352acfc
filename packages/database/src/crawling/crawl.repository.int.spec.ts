import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { found, nameOf, TestCrawl, urlOf } from '../fixtures/crawl.fixtures.js';
import { TestSite } from '../fixtures/site.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { LeaseLostError } from '../runs/lease.js';
import { CrawlRepository } from './crawl.repository.js';
import { FinishCrawlRepository } from './finish-crawl.repository.js';
import type { FoundUrl } from './url-outcome.js';

let server: ThrowAwayServer;
let dataSource: DataSource;
let tenant: TestTenant;
let crawl: TestCrawl;
before(async () => {
  server = await ThrowAwayServer.start();
  dataSource = await server.database();
});
after(() => server.stop());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  crawl = await TestCrawl.begin(tenant);
});

const IN_AN_HOUR = new Date(Date.now() + 3_600_000);

describe('a crawl', () => {
  it('begins with its seeds and a copy of the configuration', async () => {
    const site = await TestSite.begin(tenant);
    const crawls = new CrawlRepository(dataSource, 'worker-1');
    assert.equal(await crawls.find(site.run), null);
    const seeds = [found('sitemap.xml', { kind: 'sitemap' }), found('', { origin: 'seed', depth: 0 })];
    const begun = await crawls.begin(site.run, { config: { maxPages: 5 }, seeds, maxPages: 5 });
    assert.deepEqual([begun.config, begun.urls, begun.found], [{ maxPages: 5 }, 2, 1]);
    await tenant.datasources.update(tenant.scope, site.id, { config: { maxPages: 7 } });
    assert.deepEqual(await crawls.find(site.run), begun);
    assert.deepEqual((await crawls.nextBatch(site.run, 9, [])).map(nameOf), ['sitemap.xml']);
  });

  it('knows the previous crawl of its site', async () => {
    const first = await crawl.entity();
    assert.equal(await crawl.crawls.previous(crawl.run), null);
    await crawl.restart();
    await crawl.restart();
    const previous = await crawl.crawls.previous(crawl.run);
    assert.ok(previous && previous.runId !== first.runId && previous.runId !== crawl.run.id);
    assert.equal(await crawl.crawls.previous((await TestCrawl.begin(tenant)).run), null);
  });
});

describe('enqueue', () => {
  const counters = () => crawl.entity().then(({ urls, found: pages }) => [urls, pages]);

  it('adds new URLs once and counts them', async () => {
    await crawl.enqueue('a', 'b', 'a', found('sitemap.xml', { kind: 'sitemap' }));
    await crawl.enqueue('b', 'c');
    await crawl.enqueue();
    assert.deepEqual(await crawl.due(), ['sitemap.xml']);
    await crawl.record(crawl.sitemap('sitemap.xml'));
    assert.deepEqual(await crawl.due(), ['a', 'b', 'c']);
    assert.deepEqual(await counters(), [4, 3]);
  });

  it('adds a page and a sitemap with the same URL', async () => {
    await crawl.enqueue('a', found('a', { kind: 'sitemap' }));
    assert.deepEqual(await crawl.due(), ['a']);
    await crawl.record(crawl.sitemap('a'));
    assert.deepEqual(await crawl.due(), ['a']);
    assert.equal((await crawl.row('a')).outcome, null);
  });

  const DEEP = found('a', { depth: 3, origin: 'reference', hops: 2 });
  const NEAR = found('a', { depth: 2, origin: 'link' });
  for (const [title, ...offered] of [
    ['lowers the depth of a waiting URL', [DEEP], [NEAR]],
    ['does not raise the depth of a waiting URL', [NEAR], [DEEP]],
    ['takes the lowest depth of a call', [NEAR, DEEP]],
    ['takes the lowest depth of a call in any order', [DEEP, NEAR]],
  ] satisfies [string, ...FoundUrl[][]][])
    it(title, async () => {
      for (const urls of offered) await crawl.enqueue(...urls);
      const row = await crawl.row('a');
      assert.deepEqual([row.depth, row.origin, row.hops], [2, 'link', 0]);
      assert.deepEqual(await counters(), [1, 1]);
    });

  it('leaves a processed URL as it is', async () => {
    await crawl.enqueue(DEEP);
    await crawl.record(crawl.skipped('a', 'EMPTY'));
    const row = await crawl.row('a');
    await crawl.enqueue(found('a', { depth: 0, origin: 'sitemap' }));
    assert.deepEqual(await crawl.row('a'), row);
    assert.deepEqual(await crawl.due(), []);
  });

  it('keeps the attempts of a waiting URL', async () => {
    await crawl.enqueue(DEEP);
    await crawl.record(crawl.retry('a', IN_AN_HOUR));
    await crawl.enqueue(found('a', { depth: 0 }));
    const { attempts, notBefore, depth } = await crawl.row('a');
    assert.deepEqual([attempts, notBefore, depth], [1, IN_AN_HOUR, 0]);
  });

  it('adds URLs of earlier crawls again, whatever their depth was', async () => {
    await crawl.enqueue('a', 'b');
    await crawl.record(crawl.retry('b', IN_AN_HOUR), crawl.skipped('a', 'EMPTY'));
    const { position } = await crawl.row('a');
    await crawl.restartWith('page');
    await crawl.enqueue('b', found('a', { depth: 4 }), 'page');
    const [a, b, page] = [await crawl.row('a'), await crawl.row('b'), await crawl.row('page')];
    assert.ok(a.position > position);
    assert.deepEqual([a.depth, a.outcome, a.foundIn], [4, 'skipped', crawl.run.id]);
    assert.deepEqual([b.attempts, b.notBefore], [0, null]);
    assert.deepEqual([page.pageId !== null, page.outcome, page.textHash], [true, 'page', 'page']);
    assert.deepEqual(await counters(), [3, 3]);
  });

  it('refuses new URLs beyond ten for each page, but no pages of earlier crawls', async () => {
    crawl = await TestCrawl.begin(tenant, { maxPages: 1 });
    await crawl.restartWith('known');
    const names = Array.from({ length: 12 }, (_, n) => `new-${n}`);
    await crawl.enqueue(...names, found('sitemap.xml', { kind: 'sitemap' }));
    assert.deepEqual(await crawl.due(), names.slice(0, 10));
    await crawl.enqueue('another', 'known');
    assert.deepEqual(await crawl.due(), ['known', ...names.slice(0, 10)]);
    const { urls, truncated } = await crawl.entity();
    assert.deepEqual([urls, truncated?.includes('More than 10 addresses')], [11, true]);
  });

  it('keeps the first reason why discovery was cut off', async () => {
    crawl = await TestCrawl.begin(tenant, { maxPages: 60 });
    assert.equal((await crawl.entity()).truncated, null);
    await crawl.enqueue(...Array.from({ length: 501 }, (_, n) => `list?a=1&b=${n}`));
    const { truncated } = await crawl.entity();
    assert.match(truncated ?? '', /More than 500 addresses differ from/);
    await crawl.enqueue(...Array.from({ length: 200 }, (_, n) => `new-${n}`));
    assert.equal((await crawl.entity()).truncated, truncated);
  });

  describe('of query variants', () => {
    const variants = (from: number, to: number, path = 'list'): string[] =>
      Array.from({ length: to - from }, (_, n) => `${path}?a=1&b=${from + n}`);
    beforeEach(async () => {
      await crawl.enqueue(...variants(0, 300));
    });
    const variantsOf = async (path: string): Promise<number> =>
      (await crawl.due(10_000)).filter((name) => name.startsWith(`${path}?`)).length;

    it('refuses links beyond 500 of one path over several calls', async () => {
      await crawl.enqueue(...variants(200, 500));
      assert.equal((await crawl.entity()).truncated, null);
      await crawl.enqueue(...variants(0, 600), 'list-2', 'other');
      assert.deepEqual([await variantsOf('list'), (await crawl.entity()).urls], [500, 502]);
      assert.match((await crawl.entity()).truncated ?? '', /500 addresses differ from \S+list\?a=1&b=5/);
    });

    it('admits other paths, listed URLs, single parameters and pages of earlier crawls', async () => {
      await crawl.restartWith('list?a=1&b=known');
      await crawl.enqueue(...variants(0, 700));
      assert.equal(await variantsOf('list'), 500);
      await crawl.enqueue('list?a=1', 'list?a=1&b=known', ...variants(0, 3, 'list/2'));
      await crawl.enqueue(found('list?a=2&b=listed', { origin: 'sitemap' }));
      assert.deepEqual([await variantsOf('list'), await variantsOf('list/2')], [503, 3]);
    });
  });
});

describe('nextBatch', () => {
  it('returns pages by depth, those of earlier crawls first, then by discovery', async () => {
    await crawl.restartWith('known-2', 'known-1');
    await crawl.enqueue('new-z', 'new-a', found('far', { depth: 2 }), 'known-1', 'known-2');
    await crawl.enqueue(found('', { depth: 0 }));
    const order = ['', 'known-1', 'known-2', 'new-z', 'new-a', 'far'];
    assert.deepEqual(await crawl.due(), order);
    assert.deepEqual(await crawl.due(3), order.slice(0, 3));
    assert.deepEqual(await crawl.due(3, ['', 'known-2']), ['known-1', 'new-z', 'new-a']);
  });

  it('returns no page before all sitemaps have been read', async () => {
    await crawl.enqueue(
      'page',
      found('2.xml', { kind: 'sitemap' }),
      found('1.xml', { kind: 'sitemap', depth: 0 }),
    );
    assert.deepEqual(await crawl.due(), ['1.xml', '2.xml']);
    assert.deepEqual(await crawl.due(9, ['1.xml', '2.xml']), []);
    await crawl.record(crawl.sitemap('1.xml'), crawl.retry('2.xml', IN_AN_HOUR, 'sitemap'));
    assert.deepEqual(await crawl.due(), []);
    assert.deepEqual(await crawl.crawls.nextDueAt(crawl.run), IN_AN_HOUR);
    await crawl.record(crawl.sitemap('2.xml'));
    assert.deepEqual(await crawl.due(), ['page']);
  });

  it('returns only URLs of this crawl that are due', async () => {
    await crawl.enqueue('earlier');
    await crawl.restart();
    await crawl.enqueue('new', 'past', 'future', 'done');
    await crawl.record(crawl.retry('past', new Date()), crawl.retry('future', IN_AN_HOUR));
    await crawl.record(crawl.redirect('done', null));
    assert.deepEqual(await crawl.due(), ['new', 'past']);
    assert.ok(((await crawl.crawls.nextDueAt(crawl.run))?.getTime() ?? Infinity) <= Date.now());
    await crawl.record(crawl.page('new'), crawl.page('past'));
    assert.deepEqual(await crawl.crawls.nextDueAt(crawl.run), IN_AN_HOUR);
    await crawl.record(crawl.failed('future'));
    assert.equal(await crawl.crawls.nextDueAt(crawl.run), null);
  });

  it('returns the content that answers', async () => {
    const answering = await crawl.servePage('answering', 'text', { hasOutlinks: true });
    await crawl.record(crawl.failed('failed'));
    const { serving } = await tenant.view(answering);
    assert.ok(serving);
    await crawl.restartWith('deleted');
    await crawl.deletePage('deleted');
    await crawl.enqueue('answering', 'failed', 'deleted', found('new', { hops: 2 }));
    await crawl.record(crawl.retry('new', new Date()));
    const batch = await crawl.crawls.nextBatch(crawl.run, 9, []);
    const facts = new Map(batch.map((url) => [nameOf(url), url]));
    const { validators, contentKey, fingerprint, contentType, textHash } = serving;
    const content = { validators, contentKey, fingerprint, contentType, textHash, sha256: serving.id };
    const frontier = { kind: 'page', origin: 'link', depth: 1, hops: 0, attempts: 0, hasOutlinks: true };
    const expected = { url: urlOf('answering'), ...frontier, pageId: answering, serving: content };
    assert.deepEqual(facts.get('answering'), expected);
    assert.deepEqual([facts.get('failed')?.serving, facts.get('deleted')?.serving], [null, null]);
    assert.equal(facts.get('failed')?.pageId, await crawl.pageIdOf('failed'));
    assert.equal(facts.get('deleted')?.pageId, null);
    assert.deepEqual([facts.get('new')?.attempts, facts.get('new')?.hops], [1, 2]);
  });
});

describe('textOwners', () => {
  for (const [title, owner, prepare] of [
    ['the first of new pages', 'b', () => crawl.record(crawl.page('b', 't'), crawl.page('a', 't'))],
    ['an existing page before new ones', 't', () => crawl.record(crawl.page('a', 't'), crawl.unchanged('t'))],
    ['a page that failed this time', 't', () => crawl.record(crawl.failed('t'), crawl.page('a', 't'))],
    ['no page that has another text now', null, () => crawl.record(crawl.page('t', 'changed'))],
    ['no page that was skipped this time', null, () => crawl.record(crawl.skipped('t', 'NOINDEX'))],
    ['no deleted page', null, () => crawl.deletePage('t')],
    ['no duplicate', null, () => crawl.record(crawl.kept('duplicate', 't', 'b', 't'))],
  ] satisfies [string, string | null, () => Promise<unknown>][])
    it(`returns ${title}`, async () => {
      if (owner !== 'b') await crawl.restartWith('t');
      await prepare();
      assert.deepEqual(await crawl.crawls.textOwners(crawl.run, []), new Map());
      const owners = await crawl.crawls.textOwners(crawl.run, ['t', 'nothing']);
      assert.deepEqual(owners, new Map(owner === null ? [] : [['t', urlOf(owner)]]));
    });
});

describe('enqueueUnlistedPages', () => {
  for (const [title, sources, added] of [
    ['adds pages to a feed', ['feed'], ['a', 'b']],
    ['adds pages to several feeds', ['feed', 'feed', 'no-sitemap'], ['a', 'b']],
    ['adds nothing to a feed with a sitemap', ['feed', 'sitemap'], []],
    ['adds nothing to a sitemap', ['sitemap'], []],
    ['adds nothing without a feed', ['no-sitemap'], []],
  ] as const)
    it(title, async () => {
      await crawl.record(crawl.redirect('redirect', 'a'));
      await crawl.restartWith('a', 'listed', 'b', 'deleted');
      await crawl.deletePage('deleted');
      const lists = sources.map((kind, n) => crawl.sitemap(`${n}.xml`, kind));
      await crawl.record(...lists, crawl.unchanged('listed'));
      const counters = await crawl.entity();
      await crawl.crawls.enqueueUnlistedPages(crawl.run);
      assert.deepEqual(await crawl.due(), added);
      for (const page of added) assert.equal((await crawl.row(page)).origin, 'reference');
      const { urls, found: pages } = await crawl.entity();
      assert.deepEqual([urls - counters.urls, pages - counters.found], [added.length, added.length]);
      await crawl.crawls.enqueueUnlistedPages(crawl.run);
      assert.equal((await crawl.entity()).urls, urls);
    });
});

describe('a crawler without the lease', () => {
  type Write = (crawls: CrawlRepository, ends: FinishCrawlRepository) => Promise<unknown>;
  const end = { remove: [], withdraw: [], warning: null };
  const seeds = [found('a')];
  for (const [title, write] of [
    ['begin', (crawls) => crawls.begin(crawl.run, { config: {}, seeds, maxPages: 1 })],
    ['enqueue', (crawls) => crawls.enqueue(crawl.run, seeds, 1)],
    ['enqueueUnlistedPages', (crawls) => crawls.enqueueUnlistedPages(crawl.run)],
    ['record', async (crawls) => crawls.record(crawl.run, [await crawl.page('a')], 1)],
    ['promote', (_, ends) => ends.promote(crawl.run, ['a'])],
    ['finish', (_, ends) => ends.finish(crawl.run, end, { done: 1, total: 1 })],
  ] satisfies [string, Write][])
    it(`cannot ${title}`, async () => {
      const crawls = new CrawlRepository(dataSource, 'worker-2');
      const ends = new FinishCrawlRepository(dataSource, 'worker-2', crawl.site.runs);
      await assert.rejects(write(crawls, ends), LeaseLostError);
      await tenant.datasources.markDeleted(tenant.scope, crawl.site.id);
      await assert.rejects(write(crawl.crawls, crawl.ends), LeaseLostError, 'the site is deleted');
      assert.deepEqual([await crawl.due(), (await crawl.entity()).urls], [[], 0]);
    });
});
