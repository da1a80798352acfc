import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginCrawls, type TestCrawl } from '../fixtures/crawl.fixtures.js';

const OLD = 'https://site.example/old';
const NEW = 'https://site.example/new';
const LONGER = 'https://site.example/longer';
const OTHER = 'https://site.example/other';
const TEXT = 'what is said';
const SOON = { kind: 'again', of: 'page', notBefore: new Date() } as const;

describe('a page whose bytes are under another address', () => {
  let crawl: TestCrawl;
  beginCrawls((begun) => ({ crawl } = begun));

  it('moves there with its datasource and what serves, and what its server called it is forgotten', async () => {
    const { id, serving_run_id } = await served();
    await copy(LONGER);
    await copy(NEW);
    assert.equal(await crawl.sites.movePages(crawl.run), 1);
    const [page, ...others] = await crawl.pages();
    assert.deepEqual([page?.id, page?.name, page?.serving_run_id], [id, NEW, serving_run_id]);
    assert.deepEqual([others, page?.status], [[], 'synched']);
    const { datasource } = await crawl.tenant.view(id);
    assert.deepEqual(datasource.config, { source_url: NEW });
    assert.equal(await crawl.sites.movePages(crawl.run), 0);
    assert.equal(await crawl.sites.removeNotFound(crawl.run), 0, 'no copy has lost what it is one of');
    assert.deepEqual((await crawl.counts()).pages, 1);

    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    await crawl.again();
    await crawl.find([NEW]);
    const known = await crawl.due(NEW);
    assert.deepEqual([known.pageId, known.serving?.validators], [id, null]);
  });

  it('is cited by that', async () => {
    await served();
    await copy(NEW);
    await crawl.sites.movePages(crawl.run);
    assert.deepEqual(await citedAs(), [NEW]);
  });

  it('keeps a name that somebody gave it', async () => {
    const { id } = await served();
    await crawl.tenant.datasources.update(crawl.tenant.scope, id, { name: 'Handbook' });
    await copy(NEW);
    await crawl.sites.movePages(crawl.run);
    assert.deepEqual([await names(), await citedAs()], [['Handbook'], [NEW]]);
  });

  it('is well where it could not be fetched before', async () => {
    await served();
    await crawl.find([OLD]);
    await crawl.settle(OLD, {
      kind: 'failed',
      error: { code: 'FETCH_FAILED', message: 'no answer', retryable: true },
      isGone: false,
    });
    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    await crawl.again();
    await copy(NEW);
    assert.equal(await crawl.sites.movePages(crawl.run), 1);
    assert.deepEqual(
      (await crawl.pages()).map(({ name, status, error }) => [name, status, error]),
      [[NEW, 'synched', null]],
    );
  });

  it('moves too where the site has as many pages as it may, and its old address is beyond', async () => {
    await served();
    await crawl.find([OLD], { depth: 3 });
    await copy(NEW);
    assert.equal(await crawl.sites.movePages(crawl.run), 1);
    await crawl.sites.removeNotReached(crawl.run, 0);
    assert.deepEqual(await names(), [NEW]);
  });

  it('stays where it is, as long as it is there, or is to be tried once more', async () => {
    await served();
    await crawl.find([OLD]);
    await copy(NEW);
    await crawl.settle(OLD, SOON);
    assert.equal(await crawl.sites.movePages(crawl.run), 0);
    await crawl.settle(OLD, { kind: 'unchanged' });
    assert.equal(await crawl.sites.movePages(crawl.run), 0);
    assert.deepEqual(await names(), [OLD]);
  });

  it('takes a place among the pages, once', async () => {
    await served();
    await copy(LONGER);
    await copy(NEW);
    assert.equal((await crawl.counts()).pages, 1);
  });

  it('moves with what serves, and is a page of its own where that is something else, or nothing', async () => {
    const { id } = await served();
    const { dataSource } = crawl.tenant;
    // As a page that is gone for a moment when it is brought up to date alone.
    await dataSource.query('UPDATE datasources SET serving_run_id = NULL WHERE id = $1', [id]);
    await copy(NEW);
    assert.deepEqual(await names(), [NEW, OLD]);
    assert.equal(await crawl.sites.movePages(crawl.run), 0);
    await crawl.sites.removeNotFound(crawl.run);
    assert.deepEqual(await names(), [NEW]);
  });

  it('is looked at where it is found when what serves is something else by the end', async () => {
    const { id } = await served();
    await copy(NEW);
    const { dataSource } = crawl.tenant;
    await dataSource.query('UPDATE datasources SET serving_run_id = NULL WHERE id = $1', [id]);
    assert.equal(await crawl.sites.movePages(crawl.run), 0);
    await crawl.sites.sortCopies(crawl.run);
    assert.ok(await crawl.due(NEW));
  });

  it('is none that somebody has deleted', async () => {
    const { id } = await served();
    await copy(NEW);
    await crawl.tenant.datasources.markDeleted(crawl.tenant.scope, id);
    assert.equal(await crawl.sites.movePages(crawl.run), 0);
    await crawl.sites.sortCopies(crawl.run);
    assert.ok(await crawl.due(NEW), 'a copy of nothing is looked at');
  });

  /** A page that serves, and another one; the next crawl has found only that. */
  async function served() {
    await crawl.serve(await crawl.page(OLD, TEXT));
    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    const [page] = await crawl.pages();
    assert.ok(page);
    await crawl.again();
    await crawl.find([OTHER]);
    return page;
  }

  async function copy(url: string): Promise<void> {
    await crawl.find([url], { origin: 'link' });
    await crawl.settle(url, { kind: 'page', content: await crawl.content(TEXT) });
  }

  async function names(): Promise<string[]> {
    return (await crawl.pages()).map(({ name }) => name);
  }

  async function citedAs(): Promise<(string | null)[]> {
    return crawl.tenant.dataSource
      .query<{ content_name: string }[]>(
        `SELECT content_name FROM runs JOIN datasources d ON d.serving_run_id = runs.id WHERE d.group_id = $1`,
        [crawl.siteId],
      )
      .then((rows) => rows.map(({ content_name }) => content_name));
  }
});
