import type { Config } from '@citewell/config';
import {
  type CrawlEntity,
  CrawlRepository,
  type FrontierUrl,
  GroupCommit,
  type UrlOutcome,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { FaultPoints, Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { RetryLaterError } from '@citewell/ingestion';
import type { SiteVisit, VisitedUrl } from './site-visit.js';
import { LargeBodies } from '../fetching/url-fetcher.js';
import { PageVisitor } from './page-visitor.js';
import { SitemapVisitor } from './sitemap-visitor.js';

/** Visits a URL of a site with the visitor of its kind. */
@Injectable()
export class SiteUrlVisitor {
  constructor(
    @Inject(PageVisitor) private readonly pages: PageVisitor,
    @Inject(SitemapVisitor) private readonly sitemaps: SitemapVisitor,
    @Inject(LargeBodies) private readonly bodies: LargeBodies,
  ) {}

  /** @param conclude a large body keeps its permit until this has resolved */
  async visit(
    url: FrontierUrl,
    visit: SiteVisit,
    conclude: (visited: VisitedUrl) => Promise<void>,
  ): Promise<void> {
    const visitor = url.kind === 'sitemap' ? this.sitemaps : this.pages;
    await this.bodies.during(visit.signal, async (reserve) =>
      conclude(await visitor.visit(url, visit, reserve)),
    );
  }
}

/** How long a site is crawled before other runs get the slot. */
const TIME_SLICE_MS = 20_000;

/** Runs time slices of crawls. */
@Injectable()
export class CrawlBatches {
  constructor(
    @Inject(CrawlRepository) private readonly frontier: CrawlRepository,
    @Inject(SiteUrlVisitor) private readonly visitor: SiteUrlVisitor,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'crawledUrls'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_CONCURRENCY_PER_HOST'>,
  ) {}

  /**
   * Fetches, classifies and records URLs of a crawl for a time slice.
   *
   * @param report is called with the crawl after each transaction
   * @returns the crawl, and when it has to go on; null when nothing is left to fetch, or the site has all its pages
   * @throws LeaseLostError, errors of engines, the signal's reason
   */
  async run(
    visit: SiteVisit,
    crawl: CrawlEntity,
    report: (crawl: CrawlEntity) => void,
  ): Promise<{ crawl: CrawlEntity; dueAt: Date | null }> {
    let latest = crawl;
    const onRecorded = (recorded: CrawlEntity, outcomes: readonly UrlOutcome[]): void => {
      latest = recorded;
      for (const { outcome } of outcomes) this.metrics.crawledUrls.inc({ outcome });
      report(recorded);
      this.faults.reach('after-record');
    };
    const batch = new CrawlBatch(
      {
        frontier: this.frontier,
        visit: (url, conclude) => this.visitor.visit(url, visit, conclude),
        onRecorded,
      },
      crawl,
      visit,
      { concurrency: this.config.CRAWL_CONCURRENCY_PER_HOST, milliseconds: TIME_SLICE_MS },
    );
    const busyUntil = await batch.run();
    if (pagesLeft(latest, visit.site) <= 0) return { crawl: latest, dueAt: null };
    const dueAt = await this.frontier.nextDueAt(visit.run);
    return {
      crawl: latest,
      dueAt: dueAt !== null && busyUntil !== null && busyUntil > dueAt ? busyUntil : dueAt,
    };
  }
}

/** Frontier URLs read per query. */
const REFILL = 64;
/** URLs fetched and not yet recorded. A kill repeats their requests. */
const MAX_UNRECORDED = 32;

interface BatchParts {
  readonly frontier: Pick<CrawlRepository, 'nextBatch' | 'textOwners' | 'record'>;
  /** Fetches one URL and, after `conclude` has resolved, releases what it needed. */
  readonly visit: (url: FrontierUrl, conclude: (visited: VisitedUrl) => Promise<void>) => Promise<void>;
  /** Called when outcomes have been recorded. */
  readonly onRecorded: (crawl: CrawlEntity, outcomes: readonly UrlOutcome[]) => void;
}

interface BatchLimits {
  /** Requests at a time. */
  readonly concurrency: number;
  /** After this time no further URL is fetched. */
  readonly milliseconds: number;
}

/**
 * Fetches URLs of the frontier, some at a time, then classifies and records them. URLs that become ready while others
 * are recorded form the next transaction.
 */
export class CrawlBatch {
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly queue: FrontierUrl[] = [];
  private readonly recorder = new GroupCommit<VisitedUrl, void>((_key, group) => this.recordGroup(group));
  private unrecorded = 0;
  private wake = Promise.withResolvers<void>();
  private failure: { readonly error: unknown } | null = null;
  private busyUntilMs: number | null = null;

  constructor(
    private readonly parts: BatchParts,
    private crawl: CrawlEntity,
    private readonly visit: Pick<SiteVisit, 'run' | 'site' | 'rendering'>,
    private readonly limits: BatchLimits,
  ) {}

  /**
   * Ends when its time is over, the site has `maxPages` pages, a host asks for a pause, or nothing is due. No request is
   * in flight when this resolves or rejects.
   *
   * @returns until when a host asks for a pause; null when none does
   * @throws what recording throws, or the signal's reason
   */
  async run(): Promise<Date | null> {
    const endsAt = performance.now() + this.limits.milliseconds;
    try {
      while (performance.now() < endsAt && this.failure === null && this.busyUntilMs === null) {
        const left = pagesLeft(this.crawl, this.visit.site);
        if (left <= 0) break;
        const url = this.hasCapacity(left) ? await this.next() : undefined;
        if (url !== undefined) this.begin(url);
        else if (this.inFlight.size === 0) break;
        else await Promise.race([...this.inFlight.values(), this.nextFetched()]);
      }
    } finally {
      await Promise.all(this.inFlight.values());
    }
    if (this.failure !== null) throw this.failure.error;
    return this.busyUntilMs === null ? null : new Date(this.busyUntilMs);
  }

  /** Resolves when another URL has been fetched: the next request can be sent before it is recorded. */
  private async nextFetched(): Promise<void> {
    this.wake = Promise.withResolvers();
    return this.wake.promise;
  }

  /** @param left pages that the site may have; no more are fetched */
  private hasCapacity(left: number): boolean {
    const requests = this.inFlight.size - this.unrecorded;
    return (
      requests < this.limits.concurrency && this.unrecorded < MAX_UNRECORDED && this.inFlight.size < left
    );
  }

  private async next(): Promise<FrontierUrl | undefined> {
    if (this.queue.length === 0) {
      const inFlight = [...this.inFlight.keys()];
      this.queue.push(...(await this.parts.frontier.nextBatch(this.visit.run, REFILL, inFlight)));
    }
    return this.queue.shift();
  }

  private begin(url: FrontierUrl): void {
    const task = this.parts
      .visit(url, (visited) => this.record(visited))
      .catch((error: unknown) => {
        if (error instanceof RetryLaterError)
          this.busyUntilMs = Math.max(this.busyUntilMs ?? 0, Date.now() + error.retryAfterMs);
        else this.failure ??= { error };
      })
      .finally(() => this.inFlight.delete(url.url));
    this.inFlight.set(url.url, task);
  }

  private async record(visited: VisitedUrl): Promise<void> {
    this.unrecorded += 1;
    this.wake.resolve();
    await this.recorder.submit('', visited).finally(() => (this.unrecorded -= 1));
  }

  private async recordGroup(group: readonly VisitedUrl[]): Promise<void[]> {
    const { frontier, onRecorded } = this.parts;
    const { run, site, rendering } = this.visit;
    const owners = await frontier.textOwners(
      run,
      group.flatMap(({ textHash }) => textHash ?? []),
    );
    const outcomes = await Promise.all(
      group.map(({ url, textHash, conclude }) => {
        if (textHash === null) return conclude(null);
        // Among new pages with the same text, the first one owns it.
        const owner = owners.get(textHash);
        if (owner === undefined) owners.set(textHash, url.url);
        return conclude(owner === undefined || owner === url.url ? null : owner);
      }),
    );
    this.crawl = await frontier.record(run, outcomes, site.maxPages, rendering?.limit);
    onRecorded(this.crawl, outcomes);
    return group.map(() => undefined);
  }
}

/** How many more pages the site may have. Pages that failed count. */
export function pagesLeft(
  { pages, failed }: CrawlEntity,
  { maxPages }: { readonly maxPages: number },
): number {
  return maxPages - pages - failed;
}
