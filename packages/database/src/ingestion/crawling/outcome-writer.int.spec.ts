import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { BlobRepository } from '../../content/blobs/blob.repository.js';
import { found, TestCrawl, urlOf } from '../../fixtures/crawl.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { CrawlUrlEntity } from '../../schema/ingestion.entities.js';
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

const IN_AN_HOUR = new Date(Date.now() + 3_600_000);
const isCommitted = async (key: string) => (await new BlobRepository(dataSource).committed([key])).has(key);

describe('a new page', () => {
  it('becomes a datasource of the site with a run', async () => {
    const outcome = await crawl.page('a', 'text', { hasOutlinks: true, found: [found('b', { depth: 2 })] });
    await crawl.record(outcome);
    const row = await crawl.row('a');
    expect([row.outcome, row.textHash, row.hasOutlinks]).toEqual(['page', 'text', true]);
    expect([row.processedIn, row.pageId]).toEqual([crawl.run.id, outcome.content.datasourceId]);
    const { datasource, current, serving } = await tenant.view(outcome.content.datasourceId);
    const { groupId, type, status, config } = datasource;
    expect([groupId, type, status]).toEqual([crawl.site.id, 'web_page', 'unsynched']);
    expect(config).toEqual({ source_url: urlOf('a') });
    expect([current?.id, current?.stage, serving]).toEqual([outcome.content.runId, 'indexing', null]);
    for (const { key } of [outcome.content.fetched, ...(outcome.content.document?.blobs ?? [])])
      expect(await isCommitted(key)).toBe(true);
    expect(await crawl.due()).toEqual(['b']);
  });
});

