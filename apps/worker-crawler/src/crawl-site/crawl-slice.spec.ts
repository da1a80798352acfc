import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CrawlCounts, CrawlNote, FrontierUrl, Settlement } from '@citewell/database';
import { CrawlUrlEntity, RunEntity } from '@citewell/database';
import { CrawlSlice } from './crawl-slice.js';
import { HostBusyError } from './host-busy.error.js';
import { siteConfigOf } from './site-config.js';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface World {
  readonly pages: number;
  readonly sitemaps?: number;
  readonly maxPages?: number;
  readonly concurrency?: number;
  /** What becomes of a URL; a page that is brought in, if not given. */
  readonly outcome?: (url: string) => Settlement | Error;
  /** Fails the n-th batch that is written. */
  readonly failingBatch?: number;
  /** Reads of the frontier that succeed. */
  readonly readsUntilAway?: number;
}

/** A crawl whose fetches end when the test says so. */
class FakeCrawl {
  readonly begun: string[] = [];
  readonly batches: string[][] = [];
  readonly deleted: string[] = [];
  readonly slice: CrawlSlice;
  readonly counts: { -readonly [Key in keyof CrawlCounts]: CrawlCounts[Key] } = {
    found: 0,
    settled: 0,
    pages: 0,
    failed: 0,
  };
  mostUnderWay = 0;
  reached = 0;
  private reads = 0;
  /** Of the batch that is being written. */
  written: PromiseWithResolvers<void> | null = null;
  /** Whether writing waits for the test. */
  holdsWriting = false;
  unwanted: string[] = [];
  /** Pages that every batch finds elsewhere. */
  moved: string[] = [];
  /** What the crawl has to say of itself. */
  note: CrawlNote = {};
  /** What was written of that, with which batch. */
  readonly notes: { batch: number; note: CrawlNote }[] = [];
  private readonly fetches = new Map<string, PromiseWithResolvers<Settlement>>();
  private readonly frontier: FrontierUrl[];

  constructor(private readonly world: World) {
    const { pages, sitemaps = 0, maxPages = 1_000, concurrency = 4 } = world;
    this.frontier = [
      ...Array.from({ length: sitemaps }, (_, n) => frontierUrl(`https://site.example/${n}.xml`, 'sitemap')),
      ...Array.from({ length: pages }, (_, n) => frontierUrl(`https://site.example/${n}`, 'page')),
    ];
    const site = siteConfigOf({ config: { source_url: 'https://site.example/', maxPages } });
    const visit = { run: new RunEntity(), site };
    this.slice = new CrawlSlice(
      {
        frontier: {
          next: async (_run, kind, limit, except) => {
            this.reads += 1;
            if (this.reads > (world.readsUntilAway ?? Infinity)) throw new Error('away');
            return this.frontier
              .filter(({ row }) => row.kind === kind && !except.includes(row.url))
              .slice(0, limit);
          },
        },
        sites: {
          settle: async (_run, settlements, note) => {
            if (note) this.notes.push({ batch: this.batches.length, note });
            return { unwanted: await this.write(settlements), moved: this.moved };
          },
        },
        blobStore: { delete: async (keys) => void this.deleted.push(...keys) },
        blobRows: { forget: async () => undefined },
        settle: (url) => this.fetch(url.row.url),
        onSettled: () => (this.reached += 1),
        note: () => this.note,
      },
      visit,
      { concurrency, milliseconds: 60_000 },
      this.counts,
    );
  }

  get underWay(): string[] {
    return [...this.fetches.keys()];
  }

  /** Lets fetches end, these or all that are under way. */
  async arrive(urls: readonly string[] = this.underWay): Promise<void> {
    for (const url of urls) {
      const outcome = this.world.outcome?.(url) ?? pageAt(url);
      const fetch = this.fetches.get(url);
      this.fetches.delete(url);
      if (outcome instanceof Error) fetch?.reject(outcome);
      else fetch?.resolve(outcome);
    }
    await tick();
  }

