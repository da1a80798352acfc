import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { found, nameOf, TestCrawl, urlOf } from '../../fixtures/crawl.fixtures.js';
import { TestSite } from '../../fixtures/site.fixtures.js';
import { HOLDER, LEASE_SECONDS, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { LeaseLostError } from '../runs/lease.js';
import { CrawlRepository } from './crawl.repository.js';
import { FinishCrawlRepository } from './finish-crawl.repository.js';
import type { FoundUrl } from './outcome-writer.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let crawl: TestCrawl;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  crawl = await TestCrawl.begin(tenant);
});

const IN_AN_HOUR = new Date(Date.now() + 3_600_000);

describe('a crawl', () => {
  it('begins with its seeds and a copy of the configuration', async () => {
    const site = await TestSite.begin(tenant);
    const crawls = new CrawlRepository(dataSource, HOLDER);
    expect(await crawls.find(site.run)).toBeNull();
    const seeds = [found('sitemap.xml', { kind: 'sitemap' }), found('', { origin: 'seed', depth: 0 })];
    const begun = await crawls.begin(site.run, { config: { maxPages: 5 }, seeds, maxPages: 5 });
    expect([begun.config, begun.urls, begun.found]).toEqual([{ maxPages: 5 }, 2, 1]);
    await tenant.datasources.update(tenant.scope, site.id, () => ({ config: { maxPages: 7 } }));
    expect(await crawls.find(site.run)).toEqual(begun);
    expect((await crawls.nextBatch(site.run, 9, [])).map(nameOf)).toEqual(['sitemap.xml']);
  });

  it('knows the previous crawl of its site', async () => {
    const first = await crawl.entity();
    expect(await crawl.crawls.previous(crawl.run)).toBeNull();
    await crawl.restart();
    await crawl.restart();
    const previous = await crawl.crawls.previous(crawl.run);
    expect(previous && previous.runId !== first.runId && previous.runId !== crawl.run.id).toBe(true);
    expect(await crawl.crawls.previous((await TestCrawl.begin(tenant)).run)).toBeNull();
  });
});

