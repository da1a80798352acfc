import type { Config } from '@citewell/config';
import { type CrawlEntity, CrawlRepository, type UrlOutcome } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { FaultPoints, Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { CrawlBatch, pagesLeft } from './crawl-batch.js';
import { SiteUrlVisitor } from './site-url-visitor.js';
import type { SiteVisit } from './site-visit.js';

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
