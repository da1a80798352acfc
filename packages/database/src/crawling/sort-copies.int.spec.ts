import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginCrawls, type Outcome, type TestCrawl } from '../fixtures/crawl.fixtures.js';

const A = 'https://site.example/a';
const B = 'https://site.example/b';
const C = 'https://site.example/c';
const LONG = 'https://site.example/a/long/one';
const FAILED: Outcome = {
  kind: 'failed',
  error: { code: 'FETCH_FAILED', message: 'no answer', retryable: true },
  isGone: false,
};

describe('pages of a site with the same bytes', () => {
  let crawl: TestCrawl;
  beginCrawls((begun) => ({ crawl } = begun));

  it('are one, that with the shortest address, whichever is come to first', async () => {
    await copy(C);
    await copy(LONG);
    assert.deepEqual(await crawl.outcome(LONG), DUPLICATE);
    await copy(A);
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await crawl.outcome(C), DUPLICATE);
    assert.deepEqual(await standFor(C), [A]);
    assert.deepEqual(await names(), [A]);
    const { pages, settled } = await crawl.counts();
    assert.deepEqual([pages, settled], [1, 3]);
  });

  it('stay copies where what they are copies of is one of another page', async () => {
    for (const url of [LONG, C, A]) await copy(url);
    for (let time = 0; time < 2; time += 1) await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await crawl.frontier.nextDueAt(crawl.run), null);
    assert.deepEqual(await names(), [A]);
  });

  it('are the one that has not changed, of two that were pages before', async () => {
    await served({ [A]: 'first', [LONG]: 'same' });
    const { pageId } = await crawl.due(A);
    await crawl.settle(A, { kind: 'page', content: await crawl.content('same', { pageId }) });
    await unchanged(LONG);
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [LONG]);
  });

  it('are one that is there and one that nothing leads to any more, until that is known', async () => {
    await served({ [LONG]: 'same' }, []);
    await copy(A);
    assert.deepEqual(await crawl.outcome(A), DUPLICATE, 'nothing is brought in for what may be found yet');
    await crawl.sites.sortCopies(crawl.run);
    const [page] = await crawl.pages();
    await crawl.tenant.datasources.markDeleted(crawl.tenant.scope, page?.id ?? '');
    assert.equal(await crawl.sites.removeNotFound(crawl.run), 1, 'nor is it any more');
    await copy(A);
    assert.deepEqual(await names(), [A]);
    assert.equal(await crawl.sites.removeNotFound(crawl.run), 0);
  });

  it('are the one that was a page before', async () => {
    await served({ [C]: 'same' });
    await copy(A);
    assert.deepEqual(await crawl.outcome(A), DUPLICATE, 'before C is come to');
    await unchanged(C);
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [C]);
    assert.deepEqual(await standFor(A), [C]);
  });

  it('that is, the one that was a page before, though it is written otherwise now', async () => {
    await served({ [C]: 'first' });
    await copy(A);
    await crawl.find([C]);
    await crawl.settle(C, { kind: 'unchanged', contentHash: (await crawl.content('same')).fetched.sha256 });
    assert.deepEqual(await names(), [A, C]);
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [C]);
  });

  it('are one of two that were pages before', async () => {
    for (const together of [false, true]) {
      await served({ [A]: 'a', [B]: 'b' });
      await crawl.find([A, B]);
      const settlements = await Promise.all(
        [A, B].map(async (url) => {
          const { pageId } = await crawl.due(url);
          return { url, pageId, found: [], kind: 'unchanged', contentHash: 'the same' } as const;
        }),
      );
      for (const batch of together ? [settlements] : settlements.map((one) => [one]))
        await crawl.sites.settle(crawl.run, batch);
      await crawl.sites.sortCopies(crawl.run);
      assert.deepEqual(await crawl.outcome(B), DUPLICATE);
      assert.deepEqual(await names(), [A]);
      await crawl.discovered();
      await crawl.sites.finishDiscovered();
      await crawl.again();
    }
  });

  it('are looked at again where one of them says something else by now', async () => {
    await served({ [B]: 'moves' });
    await copy(A, 'moves');
    assert.deepEqual(await crawl.outcome(A), DUPLICATE);
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await crawl.outcome(A), DUPLICATE, 'as long as nothing is known of B');
    await crawl.settle(B, { kind: 'left-out', reason: 'REDIRECT', target: A });
    await crawl.sites.sortCopies(crawl.run);
    await copy(A, 'moves');
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [A]);
  });

  it('are none where what serves is no longer what is there', async () => {
    await served({ [A]: 'moved' });
    await crawl.settle(A, { kind: 'unchanged', contentHash: null, target: C });
    await copy(B, 'moved');
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [A, B]);
  });

  it('do not go for what may say something else by now', async () => {
    await served({ [A]: 'first', [B]: 'second' });
    const { pageId } = await crawl.due(B);
    const content = await crawl.content('first', { pageId });
    await crawl.settle(B, { kind: 'page', content });
    assert.deepEqual(await names(), [A, B]);
    const a = await crawl.content('second', { pageId: (await crawl.due(A)).pageId });
    await crawl.settle(A, { kind: 'page', content: a });
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [A, B], 'they have changed places');
  });

  it('count where one of them could not be fetched this time and serves on', async () => {
    await served({ [A]: 'same' });
    await crawl.settle(A, FAILED);
    await copy(B);
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual([await crawl.outcome(B), await names()], [DUPLICATE, [A]]);
  });

  it('do not cost a page that could not be fetched this time', async () => {
    await served({ [A]: 'a', [B]: 'same' });
    await crawl.settle(B, FAILED);
    await crawl.settle(A, {
      kind: 'page',
      content: await crawl.content('same', { pageId: (await crawl.due(A)).pageId }),
    });
    await crawl.sites.sortCopies(crawl.run);
    assert.deepEqual(await names(), [A, B]);
  });

  const DUPLICATE = { outcome: 'left-out', reason: 'DUPLICATE' };

  async function copy(url: string, text = 'same'): Promise<void> {
    await crawl.find([url], { origin: 'link' });
    const { pageId } = await crawl.due(url);
    const content = await crawl.content(text, { pageId });
    await crawl.sites.settle(crawl.run, [{ url, pageId, found: [], kind: 'page', content }]);
  }

  /** An ended crawl with pages that serve; the next one has found them. */
  async function served(pages: Record<string, string>, found = Object.keys(pages)): Promise<void> {
    for (const [url, text] of Object.entries(pages)) await crawl.serve(await crawl.page(url, text));
    await crawl.discovered();
    await crawl.sites.finishDiscovered();
    await crawl.again();
    await crawl.find(found);
  }

  async function unchanged(url: string): Promise<void> {
    await crawl.settle(url, { kind: 'unchanged' });
  }

  async function standFor(url: string): Promise<(string | null)[]> {
    const decisions = await crawl.frontier.decisionsOn(crawl.run, url);
    return decisions.map(({ target }) => target).filter((target) => target !== null);
  }

  async function names(): Promise<string[]> {
    return (await crawl.pages()).map(({ name }) => name);
  }
});