describe('enqueue', () => {
  const counters = () => crawl.entity().then(({ urls, found: pages }) => [urls, pages]);

  it('adds new URLs once and counts them', async () => {
    await crawl.enqueue('a', 'b', 'a', found('sitemap.xml', { kind: 'sitemap' }));
    await crawl.enqueue('b', 'c');
    await crawl.enqueue();
    expect(await crawl.due()).toEqual(['sitemap.xml']);
    await crawl.record(crawl.sitemap('sitemap.xml'));
    expect(await crawl.due()).toEqual(['a', 'b', 'c']);
    expect(await counters()).toEqual([4, 3]);
  });

  it('adds a page and a sitemap with the same URL', async () => {
    await crawl.enqueue('a', found('a', { kind: 'sitemap' }));
    expect(await crawl.due()).toEqual(['a']);
    await crawl.record(crawl.sitemap('a'));
    expect(await crawl.due()).toEqual(['a']);
    expect((await crawl.row('a')).outcome).toBeNull();
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
      expect([row.depth, row.origin, row.hops]).toEqual([2, 'link', 0]);
      expect(await counters()).toEqual([1, 1]);
    });

  it('leaves a processed URL as it is', async () => {
    await crawl.enqueue(DEEP);
    await crawl.record(crawl.skipped('a', 'EMPTY'));
    const row = await crawl.row('a');
    await crawl.enqueue(found('a', { depth: 0, origin: 'sitemap' }));
    expect(await crawl.row('a')).toEqual(row);
    expect(await crawl.due()).toEqual([]);
  });

  it('keeps the attempts of a waiting URL', async () => {
    await crawl.enqueue(DEEP);
    await crawl.record(crawl.retry('a', IN_AN_HOUR));
    await crawl.enqueue(found('a', { depth: 0 }));
    const { attempts, notBefore, depth } = await crawl.row('a');
    expect([attempts, notBefore, depth]).toEqual([1, IN_AN_HOUR, 0]);
  });

  it('adds URLs of earlier crawls again, whatever their depth was', async () => {
    await crawl.enqueue('a', 'b');
    await crawl.record(crawl.retry('b', IN_AN_HOUR), crawl.skipped('a', 'EMPTY'));
    const { position } = await crawl.row('a');
    await crawl.restartWith('page');
    await crawl.enqueue('b', found('a', { depth: 4 }), 'page');
    const [a, b, page] = [await crawl.row('a'), await crawl.row('b'), await crawl.row('page')];
    expect(a.position).toBeGreaterThan(position);
    expect([a.depth, a.outcome, a.foundIn]).toEqual([4, 'skipped', crawl.run.id]);
    expect([b.attempts, b.notBefore]).toEqual([0, null]);
    expect([page.pageId !== null, page.outcome, page.textHash]).toEqual([true, 'page', 'page']);
    expect(await counters()).toEqual([3, 3]);
  });

  it('refuses new URLs beyond ten for each page, but no pages of earlier crawls', async () => {
    crawl = await TestCrawl.begin(tenant, { maxPages: 1 });
    await crawl.restartWith('known');
    const names = Array.from({ length: 12 }, (_, n) => `new-${n}`);
    await crawl.enqueue(...names, found('sitemap.xml', { kind: 'sitemap' }));
    expect(await crawl.due()).toEqual(names.slice(0, 10));
    await crawl.enqueue('another', 'known');
    expect(await crawl.due()).toEqual(['known', ...names.slice(0, 10)]);
    const { urls, truncated } = await crawl.entity();
    expect([urls, truncated?.includes('More than 10 addresses')]).toEqual([11, true]);
  });

  it('keeps the order and the limit of many long URLs', async () => {
    crawl = await TestCrawl.begin(tenant, { maxPages: 60 });
    // 700 URLs of 2,000 characters take two statements.
    const names = Array.from({ length: 700 }, (_, n) => `${n}-`.padEnd(1_975, 'x'));
    await crawl.enqueue(...names);
    expect(await crawl.due(1_000)).toEqual(names.slice(0, 600));
    const { urls, truncated } = await crawl.entity();
    expect([urls, truncated?.includes('More than 600 addresses')]).toEqual([600, true]);
  });

  it('keeps the first reason why discovery was cut off', async () => {
    crawl = await TestCrawl.begin(tenant, { maxPages: 60 });
    expect((await crawl.entity()).truncated).toBeNull();
    await crawl.enqueue(...Array.from({ length: 501 }, (_, n) => `list?a=1&b=${n}`));
    const { truncated } = await crawl.entity();
    expect(truncated ?? '').toMatch(/More than 500 addresses differ from/);
    await crawl.enqueue(...Array.from({ length: 200 }, (_, n) => `new-${n}`));
    expect((await crawl.entity()).truncated).toBe(truncated);
  });

  it('keeps the first reason why pages are missing that recording gives', async () => {
    for (const reason of [null, 'The time is over.', 'Another reason.', undefined])
      await crawl.crawls.record(crawl.run, [], 5, reason);
    expect((await crawl.entity()).truncated).toBe('The time is over.');
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
      expect((await crawl.entity()).truncated).toBeNull();
      await crawl.enqueue(...variants(0, 600), 'list-2', 'other');
      expect([await variantsOf('list'), (await crawl.entity()).urls]).toEqual([500, 502]);
      expect((await crawl.entity()).truncated ?? '').toMatch(/500 addresses differ from \S+list\?a=1&b=5/);
    });

    it('admits other paths, listed URLs, single parameters and pages of earlier crawls', async () => {
      await crawl.restartWith('list?a=1&b=known');
      await crawl.enqueue(...variants(0, 700));
      expect(await variantsOf('list')).toBe(500);
      await crawl.enqueue('list?a=1', 'list?a=1&b=known', ...variants(0, 3, 'list/2'));
      await crawl.enqueue(found('list?a=2&b=listed', { origin: 'sitemap' }));
      expect([await variantsOf('list'), await variantsOf('list/2')]).toEqual([503, 3]);
    });
  });
});

