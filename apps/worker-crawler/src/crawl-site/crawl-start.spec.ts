import { CrawlEntity, DatasourceEntity, type FoundUrl, RunEntity } from '@citewell/database';
import { RobotsFile } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { CrawlStart } from './crawl-start.js';

const HOME = 'https://site.example/';
const signal = new AbortController().signal;

/** A start whose database answers with what is given. */
function startWith({
  robots = '',
  config = { source_url: HOME } as Record<string, unknown>,
  begun = null as CrawlEntity | null,
  previous = null as Record<string, unknown> | null,
  isFull = false,
} = {}) {
  const enqueued: (readonly FoundUrl[])[] = [];
  const file = new RobotsFile(robots, `${HOME}robots.txt`);
  const start = new CrawlStart(
    {
      answerFor: async () => ({
        state: 'file',
        robots: file,
        expiresAtMs: 0,
        unreachableSinceMs: null,
        problem: null,
      }),
    },
    {
      find: async () => begun ?? (enqueued.length > 0 ? crawlOf({ found: pagesOf(enqueued) }) : null),
      previous: async () => previous && Object.assign(new CrawlEntity(), { config: previous }),
      begin: async (_run, { seeds, config: copied }) => {
        enqueued.push(seeds);
        return Object.assign(new CrawlEntity(), { config: copied });
      },
      enqueue: async (_run, urls) => void (isFull || enqueued.push(urls)),
      enqueueUnlistedPages: async () => undefined,
    },
    { reach: () => undefined },
    { CRAWL_USER_AGENT: 'Test', RENDER_MS_PER_CRAWL: 1_000 },
  );
  const datasource = Object.assign(new DatasourceEntity(), { config });
  const urls = (): string[] => enqueued.flat().map(({ url }) => url);
  return { begin: () => start.begin({ run: new RunEntity(), datasource, signal }), start, urls };
}

const pagesOf = (enqueued: (readonly FoundUrl[])[]): number =>
  enqueued.flat().filter(({ kind }) => kind === 'page').length;

const crawlOf = (fields: Partial<CrawlEntity>) =>
  Object.assign(new CrawlEntity(), {
    found: 0,
    pages: 0,
    failed: 0,
    config: { source_url: HOME },
    ...fields,
  });

describe('CrawlStart', () => {
  const long = `Sitemap: /${'x'.repeat(2_100)}.xml`;
  for (const [name, robots, config, expected] of [
    ['the configured sitemap', 'Sitemap: /a.xml', { sitemap: `${HOME}mine.xml` }, [`${HOME}mine.xml`]],
    [
      'the sitemaps that robots.txt names',
      'Sitemap: /a.xml\nSitemap: https://cdn.example/b.xml',
      {},
      [`${HOME}a.xml`, 'https://cdn.example/b.xml'],
    ],
    ['else the usual paths', 'User-agent: *', {}, [`${HOME}sitemap.xml`, `${HOME}sitemap_index.xml`]],
    ['no address that is too long', `${long}\nSitemap: /a.xml`, {}, [`${HOME}a.xml`]],
  ] as const) {
    it(`begins with ${name}`, async () => {
      const { begin, urls } = startWith({ robots, config: { source_url: HOME, ...config } });
      await begin();
      expect(urls()).toEqual(expected);
    });
  }

  it('goes on with the configuration that the crawl began with', async () => {
    const begun = crawlOf({ config: { source_url: HOME, maxPages: 5 } });
    const { begin, urls } = startWith({ begun, config: { source_url: HOME, maxPages: 9 } });
    const { crawl, visit } = await begin();
    expect([crawl, visit.site.maxPages, urls()]).toEqual([begun, 5, []]);
  });

  it('tells when the configuration has changed since the crawl before', async () => {
    for (const [previous, isNew] of [
      [null, false],
      [{ source_url: HOME }, false],
      [{ source_url: HOME, render: 'never' }, true],
    ] as const)
      expect((await startWith({ previous }).begin()).visit.isReconfigured).toBe(isNew);
  });

  it('follows links from the start when no sitemap has listed a page', async () => {
    const { start, begin, urls } = startWith();
    const { visit } = await begin();
    expect((await start.enqueueMore(visit, crawlOf({})))?.found).toBe(1);
    expect(urls().at(-1)).toBe(HOME);
    expect(await start.enqueueMore(visit, crawlOf({ found: 1 }))).toBeNull();
    const listed = startWith({ config: { source_url: HOME, sitemap: `${HOME}mine.xml` } });
    expect(await listed.start.enqueueMore((await listed.begin()).visit, crawlOf({}))).toBeNull();
  });

  it('ends discovery when the frontier takes no more URLs', async () => {
    const { start, begin } = startWith({ isFull: true });
    expect(await start.enqueueMore((await begin()).visit, crawlOf({}))).toBeNull();
  });
});
