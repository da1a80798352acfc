import type { BlobStore } from '@citewell/blob-store';
import {
  BlobRepository,
  type CrawlEntity,
  FinishCrawlRepository,
  type StageProgress,
} from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { pagesLeft } from './crawl-batch.js';
import { finishCrawl, isOutOfScope } from './finish-crawl.js';
import { resolvePointers } from './resolve-pointers.js';
import { incompleteSentence, noPageSentence, whyEmpty } from './site-sentences.js';
import type { SiteVisit } from './site-visit.js';

/** The last step of a crawl. It may be repeated after a crash. */
@Injectable()
export class CrawlFinisher {
  constructor(
    @Inject(FinishCrawlRepository) private readonly crawls: FinishCrawlRepository,
    @Inject(BlobRepository) private readonly blobRows: Pick<BlobRepository, 'forget'>,
    @Inject(BLOB_STORE) private readonly blobStore: Pick<BlobStore, 'delete'>,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
  ) {}

  async finish(visit: SiteVisit, crawl: CrawlEntity, progress: StageProgress): Promise<void> {
    const { run, site } = visit;
    const limit = Math.max(0, pagesLeft(crawl, site));
    const isLimitReached = limit === 0 && progress.total > progress.done;
    const unread = await this.crawls.unreadSource(run);
    // Known pages are found beyond any other limit.
    const truncated = isLimitReached ? null : crawl.truncated;
    const problem = unread === null ? truncated : incompleteSentence(unread);
    const isComplete = problem === null && limit > 0;

    const { promoted, pageBehind } = resolvePointers(await this.crawls.pointers(run), {
      isKept: (url) => !isComplete && !isOutOfScope(url, site),
      limit,
    });
    await this.crawls.promote(run, promoted);
    this.faults.reach('before-finish');
    await this.deleteKeptBodies(visit);

    const isEmpty = crawl.pages + crawl.failed + promoted.length === 0;
    const unconfirmed = await this.crawls.unconfirmedPages(run);
    const end = finishCrawl({
      unconfirmed,
      pageBehind,
      newPages: unconfirmed.length === 0 ? new Set() : await this.crawls.newPages(run),
      answering: await this.crawls.answeringPages(run),
      site,
      isLimitReached,
      problem,
      removeMissing: run.removeMissing,
    });
    const skipped = await this.crawls.skippedUrls(run);
    const empty = isEmpty ? whyEmpty(skipped, site) : null;
    const sentences = [end.warning ?? empty, noPageSentence(skipped)].filter((sentence) => sentence !== null);
    await this.crawls.finish(run, { ...end, warning: sentences.join(' ') || null }, progress);
  }

  private async deleteKeptBodies({ run }: SiteVisit): Promise<void> {
    const keys = await this.crawls.keptBodies(run);
    if (keys.length === 0) return;
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }
}