describe('nextBatch', () => {
  it('returns pages by depth, those of earlier crawls first, then by discovery', async () => {
    await crawl.restartWith('known-2', 'known-1');
    await crawl.enqueue('new-z', 'new-a', found('far', { depth: 2 }), 'known-1', 'known-2');
    await crawl.enqueue(found('', { depth: 0 }));
    const order = ['', 'known-1', 'known-2', 'new-z', 'new-a', 'far'];
    expect(await crawl.due()).toEqual(order);
    expect(await crawl.due(3)).toEqual(order.slice(0, 3));
    expect(await crawl.due(3, ['', 'known-2'])).toEqual(['known-1', 'new-z', 'new-a']);
  });

  it('returns no page before all sitemaps have been read', async () => {
    await crawl.enqueue(
      'page',
      found('2.xml', { kind: 'sitemap' }),
      found('1.xml', { kind: 'sitemap', depth: 0 }),
    );
    expect(await crawl.due()).toEqual(['1.xml', '2.xml']);
    expect(await crawl.due(9, ['1.xml', '2.xml'])).toEqual([]);
    await crawl.record(crawl.sitemap('1.xml'), crawl.retry('2.xml', IN_AN_HOUR, 'sitemap'));
    expect(await crawl.due()).toEqual([]);
    expect(await crawl.crawls.nextDueAt(crawl.run)).toEqual(IN_AN_HOUR);
    await crawl.record(crawl.sitemap('2.xml'));
    expect(await crawl.due()).toEqual(['page']);
  });

  it('returns only URLs of this crawl that are due', async () => {
    await crawl.enqueue('earlier');
    await crawl.restart();
    await crawl.enqueue('new', 'past', 'future', 'done');
    await crawl.record(crawl.retry('past', new Date()), crawl.retry('future', IN_AN_HOUR));
    await crawl.record(crawl.redirect('done', null));
    expect(await crawl.due()).toEqual(['new', 'past']);
    expect((await crawl.crawls.nextDueAt(crawl.run))?.getTime() ?? Infinity).toBeLessThanOrEqual(Date.now());
    await crawl.record(crawl.page('new'), crawl.page('past'));
    expect(await crawl.crawls.nextDueAt(crawl.run)).toEqual(IN_AN_HOUR);
    await crawl.record(crawl.failed('future'));
    expect(await crawl.crawls.nextDueAt(crawl.run)).toBeNull();
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
    expect(facts.get('answering')).toEqual(expected);
    expect([facts.get('failed')?.serving, facts.get('deleted')?.serving]).toEqual([null, null]);
    expect(facts.get('failed')?.pageId).toBe(await crawl.pageIdOf('failed'));
    expect(facts.get('deleted')?.pageId).toBeNull();
    expect([facts.get('new')?.attempts, facts.get('new')?.hops]).toEqual([1, 2]);
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
      expect(await crawl.crawls.textOwners(crawl.run, [])).toEqual(new Map());
      const owners = await crawl.crawls.textOwners(crawl.run, ['t', 'nothing']);
      expect(owners).toEqual(new Map(owner === null ? [] : [['t', urlOf(owner)]]));
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
      expect(await crawl.due()).toEqual(added);
      for (const page of added) expect((await crawl.row(page)).origin).toBe('reference');
      const { urls, found: pages } = await crawl.entity();
      expect([urls - counters.urls, pages - counters.found]).toEqual([added.length, added.length]);
      await crawl.crawls.enqueueUnlistedPages(crawl.run);
      expect((await crawl.entity()).urls).toBe(urls);
    });
});

describe('a crawler with the lease', () => {
  const leaseSeconds = async (): Promise<number> => {
    const [row] = await dataSource.query<{ left: number }[]>(
      'SELECT extract(epoch FROM lease_until - now())::float AS left FROM runs WHERE id = $1',
      [crawl.run.id],
    );
    return row?.left ?? 0;
  };
  const expire = () => dataSource.query('UPDATE runs SET lease_until = now() WHERE id = $1', [crawl.run.id]);

  for (const [title, write] of [
    ['enqueues', () => crawl.enqueue('b')],
    ['enqueues pages that are not listed', () => crawl.crawls.enqueueUnlistedPages(crawl.run)],
    ['records', async () => crawl.record(await crawl.page('a'))],
    ['records nothing', () => crawl.record()],
    ['promotes', () => crawl.ends.promote(crawl.run, ['a'])],
  ] satisfies [string, () => Promise<unknown>][])
    it(`extends it when it ${title}, because a heartbeat skips a run that is locked`, async () => {
      await expire();
      await write();
      expect(await leaseSeconds()).toBeGreaterThan(LEASE_SECONDS - 10);
    });

  it('has none after the end', async () => {
    await crawl.finish();
    expect(await leaseSeconds()).toBe(0);
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
      const other = { ...HOLDER, owner: 'worker-2' };
      const crawls = new CrawlRepository(dataSource, other);
      const ends = new FinishCrawlRepository(dataSource, other, crawl.site.runs);
      await expect(write(crawls, ends)).rejects.toThrow(LeaseLostError);
      await tenant.datasources.markDeleted(tenant.scope, crawl.site.id);
      await expect(write(crawl.crawls, crawl.ends)).rejects.toThrow(LeaseLostError);
      expect([await crawl.due(), (await crawl.entity()).urls]).toEqual([[], 0]);
    });
});