  /** Lets everything arrive until the turn is over. */
  async toItsEnd(): Promise<void> {
    let isOver = false;
    const over = this.slice.run().finally(() => (isOver = true));
    over.catch(() => undefined);
    for (let step = 0; !isOver; step += 1) {
      assert.ok(step < 10_000, 'the turn does not end');
      await tick();
      await this.arrive();
    }
    await over;
  }

  private fetch(url: string): Promise<Settlement> {
    this.begun.push(url);
    const fetch = Promise.withResolvers<Settlement>();
    this.fetches.set(url, fetch);
    this.mostUnderWay = Math.max(this.mostUnderWay, this.begun.length - this.batches.flat().length);
    return fetch.promise;
  }

  private async write(settlements: readonly Settlement[]): Promise<string[]> {
    this.written = Promise.withResolvers();
    if (!this.holdsWriting) this.written.resolve();
    await this.written.promise;
    this.batches.push(settlements.map(({ url }) => url));
    if (this.batches.length === this.world.failingBatch) throw new Error('the database said no');
    for (const { url } of settlements)
      this.frontier.splice(
        this.frontier.findIndex(({ row }) => row.url === url),
        1,
      );
    return this.unwanted;
  }
}

function frontierUrl(url: string, kind: 'page' | 'sitemap'): FrontierUrl {
  return { row: Object.assign(new CrawlUrlEntity(), { url, kind }), pageId: null, serving: null };
}

const settled = (url: string, rest: object): Settlement =>
  // Only what a slice looks at.
  ({ url, pageId: null, found: [], ...rest }) as unknown as Settlement;
const pageAt = (url: string): Settlement =>
  settled(url, { kind: 'page', content: { fetched: { key: `${url}/fetched` } } });