describe('a known page', () => {
  let pageId: string;
  beforeEach(async () => {
    pageId = await crawl.servePage('a', 'old', { hasOutlinks: true });
    await crawl.restart();
  });
  /** Its status, its error, whether it answers, and whether it has an unfinished run. */
  const state = async () => {
    const { datasource, serving, current } = await tenant.view(pageId);
    return [datasource.status, datasource.error?.code ?? null, serving !== null, current !== null];
  };

  it('that has changed gets a run and answers meanwhile', async () => {
    await crawl.record(crawl.page('a', 'new'));
    expect(await state()).toEqual(['unsynched', null, true, true]);
    const { outcome, textHash, hasOutlinks } = await crawl.row('a');
    expect([outcome, textHash, hasOutlinks]).toEqual(['page', 'new', false]);
    expect([await crawl.pageIdOf('a'), await crawl.purgesOf(pageId)]).toEqual([pageId, []]);
  });

  it('that has changed loses its unfinished run, which is purged', async () => {
    await crawl.site.updatePage(pageId);
    const { current: outdated } = await tenant.view(pageId);
    const outcome = await crawl.page('a', 'new');
    await crawl.record(outcome);
    const runs = await tenant.datasources.runs(tenant.scope, pageId, { limit: 9 });
    expect(runs.find(({ id }) => id === outdated?.id)?.state).toBe('cancelled');
    expect((await tenant.view(pageId)).current?.id).toBe(outcome.content.runId);
    expect(await crawl.purgesOf(pageId)).toEqual(['runs']);
  });

  it('that is unchanged is synched, whatever failed before', async () => {
    await crawl.record(crawl.failed('a'));
    const { lastSynch } = (await tenant.view(pageId)).datasource;
    await crawl.record(crawl.unchanged('a'));
    expect(await state()).toEqual(['synched', null, true, false]);
    expect(Number((await tenant.view(pageId)).datasource.lastSynch)).toBeGreaterThan(Number(lastSynch));
    const { outcome, reason, textHash } = await crawl.row('a');
    expect([outcome, reason, textHash]).toEqual(['page', null, 'old']);
  });

  it('that is unchanged keeps its unfinished run', async () => {
    await crawl.site.updatePage(pageId);
    await crawl.record(crawl.unchanged('a'));
    expect(await state()).toEqual(['unsynched', null, true, true]);
  });

  it('with other bytes and the same text gets their hash, validators and fingerprint', async () => {
    const { serving: old } = await tenant.view(pageId);
    const other = await tenant.view(await crawl.servePage('other'));
    assert.ok(old?.contentKey);
    const blob = { key: old.contentKey, bytes: 11, sha256: 'new-bytes' };
    const renewed = { blob, validators: { etag: '"2"', lastModified: null }, fingerprint: 'new-print' };
    await crawl.record(crawl.unchanged('a', renewed), crawl.unchanged('other'));
    const { serving } = await tenant.view(pageId);
    expect({ ...serving }).toEqual({ ...old, validators: renewed.validators, fingerprint: 'new-print' });
    const { bytes, sha256, committed } = (await new BlobRepository(dataSource).find(blob.key)) ?? {};
    expect([Number(bytes), sha256, committed]).toEqual([11, 'new-bytes', true]);
    expect((await tenant.view(other.datasource.id)).serving).toEqual(other.serving);
    await crawl.record(crawl.unchanged('a', { ...renewed, validators: null }));
    expect((await tenant.view(pageId)).serving?.validators).toBeNull();
  });

  it('that cannot be fetched answers and shows the error', async () => {
    await crawl.record(crawl.failed('a'));
    expect(await state()).toEqual(['error', 'FETCH_FAILED', true, false]);
    const row = await crawl.row('a');
    expect([row.outcome, row.hasOutlinks, row.textHash]).toEqual(['failed', true, 'old']);
  });

  for (const [title, outcome] of [
    ['is gone', () => crawl.failed('a', 'PAGE_GONE')],
    ['redirects', () => crawl.redirect('a', 'b')],
    ['is skipped', () => crawl.skipped('a', 'NOINDEX')],
    ['names a canonical page', () => crawl.kept('canonical', 'a', 'b')],
    ['is a duplicate', () => crawl.kept('duplicate', 'a', 'b')],
  ] satisfies [string, () => Promise<UrlOutcome>][])
    it(`that ${title} keeps its status until the crawl finishes`, async () => {
      await crawl.record(outcome());
      expect(await state()).toEqual(['synched', null, true, false]);
      expect(await crawl.pageIdOf('a')).toBe(pageId);
      expect((await crawl.row('a')).processedIn).toBe(crawl.run.id);
    });

  it('that the user has deleted meanwhile stays deleted', async () => {
    const failures = [await crawl.failed('a'), await crawl.retry('a', IN_AN_HOUR)];
    const outcomes = [await crawl.page('a', 'new'), await crawl.unchanged('a'), ...failures];
    await crawl.deletePage('a');
    for (const outcome of outcomes) {
      await crawl.record(outcome);
      const row = await crawl.row('a');
      expect([row.outcome, row.reason, row.pageId]).toEqual(['skipped', 'DELETED', null]);
      expect(row.attempts).toBe(0);
    }
    const pages = await tenant.datasources.list(tenant.scope, { groupId: crawl.site.id }, { limit: 9 });
    expect(pages).toEqual([]);
    const { pages: counted, failed } = await crawl.entity();
    expect([counted, failed]).toEqual([0, 0]);
  });
});

describe('the outcome of a new URL', () => {
  const target = urlOf('b');
  const kept = { target, textHash: 'text', reason: null, contentType: 'text/html' };
  for (const [title, row, outcome] of [
    ['redirect', { target, reason: null }, () => crawl.redirect('a', 'b')],
    ['redirect', { target: null }, () => crawl.redirect('a', null)],
    ['skipped', { reason: 'EMPTY', target: null }, () => crawl.skipped('a', 'EMPTY')],
    ['canonical', kept, () => crawl.kept('canonical', 'a', 'b', 'text')],
    ['duplicate', kept, () => crawl.kept('duplicate', 'a', 'b', 'text')],
    ['failed', { reason: 'FETCH_FAILED' }, () => crawl.failed('a', 'FETCH_FAILED', { isPage: false })],
  ] satisfies [string, Partial<CrawlUrlEntity>, () => Promise<UrlOutcome>][])
    it(`is stored: ${title} with ${JSON.stringify(row)}`, async () => {
      const recorded = await outcome();
      await crawl.record(recorded);
      const stored = { ...(await crawl.row('a')) };
      expect(stored).toEqual({ ...stored, ...row, outcome: title });
      expect([stored.pageId, stored.processedIn]).toEqual([null, crawl.run.id]);
      if ('body' in recorded) expect(await isCommitted(recorded.body.key)).toBe(true);
      expect(await crawl.due()).toEqual([]);
    });

  for (const code of ['FETCH_FAILED', 'PAGE_GONE'] as const)
    it(`is a page that failed: ${code}`, async () => {
      await crawl.record(crawl.failed('a', code));
      const { datasource, current } = await tenant.view(await crawl.pageIdOf('a'));
      expect([datasource.status, datasource.error?.code, current]).toEqual(['error', code, null]);
    });

  for (const [kind, reason, outcome] of [
    ['sitemap', null, 'sitemap'],
    ['sitemap', 'TRUNCATED', 'sitemap'],
    ['feed', null, 'feed'],
    ['no-sitemap', null, 'skipped'],
    ['no-sitemap', 'NOT_A_SITEMAP', 'failed'],
  ] as const)
    it(`is stored: ${kind} with the problem ${reason}`, async () => {
      const { processed, failed } = await crawl.record(crawl.sitemap('a', kind, reason));
      const row = await crawl.row('a', 'sitemap');
      expect([row.outcome, row.reason, row.hasOutlinks]).toEqual([outcome, reason, true]);
      expect([processed, failed]).toEqual([0, 0]);
    });
});

