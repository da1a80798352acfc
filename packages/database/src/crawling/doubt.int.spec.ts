import assert from 'node:assert/strict';
import { it } from 'node:test';
import { beginCrawls, type Outcome, type TestCrawl } from '../fixtures/crawl.fixtures.js';

let crawl: TestCrawl;
beginCrawls((begun) => ({ crawl } = begun));

const urlsOf = (pages: number): string[] =>
  Array.from({ length: pages }, (_, n) => `https://site.example/${n}`);
const HELD: Outcome = {
  kind: 'failed',
  error: { code: 'FETCH_FAILED', message: 'as others', retryable: true },
  isGone: false,
  answer: 'login',
};

/** How many pages are looked at once more, of a site with so many of which so many are answered alike. */
async function believed(pages: number, alike: number): Promise<number> {
  await crawl.served(urlsOf(pages));
  await crawl.again();
  await crawl.find(urlsOf(alike));
  for (const url of urlsOf(alike)) await crawl.settle(url, HELD);
  const [first] = urlsOf(1);
  const answers = alike > 0 ? [['login', first]] : [];
  assert.deepEqual([...(await crawl.frontier.answers(crawl.run))], answers);
  const reopened = await crawl.sites.believeFewAlike(crawl.run);
  const due = await crawl.frontier.next(crawl.run, 'page', 100, []);
  assert.equal(due.length, reopened);
  assert.ok(due.every(({ row }) => row.believedIn === crawl.run.id));
  assert.ok(due.every(({ serving }) => serving !== null));
  return reopened;
}

for (const [pages, alike, expected] of [
  [12, 0, 0],
  [12, 9, 9],
  [12, 10, 0],
  [48, 11, 11],
  [48, 12, 0],
] as const)
  it(`of ${pages} pages ${alike} that are answered alike are ${expected === alike ? '' : 'not '}believed`, async () =>
    assert.equal(await believed(pages, alike), expected));

it('believes a page once in a crawl, whatever is noted of it then', async () => {
  await believed(1, 1);
  const [url = ''] = urlsOf(1);
  await crawl.settle(url, HELD);
  assert.equal(await crawl.sites.believeFewAlike(crawl.run), 0);
});

it('knows since when a page is answered the same, and forgets it when it is what it was', async () => {
  await believed(1, 1);
  const [url = ''] = urlsOf(1);
  const since = async (): Promise<Date | null> => {
    await crawl.tenant.lifecycle.cancel(crawl.tenant.organizationId, crawl.siteId);
    await crawl.again();
    await crawl.find([url]);
    return (await crawl.due(url)).row.answeredSince;
  };
  const first = await since();
  assert.ok(first);
  await crawl.settle(url, HELD);
  assert.deepEqual(await since(), first);
  await crawl.settle(url, { ...HELD, answer: 'another' });
  assert.ok(Number(await since()) > first.getTime());
  const another = await since();
  await crawl.settle(url, { kind: 'unchanged', target: 'https://site.example/other' });
  assert.deepEqual(await since(), another, 'whether it points elsewhere is not decided yet');
  await crawl.settle(url, { kind: 'unchanged' });
  assert.equal(await since(), null);
});

it('knows what the crawl before noted when it had found everything', async () => {
  assert.equal(await crawl.frontier.progressBefore(crawl.run), null);
  await crawl.served(urlsOf(1));
  await crawl.again();
  assert.equal((await crawl.frontier.progressBefore(crawl.run))?.pages, 1);
  const { organizationId } = crawl.tenant;
  await crawl.tenant.lifecycle.cancel(organizationId, crawl.siteId);
  await crawl.again();
  assert.equal((await crawl.frontier.progressBefore(crawl.run))?.pages, 1, 'one that was cancelled is none');
});