describe('one turn of a crawl', () => {
  it('fetches everything, never more at once than it may', async () => {
    for (const concurrency of [1, 3, 8]) {
      const crawl = new FakeCrawl({ pages: 200, concurrency });
      await crawl.toItsEnd();
      assert.equal(crawl.begun.length, 200);
      assert.equal(new Set(crawl.begun).size, 200);
      assert.equal(crawl.mostUnderWay, concurrency);
      assert.deepEqual([crawl.counts.pages, crawl.counts.settled], [200, 200]);
    }
  });

  it('holds what is fetched and not yet written to the same bound', async () => {
    const crawl = new FakeCrawl({ pages: 20, concurrency: 3 });
    crawl.holdsWriting = true;
    const over = crawl.slice.run();
    await tick();
    await crawl.arrive();
    assert.equal(crawl.begun.length, 3, 'nothing new is begun while those are not written');
    crawl.holdsWriting = false;
    crawl.written?.resolve();
    while (crawl.begun.length < 20 || crawl.underWay.length > 0) {
      await tick();
      await crawl.arrive();
    }
    await over;
    assert.equal(crawl.mostUnderWay, 3);
  });

  it('writes what arrives meanwhile in one transaction', async () => {
    const crawl = new FakeCrawl({ pages: 4, concurrency: 4 });
    crawl.holdsWriting = true;
    const over = crawl.slice.run();
    await tick();
    const [first = '', ...others] = crawl.underWay;
    await crawl.arrive([first]);
    await crawl.arrive(others);
    crawl.holdsWriting = false;
    crawl.written?.resolve();
    await over;
    assert.deepEqual(crawl.batches, [[first], others]);
    assert.equal(crawl.reached, 2);
  });

  it('takes sitemaps before pages', async () => {
    const crawl = new FakeCrawl({
      pages: 3,
      sitemaps: 2,
      outcome: (url) => (url.endsWith('.xml') ? settled(url, { kind: 'read', reason: null }) : pageAt(url)),
    });
    await crawl.toItsEnd();
    assert.deepEqual(
      crawl.begun.slice(0, 2).map((url) => url.endsWith('.xml')),
      [true, true],
    );
    assert.equal(crawl.begun.length, 5);
    assert.deepEqual([crawl.counts.settled, crawl.counts.pages], [3, 3]);
  });

  it('fetches no page beyond the limit: the last ones come one by one', async () => {
    const crawl = new FakeCrawl({
      pages: 100,
      maxPages: 10,
      concurrency: 4,
      // Every third is none, so that the last place is taken late.
      outcome: (url) =>
        Number(url.split('/').at(-1)) % 3 === 0
          ? settled(url, { kind: 'left-out', reason: 'EMPTY' })
          : pageAt(url),
    });
    await crawl.toItsEnd();
    assert.deepEqual([crawl.counts.pages, crawl.slice.hasAllPages], [10, true]);
    assert.equal(crawl.begun.length, 15, 'ten pages and the five that are none before the last of them');
  });

  it('counts failed pages against the limit, and neither duplicates nor what is tried again', async () => {
    const kinds = [
      (url: string) => settled(url, { kind: 'failed', error: {}, isGone: false }),
      (url: string) => settled(url, { kind: 'unchanged' }),
      (url: string) => settled(url, { kind: 'left-out', reason: 'REDIRECT' }),
      pageAt,
    ];
    const crawl = new FakeCrawl({
      pages: 4,
      outcome: (url) => (kinds[Number(url.split('/').at(-1))] ?? pageAt)(url),
    });
    crawl.unwanted = ['https://site.example/3/fetched'];
    await crawl.toItsEnd();
    assert.deepEqual(crawl.counts, { found: 0, settled: 4, pages: 1, failed: 1 });
    assert.ok(crawl.deleted.includes('https://site.example/3/fetched'), 'its blobs go at once');
  });

  it('counts a page once that was found elsewhere', async () => {
    const crawl = new FakeCrawl({ pages: 3, concurrency: 1 });
    crawl.moved = ['https://site.example/before'];
    await crawl.toItsEnd();
    assert.equal(crawl.counts.pages, 4);
  });

  it('writes what it has to say with the batch that brings it up, once', async () => {
    const crawl = new FakeCrawl({
      pages: 4,
      concurrency: 1,
      outcome: (url) => {
        if (url.endsWith('/1')) crawl.note = { cut: 'too many' };
        return pageAt(url);
      },
    });
    await crawl.toItsEnd();
    assert.deepEqual(crawl.notes, [{ batch: 1, note: { cut: 'too many' } }]);
  });

  it('ends when a write fails, and begins nothing more', async () => {
    const crawl = new FakeCrawl({ pages: 50, concurrency: 2, failingBatch: 2 });
    await assert.rejects(crawl.toItsEnd(), /the database said no/);
    assert.ok(crawl.begun.length <= 6, `${crawl.begun.length} were begun`);
    assert.deepEqual(crawl.underWay, []);
  });

  it('ends when a page cannot be dealt with, after writing what was under way', async () => {
    const crawl = new FakeCrawl({
      pages: 50,
      concurrency: 2,
      outcome: (url) => (url.endsWith('/1') ? new Error('out of disk') : pageAt(url)),
    });
    await assert.rejects(crawl.toItsEnd(), /out of disk/);
    assert.deepEqual(crawl.batches.flat()[0], 'https://site.example/0');
    assert.ok(crawl.begun.length <= 4);
  });

  it('ends when a host wants to be left alone, and says until when', async () => {
    const crawl = new FakeCrawl({
      pages: 50,
      concurrency: 2,
      outcome: (url) => (url.endsWith('/3') ? new HostBusyError('site.example', 90_000) : pageAt(url)),
    });
    const before = Date.now();
    await crawl.toItsEnd();
    const until = crawl.slice.busyUntil?.getTime() ?? 0;
    assert.ok(until >= before + 90_000 && until <= Date.now() + 90_000);
    assert.equal(crawl.batches.flat().includes('https://site.example/3'), false, 'it is not settled');
    assert.ok(crawl.begun.length <= 6);
  });

  it('leaves nothing under way when the frontier cannot be read', async () => {
    const crawl = new FakeCrawl({ pages: 70, concurrency: 4, readsUntilAway: 2 });
    await assert.rejects(crawl.toItsEnd(), /away/);
    assert.deepEqual([crawl.underWay, crawl.begun.length, crawl.batches.flat().length], [[], 64, 64]);
  });
});