describe('a retry', () => {
  for (const [kind, otherKind] of [
    ['page', 'sitemap'],
    ['sitemap', 'page'],
  ] as const)
    it(`of a ${kind} counts the attempt and waits`, async () => {
      await crawl.enqueue(found('a'), found('a', { kind: 'sitemap' }));
      for (let n = 0; n < 2; n += 1) await crawl.record(crawl.retry('a', IN_AN_HOUR, kind));
      const { attempts, notBefore, outcome, processedIn } = await crawl.row('a', kind);
      expect([attempts, notBefore, outcome, processedIn]).toEqual([2, IN_AN_HOUR, null, null]);
      expect((await crawl.row('a', otherKind)).attempts).toBe(0);
      expect((await crawl.entity()).processed).toBe(0);
    });

  it('ends with the outcome', async () => {
    await crawl.record(crawl.retry('a', IN_AN_HOUR));
    await crawl.record(crawl.page('a'));
    const { attempts, notBefore, outcome } = await crawl.row('a');
    expect([attempts, notBefore, outcome]).toEqual([1, null, 'page']);
  });
});

describe('a transaction of outcomes', () => {
  it('counts what they are', async () => {
    await crawl.restartWith('known');
    const links = [found('b', { depth: 2 }), found('new')];
    const pages = [crawl.unchanged('known'), crawl.page('new', 'new', { found: links })];
    const failed = [crawl.failed('failed'), crawl.failed('excluded', 'FETCH_FAILED', { isPage: false })];
    const others = [crawl.redirect('redirect', 'new'), crawl.skipped('skipped', 'EMPTY')];
    const kept = [crawl.kept('duplicate', 'duplicate', 'new'), crawl.retry('later', IN_AN_HOUR)];
    const counted = await crawl.record(...pages, ...failed, ...others, ...kept, crawl.sitemap('sitemap.xml'));
    expect([counted.urls, counted.found, counted.processed]).toEqual([10, 9, 7]);
    expect([counted.pages, counted.failed, counted.truncated]).toEqual([2, 2, null]);
    expect(counted).toEqual(await crawl.entity());
  });

  it('is all or none', async () => {
    await crawl.restartWith('known');
    await crawl.enqueue('new', 'bad', 'known');
    const pageId = await crawl.pageIdOf('known');
    const [counters, view] = [await crawl.record(), await tenant.view(pageId)];
    const good = await crawl.page('new', 'new', { found: [found('b')] });
    const page = await crawl.page('bad');
    const bad = { ...page, content: { ...page.content, runId: 'no id' } };
    await expect(crawl.record(good, crawl.failed('known'), bad)).rejects.toThrow(/no id/);
    expect(await crawl.entity()).toEqual(counters);
    expect(await tenant.view(pageId)).toEqual(view);
    expect(await crawl.due()).toEqual(['known', 'new', 'bad']);
    expect(await tenant.datasources.find(tenant.scope, good.content.datasourceId)).toBeNull();
    expect(await isCommitted(good.content.fetched.key)).toBe(false);
  });

  it('does not touch other sites', async () => {
    const other = await TestCrawl.begin(tenant);
    await other.enqueue('a', 'b');
    await crawl.record(crawl.page('a'), crawl.retry('b', IN_AN_HOUR));
    expect([(await other.row('a')).outcome, await other.due()]).toEqual([null, ['a', 'b']]);
  });
});
