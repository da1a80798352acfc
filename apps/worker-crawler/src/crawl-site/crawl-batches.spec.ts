import { CrawlEntity, type FrontierUrl, RunEntity, type UrlOutcome } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { HostBusyError } from '../fetching/host-pacer.js';
import { frontierUrl } from '../page/responses.fixtures.js';
import { CrawlBatch } from './crawl-batches.js';
import { siteConfigOf } from './site-visit.js';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface World {
  readonly pages: number;
  readonly sitemaps?: number;
  readonly maxPages?: number;
  readonly concurrency?: number;
  readonly milliseconds?: number;
  /** The hash of a page's text; without it, every page has a text of its own. */
  readonly textOf?: (url: string) => string;
  /** An error of fetching a URL. */
  readonly errorOf?: (url: string) => Error | null;
  /** The owners of texts that are known to the database. */
  readonly owners?: ReadonlyMap<string, string>;
  /** From this transaction on, counted from 1, all fail. */
  readonly failingFrom?: number;
}

/** A crawl whose requests are answered when the test says so. */
class FakeCrawl {
  readonly fetched: string[] = [];
  readonly recorded: string[][] = [];
  readonly duplicates: string[] = [];
  readonly batch: CrawlBatch;
  /** Requests at the busiest moment. */
  mostRequests = 0;
  private readonly owners: Map<string, string>;
  private readonly crawl = Object.assign(new CrawlEntity(), { pages: 0, failed: 0, found: 0, processed: 0 });
  private readonly answers = new Map<string, PromiseWithResolvers<void>>();
  private readonly frontier: FrontierUrl[];

  constructor(private readonly world: World) {
    this.owners = new Map(world.owners);
    const { pages, sitemaps = 0, maxPages = 1_000, concurrency = 4, milliseconds = 60_000 } = world;
    this.frontier = [
      ...Array.from({ length: sitemaps }, (_, n) => frontierUrl({ url: `/${n}.xml`, kind: 'sitemap' })),
      ...Array.from({ length: pages }, (_, n) => frontierUrl({ url: `/${n}` })),
    ];
    const site = siteConfigOf({ config: { source_url: 'https://site.example/', maxPages } });
    this.batch = new CrawlBatch(
      {
        frontier: {
          nextBatch: async (_run, limit, except) =>
            this.frontier.filter(({ url }) => !except.includes(url)).slice(0, limit),
          textOwners: async (_run, hashes) =>
            new Map([...this.owners].filter(([hash]) => hashes.includes(hash))),
          record: async (_run, outcomes) => this.record(outcomes),
        },
        visit: async (url, conclude) => {
          this.fetched.push(url.url);
          await this.answer(url.url);
          const textHash = url.kind === 'page' ? this.textOf(url.url) : null;
          await conclude({ url, textHash, conclude: async (owner) => outcomeOf(url, owner) });
        },
        onRecorded: () => undefined,
      },
      this.crawl,
      { run: new RunEntity(), site },
      { concurrency, milliseconds },
    );
  }

  /** Answers all requests until the batch ends. */
  async run(): Promise<Date | null> {
    let isOver = false;
    const run = this.batch.run().finally(() => (isOver = true));
    run.catch(() => undefined);
    for (let step = 0; !isOver; step += 1) {
      expect(step).toBeLessThan(10_000);
      await tick();
      for (const { resolve } of this.answers.values()) resolve();
      this.answers.clear();
    }
    return run;
  }

  private textOf(url: string): string {
    return this.world.textOf?.(url) ?? url;
  }

  private async answer(url: string): Promise<void> {
    const answer = Promise.withResolvers<void>();
    this.answers.set(url, answer);
    this.mostRequests = Math.max(this.mostRequests, this.answers.size);
    await answer.promise;
    const error = this.world.errorOf?.(url) ?? null;
    if (error !== null) throw error;
  }

  private async record(outcomes: readonly UrlOutcome[]): Promise<CrawlEntity> {
    await tick();
    this.recorded.push(outcomes.map(({ url }) => url));
    if (this.recorded.length >= (this.world.failingFrom ?? Infinity)) throw new Error('the database failed');
    for (const one of outcomes) {
      this.frontier.splice(
        this.frontier.findIndex(({ url }) => url === one.url),
        1,
      );
      if (one.outcome === 'page') this.crawl.pages += 1;
      if (one.outcome === 'page') this.owners.set(this.textOf(one.url), one.url);
      if (one.outcome === 'duplicate') this.duplicates.push(`${one.url} of ${one.target}`);
    }
    return Object.assign(new CrawlEntity(), this.crawl);
  }
}

function outcomeOf(url: FrontierUrl, owner: string | null): UrlOutcome {
  const outcome = url.kind === 'sitemap' ? 'sitemap' : owner === null ? 'page' : 'duplicate';
  // Only the fields that a batch and its fake read.
  return { url: url.url, outcome, target: owner, found: [] } as unknown as UrlOutcome;
}

describe('CrawlBatch', () => {
  it('fetches and records everything that is due, some URLs at a time', async () => {
    const crawl = new FakeCrawl({ pages: 150 });
    expect(await crawl.run()).toBeNull();
    expect(new Set(crawl.fetched).size).toBe(150);
    expect(crawl.fetched).toHaveLength(150);
    expect(crawl.recorded.flat().toSorted()).toEqual(crawl.fetched.toSorted());
    expect(crawl.mostRequests).toBe(4);
  });

  it('fetches sitemaps before pages', async () => {
    const crawl = new FakeCrawl({ pages: 3, sitemaps: 3 });
    await crawl.run();
    expect(crawl.fetched).toEqual(['/0.xml', '/1.xml', '/2.xml', '/0', '/1', '/2']);
  });

  it('ends at the page limit, and fetches none beyond', async () => {
    const crawl = new FakeCrawl({ pages: 20, maxPages: 6 });
    await crawl.run();
    expect(crawl.fetched).toHaveLength(6);
  });

  it('ends when its time is over', async () => {
    const crawl = new FakeCrawl({ pages: 20, milliseconds: 0 });
    await crawl.run();
    expect(crawl.fetched).toEqual([]);
  });

  it('lets the first of several new pages own a text, and an existing page before them', async () => {
    const world = { pages: 3, concurrency: 3, textOf: () => 'same' };
    const fresh = new FakeCrawl(world);
    await fresh.run();
    expect(fresh.duplicates).toEqual(['/1 of /0', '/2 of /0']);
    const existing = new FakeCrawl({ ...world, owners: new Map([['same', '/1']]) });
    await existing.run();
    expect(existing.duplicates).toEqual(['/0 of /1', '/2 of /1']);
  });

  it('ends when a host asks for a pause, and tells until when', async () => {
    const errorOf = (url: string) => (url === '/5' ? new HostBusyError('site.example', 60_000) : null);
    const crawl = new FakeCrawl({ pages: 50, errorOf });
    const until = await crawl.run();
    expect(until?.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(crawl.fetched.length).toBeLessThan(50);
    expect(crawl.recorded.flat().toSorted()).toEqual(crawl.fetched.filter((url) => url !== '/5').toSorted());
  });

  it('throws what recording throws, with no request in flight', async () => {
    const crawl = new FakeCrawl({ pages: 50, failingFrom: 2 });
    await expect(crawl.run()).rejects.toThrow(/the database failed/);
    expect(crawl.recorded.length).toBeGreaterThanOrEqual(2);
  });
});
