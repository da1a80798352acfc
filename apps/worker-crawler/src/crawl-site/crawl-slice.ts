import { isDeepStrictEqual } from 'node:util';
import type { BlobStore } from '@citewell/blob-store';
import type {
  BlobRepository,
  CrawlCounts,
  CrawlNote,
  CrawlRepository,
  FrontierUrl,
  Settlement,
  SiteRepository,
} from '@citewell/database';
import { RetryLaterError } from '@citewell/ingestion';
import type { SiteConfig } from './site-config.js';
import type { SiteVisit } from './site-visit.js';

/** So many rows of the frontier are read at once. */
const REFILL = 64;

export interface CrawlParts {
  readonly frontier: Pick<CrawlRepository, 'next'>;
  readonly sites: Pick<SiteRepository, 'settle'>;
  readonly blobStore: Pick<BlobStore, 'delete'>;
  readonly blobRows: Pick<BlobRepository, 'forget'>;
  /** Fetches one URL and decides what it is. @throws RetryLaterError */
  readonly settle: (url: FrontierUrl) => Promise<Settlement>;
  /** Called when settlements have been written down. */
  readonly onSettled: () => void;
  /** What the crawl has to say of itself by now. */
  readonly note: () => CrawlNote;
}

export interface SliceLimits {
  /** URLs that are fetched and not written down yet: after a kill, these are fetched again. */
  readonly concurrency: number;
  /** After this long no further URL is begun. */
  readonly milliseconds: number;
}

/**
 * One turn of a crawl: takes URLs from the frontier, fetches some of them at the same time, and writes down what they
 * are. Settlements that come while others are being written go together, in the next transaction.
 */
export class CrawlSlice {
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly queue: FrontierUrl[] = [];
  private batch: { settlement: Settlement; written: PromiseWithResolvers<void> }[] = [];
  private readonly moved = new Set<string>();
  private noted: CrawlNote = {};
  private isWriting = false;
  private failure: unknown;
  private busyUntilMs: number | null = null;

  /** @param counts at the start of this turn; kept up to date */
  constructor(
    private readonly parts: CrawlParts,
    private readonly visit: Pick<SiteVisit, 'run' | 'site'>,
    private readonly limits: SliceLimits,
    private readonly counts: { -readonly [Key in keyof CrawlCounts]: CrawlCounts[Key] },
  ) {}

  /** Whether as many pages were brought in as the site may have. */
  get hasAllPages(): boolean {
    return hasAllPages(this.counts, this.visit.site);
  }

  /** Until when a host wants to be left alone; null when none does. */
  get busyUntil(): Date | null {
    return this.busyUntilMs === null ? null : new Date(this.busyUntilMs);
  }

  /**
   * Ends when its time is over, when the site has all its pages, when a host wants to be left alone for long, or when
   * there is nothing that could be fetched now. Nothing is under way when it has ended, however it ends.
   *
   * @throws what the writing of settlements throws, or the signal's reason
   */
  async run(): Promise<void> {
    const endsAt = performance.now() + this.limits.milliseconds;
    try {
      while (performance.now() < endsAt && this.failure === undefined && this.busyUntilMs === null) {
        if (this.hasAllPages) break;
        if (this.inFlight.size >= this.room()) {
          await Promise.race(this.inFlight.values());
          continue;
        }
        const url = await this.take();
        if (url !== undefined) this.begin(url);
        else if (this.inFlight.size === 0) break;
        else await Promise.race(this.inFlight.values());
      }
    } finally {
      await Promise.all(this.inFlight.values());
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /** The last pages come one by one, so that none is fetched beyond the limit. */
  private room(): number {
    const { pages, failed } = this.counts;
    return Math.min(this.limits.concurrency, this.visit.site.maxPages - pages - failed);
  }

  private async take(): Promise<FrontierUrl | undefined> {
    if (this.queue.length === 0) {
      const { frontier } = this.parts;
      const busy = [...this.inFlight.keys()];
      const sitemaps = await frontier.next(this.visit.run, 'sitemap', REFILL, busy);
      // Pages wait until it is known which there are: of two URLs of one page, the sitemap's is the one to take.
      const pages = sitemaps.length > 0 ? [] : await frontier.next(this.visit.run, 'page', REFILL, busy);
      this.queue.push(...sitemaps, ...pages);
    }
    return this.queue.shift();
  }

  private begin(url: FrontierUrl): void {
    const task = this.parts
      .settle(url)
      .then((settlement) => this.write(settlement))
      .catch((error: unknown) => {
        if (error instanceof RetryLaterError)
          this.busyUntilMs = Math.max(this.busyUntilMs ?? 0, Date.now() + error.retryAfterMs);
        else this.failure ??= error;
      })
      .finally(() => this.inFlight.delete(url.row.url));
    this.inFlight.set(url.row.url, task);
  }

  private write(settlement: Settlement): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.batch.push({ settlement, written });
    if (!this.isWriting) void this.writeBatches();
    return written.promise;
  }

  private async writeBatches(): Promise<void> {
    this.isWriting = true;
    while (this.batch.length > 0) {
      const { batch } = this;
      this.batch = [];
      try {
        const settlements = batch.map(({ settlement }) => settlement);
        const { unwanted, moved } = await this.parts.sites.settle(
          this.visit.run,
          settlements,
          this.newNote(),
        );
        this.parts.onSettled();
        this.count(settlements, new Set(unwanted));
        this.countMoved(moved);
        await this.forget(unwanted);
        for (const { written } of batch) written.resolve();
      } catch (error) {
        for (const { written } of batch) written.reject(error);
      }
    }
    this.isWriting = false;
  }

  private count(settlements: readonly Settlement[], unwanted: ReadonlySet<string>): void {
    for (const settlement of settlements) {
      const { kind, found } = settlement;
      this.counts.found += found.filter((one) => one.kind === 'page').length;
      if (kind === 'read' || kind === 'again') continue;
      this.counts.settled += 1;
      if (kind === 'failed') this.counts.failed += 1;
      const isUnwanted = kind === 'page' && unwanted.has(settlement.content.fetched.key);
      if (kind === 'unchanged' || (kind === 'page' && !isUnwanted)) this.counts.pages += 1;
    }
  }

  /** A page that was found elsewhere takes a place, too; once, however often it is found. */
  private countMoved(urls: readonly string[]): void {
    const known = this.moved.size;
    for (const url of urls) this.moved.add(url);
    this.counts.pages += this.moved.size - known;
  }

  /** What is to be written down with what brought it up, if that is new: after a crash nothing else would tell it. */
  private newNote(): CrawlNote | null {
    const note = this.parts.note();
    if (isDeepStrictEqual(note, this.noted)) return null;
    this.noted = note;
    return note;
  }

  private async forget(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.parts.blobStore.delete(keys);
    await this.parts.blobRows.forget(keys);
  }
}

/** Whether a site has as many pages as it may; those that failed are some. */
export function hasAllPages(
  { pages, failed }: CrawlCounts,
  { maxPages }: Pick<SiteConfig, 'maxPages'>,
): boolean {
  return pages + failed >= maxPages;
}
