import type { BatchPayload } from '@citewell/contracts/jobs';
import { type CrawlEntity, GroupRunRepository, type StageProgress } from '@citewell/database';
import { RunExecutor, type StageWork } from '@citewell/ingestion';
import type { JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { HostSlots } from '../fetching/host-pacer.js';
import { CrawlBatches } from './crawl-batches.js';
import { CrawlFinisher } from './crawl-finisher.js';
import { CrawlStart } from './crawl-start.js';
import { siteConfigOf } from './site-visit.js';

/**
 * Crawls a web site, one time slice after the other: begin, fetch batches until the slice is over or nothing is due,
 * finish. The frontier is in the database, so any crawler can go on where the last one stopped.
 */
@Injectable()
export class CrawlSiteHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(HostSlots) private readonly slots: HostSlots,
    @Inject(CrawlStart) private readonly start: CrawlStart,
    @Inject(CrawlBatches) private readonly batches: CrawlBatches,
    @Inject(CrawlFinisher) private readonly finisher: CrawlFinisher,
    @Inject(GroupRunRepository) private readonly groupRuns: GroupRunRepository,
  ) {}

  async handle(batch: BatchPayload, job: JobContext): Promise<void> {
    await this.executor.execute(batch, job, (work) =>
      this.slots.hold(siteConfigOf(work.datasource).host, () => this.crawl(work)),
    );
  }

  private async crawl(work: StageWork): Promise<void> {
    const { crawl, visit } = await this.start.begin(work);
    const report = (now: CrawlEntity): void => work.report(progressOf(now));
    for (let now = crawl; ;) {
      const batch = await this.batches.run(visit, now, report);
      now = batch.crawl;
      if (batch.dueAt !== null) return this.groupRuns.endTimeSlice(work.run, progressOf(now), batch.dueAt);
      const extended = await this.start.enqueueMore(visit, now);
      if (extended === null) {
        await this.finisher.finish(visit, now, progressOf(now));
        return this.start.forget(visit);
      }
      now = extended;
    }
  }
}

function progressOf({ found, processed, pages, failed }: CrawlEntity): StageProgress {
  return { done: processed, total: found, failed, pages };
}
