import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { BlobRepository } from '../../content/blobs/blob.repository.js';
import { found, nameOf, TestCrawl, urlOf } from '../../fixtures/crawl.fixtures.js';
import { PAGE_CHARACTERS } from '../../fixtures/site.fixtures.js';
import { HOLDER, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { CrawlUrlEntity } from '../../schema/ingestion.entities.js';
import {
  FinishCrawlRepository,
  keptBodyKey,
  type Pointer,
  type UnconfirmedPage,
} from './finish-crawl.repository.js';
import type { UrlOutcome } from './outcome-writer.js';

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

describe('pointers', () => {
  const known = async (outcome: () => Promise<UrlOutcome>): Promise<unknown> => {
    await crawl.restartWith('target');
    return crawl.record(outcome());
  };
  const failed = (code?: 'PAGE_GONE') => crawl.failed('target', code);
  for (const [target, state, prepare] of [
    ['a page', 'page', () => crawl.record(crawl.page('target'))],
    ['an unchanged page', 'page', () => known(() => crawl.unchanged('target'))],
    ['a failed page that answers', 'page', () => known(() => failed())],
    ['a failed page', 'failed', () => crawl.record(failed())],
    ['a page that is gone', 'none', () => known(() => failed('PAGE_GONE'))],
    ['a redirect', 'pointer', () => crawl.record(crawl.redirect('target', 'x'))],
    ['a canonical page', 'pointer', () => crawl.record(crawl.kept('canonical', 'target', 'x'))],
    ['a redirect off the site', 'none', () => crawl.record(crawl.redirect('target', null))],
    ['a skipped URL', 'none', () => crawl.record(crawl.skipped('target', 'EMPTY'))],
    ['a waiting URL', 'unfetched', () => crawl.enqueue('target')],
    ['a page of an earlier crawl', 'unfetched', () => crawl.restartWith('target')],
    ['a URL that was refused', 'none', () => Promise.resolve()],
    ['a sitemap', 'none', () => crawl.record(crawl.sitemap('target'))],
  ] satisfies [string, Pointer['targetState'], () => Promise<unknown>][])
    it(`to ${target}: ${state}`, async () => {
      await prepare();
      await crawl.record(crawl.redirect('a', 'target'));
      const pointer = (await crawl.ends.pointers(crawl.run)).find(({ url }) => url === urlOf('a'));
      expect(pointer).toEqual({
        url: urlOf('a'),
        outcome: 'redirect',
        target: urlOf('target'),
        answers: false,
        textHash: null,
        textOwner: null,
        targetState: state,
      });
    });

  it('from a duplicate lead to a page with the same text only', async () => {
    await crawl.record(crawl.page('same', 'text'), crawl.page('other', 'changed'));
    const duplicate = (name: string, target: string) => crawl.kept('duplicate', name, target, 'text');
    await crawl.record(duplicate('a', 'same'), duplicate('b', 'other'));
    const states = (await crawl.ends.pointers(crawl.run)).map(({ targetState }) => targetState);
    expect(states).toEqual(['page', 'none']);
  });

  it('are those of this crawl, existing pages first', async () => {
    await crawl.record(crawl.redirect('earlier', 'b'));
    await crawl.restartWith('b', 'd');
    await crawl.record(crawl.kept('duplicate', 'a', 'x'), crawl.kept('canonical', 'b', 'x'));
    await crawl.record(crawl.redirect('c', 'x'), crawl.redirect('d', 'x'), crawl.redirect('e', null));
    const pointers = await crawl.ends.pointers(crawl.run);
    expect(pointers.map(nameOf)).toEqual(['b', 'd', 'a', 'c']);
    expect(pointers.filter(({ answers }) => answers).map(nameOf)).toEqual(['b', 'd']);
  });
});

describe('promote', () => {
  const promote = (...names: string[]) => crawl.ends.promote(crawl.run, names.map(urlOf));

  for (const isKnown of [false, true])
    it(`makes a ${isKnown ? 'known' : 'new'} page of a kept body`, async () => {
      if (isKnown) await crawl.restartWith('a');
      const known = (await crawl.findRow('a'))?.pageId;
      await crawl.record(crawl.kept('canonical', 'a', 'x', 'text'), crawl.kept('duplicate', 'b', 'x'));
      const { processed, pages } = await crawl.entity();
      await promote('a');
      const row = await crawl.row('a');
      expect([row.outcome, row.target, row.reason, row.textHash]).toEqual(['page', null, null, 'text']);
      const { datasource, current, serving } = await tenant.view(await crawl.pageIdOf('a'));
      expect([serving !== null, datasource.id === known]).toEqual([isKnown, isKnown]);
      const key = keptBodyKey(crawl.run, urlOf('a'));
      assert.ok(current);
      expect([current.stage, current.contentKey, current.contentType]).toEqual(['parsing', key, 'text/html']);
      const blob = await new BlobRepository(dataSource).find(key);
      assert.ok(blob);
      expect([Number(blob.bytes), blob.sha256, blob.committed]).toEqual([7, 'text', true]);
      expect([blob.datasourceId, blob.runId]).toEqual([datasource.id, current.id]);
      const counters = await crawl.entity();
      expect([counters.processed, counters.pages]).toEqual([processed, pages + 1]);
      expect(await crawl.ends.keptBodies(crawl.run)).toEqual([keptBodyKey(crawl.run, urlOf('b'))]);
    });

  it('can be repeated, and ignores what is no canonical or duplicate page', async () => {
    await crawl.record(crawl.kept('canonical', 'a', 'x'), crawl.redirect('b', 'a'));
    await promote('a', 'b', 'c');
    const { current } = await tenant.view(await crawl.pageIdOf('a'));
    for (const names of [['a', 'b', 'c'], []]) await promote(...names);
    expect((await tenant.view(await crawl.pageIdOf('a'))).current?.id).toBe(current?.id);
    expect((await crawl.entity()).pages).toBe(1);
    expect((await crawl.row('b')).outcome).toBe('redirect');
  });

  it('does not bring back a page that the user has deleted', async () => {
    await crawl.restartWith('a');
    await crawl.record(crawl.kept('canonical', 'a', 'x'));
    await crawl.deletePage('a');
    await promote('a');
    const { outcome, reason } = await crawl.row('a');
    expect([outcome, reason, (await crawl.entity()).pages]).toEqual(['skipped', 'DELETED', 0]);
    expect(await crawl.ends.keptBodies(crawl.run)).toHaveLength(1);
  });
});

describe('unreadSource', () => {
  it('returns sitemaps, then seeds, then pages that had links', async () => {
    const unread = async () => {
      const source = await crawl.ends.unreadSource(crawl.run);
      return source && [nameOf(source), source.kind, source.origin, source.reason];
    };
    await crawl.servePage('linking', 'a', { hasOutlinks: true });
    await crawl.restartWith('leaf', 'page');
    await crawl.record(crawl.sitemap('none.xml', 'no-sitemap'), crawl.sitemap('read.xml'));
    await crawl.record(crawl.failed('leaf'), crawl.skipped('skipped', 'EMPTY'), crawl.unchanged('page'));
    expect(await unread()).toBeNull();
    await crawl.record(crawl.failed('linking'));
    expect(await unread()).toEqual(['linking', 'page', 'link', 'FETCH_FAILED']);
    await crawl.enqueue(found('start', { origin: 'seed', depth: 0 }));
    await crawl.record(crawl.failed('start', 'PAGE_GONE'));
    expect(await unread()).toEqual(['start', 'page', 'seed', 'PAGE_GONE']);
    await crawl.record(crawl.sitemap('broken.xml', 'sitemap', 'TRUNCATED'));
    await crawl.record(crawl.sitemap('missing.xml', 'no-sitemap', 'PAGE_GONE'));
    expect(await unread()).toEqual(['broken.xml', 'sitemap', 'link', 'TRUNCATED']);
    await crawl.restart();
    expect(await unread()).toBeNull();
  });
});

describe('skippedUrls', () => {
  it('returns reasons by frequency, each with a URL', async () => {
    await crawl.record(crawl.skipped('earlier', 'EMPTY'));
    await crawl.restart();
    await crawl.record(crawl.skipped('c', 'NOINDEX'), crawl.skipped('b', 'NOINDEX'));
    await crawl.record(crawl.redirect('d', null), crawl.skipped('a', 'EMPTY'), crawl.page('page'));
    await crawl.record(crawl.kept('duplicate', 'e', 'page'), crawl.sitemap('none.xml', 'no-sitemap'));
    expect(await crawl.ends.skippedUrls(crawl.run)).toEqual([
      { reason: 'NOINDEX', url: urlOf('b') },
      { reason: 'EMPTY', url: urlOf('a') },
      { reason: 'REDIRECT', url: urlOf('d') },
    ]);
  });
});

describe('answeringPages', () => {
  it('counts pages that answered before this crawl and still do', async () => {
    await crawl.record(crawl.failed('failed'));
    await crawl.servePage('a');
    expect(await crawl.ends.answeringPages(crawl.run)).toBe(0);
    await crawl.restartWith('b', 'deleted');
    await crawl.deletePage('deleted');
    await crawl.servePage('new');
    await crawl.record(crawl.failed('a'));
    expect(await crawl.ends.answeringPages(crawl.run)).toBe(2);
  });
});

describe('unconfirmedPages', () => {
  it('returns pages that this crawl has not found to be pages', async () => {
    const moved = ['moved', 'skipped', 'unchanged', 'changed', 'deleted'];
    await crawl.record(crawl.failed('never'));
    await crawl.restartWith('missing', 'waiting', 'retried', 'failed', ...moved);
    await crawl.enqueue('waiting', found('later', { origin: 'sitemap' }));
    await crawl.record(
      crawl.retry('retried', new Date()),
      crawl.failed('failed'),
      crawl.unchanged('unchanged'),
    );
    await crawl.record(crawl.redirect('moved', 'unchanged'), crawl.skipped('skipped', 'NOINDEX'));
    await crawl.record(crawl.page('changed', 'new text'), crawl.page('copy', 'missing'));
    await crawl.deletePage('deleted');
    const page = async (name: string, fields: Partial<UnconfirmedPage> = {}): Promise<UnconfirmedPage> => {
      const ids = { url: urlOf(name), pageId: await crawl.pageIdOf(name), sameTextUrl: null };
      const flags = { answers: true, isFound: true, isProcessed: false, isRetried: false };
      return { ...ids, ...flags, outcome: 'page', reason: null, ...fields };
    };
    const failed = { outcome: 'failed', reason: 'FETCH_FAILED' } as const;
    expect(await crawl.ends.unconfirmedPages(crawl.run)).toEqual([
      await page('never', { answers: false, isFound: false, ...failed }),
      await page('missing', { isFound: false, sameTextUrl: urlOf('copy') }),
      await page('waiting'),
      await page('retried', { isRetried: true }),
      await page('failed', { isProcessed: true, ...failed }),
      await page('moved', { isProcessed: true, outcome: 'redirect' }),
      await page('skipped', { isProcessed: true, outcome: 'skipped', reason: 'NOINDEX' }),
    ]);
  });
});

describe('finish', () => {
  it('deletes pages that are removed, and keeps what this crawl found at their URLs', async () => {
    await crawl.restartWith('gone', 'moved', 'kept');
    const removed = [await crawl.pageIdOf('gone'), await crawl.pageIdOf('moved')];
    await crawl.record(crawl.redirect('moved', 'kept'), crawl.unchanged('kept'));
    await crawl.finish({ remove: removed });
    for (const id of removed) {
      expect(await tenant.datasources.find(tenant.scope, id)).toBeNull();
      expect(await crawl.purgesOf(id)).toEqual(['datasource']);
    }
    expect(await crawl.findRow('gone')).toBeNull();
    expect(await crawl.findRow('moved')).toMatchObject({ outcome: 'redirect', pageId: null, textHash: null });
    expect(await crawl.pageIdOf('kept')).toBeTruthy();
    expect(await tenant.storedCharacters()).toBe(PAGE_CHARACTERS);
  });

  it('takes pages that are withdrawn out of service', async () => {
    const withdrawn = await crawl.servePage('a');
    await crawl.servePage('b');
    await crawl.site.updatePage(withdrawn);
    await crawl.finish({ withdraw: [withdrawn] });
    const { datasource, serving, current } = await tenant.view(withdrawn);
    expect([datasource.status, datasource.error?.code]).toEqual(['error', 'PAGE_GONE']);
    expect([serving, current, await crawl.purgesOf(withdrawn)]).toEqual([null, null, ['runs']]);
    expect(await tenant.storedCharacters()).toBe(PAGE_CHARACTERS);
    expect(await crawl.findRow('a')).not.toBeNull();
  });

  it('subtracts the characters of a page that the user deletes meanwhile once', async () => {
    const [removed, withdrawn] = [await crawl.servePage('a'), await crawl.servePage('b')];
    await crawl.servePage('c');
    for (const name of ['a', 'b']) await crawl.deletePage(name);
    await crawl.finish({ remove: [removed], withdraw: [withdrawn] });
    expect(await tenant.storedCharacters()).toBe(PAGE_CHARACTERS);
  });

  it('deletes URLs of earlier crawls that are no pages', async () => {
    await crawl.record(crawl.redirect('again', 'page'), crawl.sitemap('old.xml'));
    await crawl.record(crawl.skipped('skipped', 'EMPTY'));
    await crawl.restartWith('page', 'deleted');
    await crawl.deletePage('deleted');
    await crawl.record(crawl.redirect('again', 'page'), crawl.sitemap('new.xml'));
    await crawl.finish();
    const rows = await dataSource.getRepository(CrawlUrlEntity).findBy({ siteId: crawl.site.id });
    expect(rows.map(nameOf).toSorted()).toEqual(['again', 'new.xml', 'page']);
  });

  it('ends the crawl in the same transaction', async () => {
    const pageId = await crawl.servePage('a');
    await crawl.finish({ warning: 'not all' });
    const { current } = await tenant.view(crawl.site.id);
    expect([current?.state, current?.error?.message]).toEqual(['waiting', 'not all']);
    expect(current?.progress?.done).toBe(1);
    await expect(crawl.finish({ remove: [pageId] })).rejects.toMatchObject({ name: 'LeaseLostError' });
    expect(await tenant.view(pageId)).toBeTruthy();
  });

  it('removes nothing if the run cannot wait for its pages', async () => {
    const pageId = await crawl.servePage('a');
    const waitForPages = () => Promise.reject(new Error('the connection is lost'));
    const ends = new FinishCrawlRepository(dataSource, HOLDER, { waitForPages });
    const end = { remove: [pageId], withdraw: [], warning: null };
    await expect(ends.finish(crawl.run, end, { done: 1, total: 1 })).rejects.toThrow(/connection is lost/);
    expect((await tenant.view(pageId)).serving).toBeTruthy();
  });
});
