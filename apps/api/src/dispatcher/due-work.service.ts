import { RunDispatchRepository, SiteRunRepository } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { PurgeDelivery } from './purge-delivery.service.js';
import { RunDelivery } from './run-delivery.service.js';
import { ScheduledSyncs } from './scheduled-syncs.service.js';
import { MINIMUM_SLOTS, STAGE_QUEUES } from './stage-queues.js';

/** Reads the backlog with one query, and starts all work that is due. */
@Injectable()
export class DueWork {
  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(SiteRunRepository) private readonly siteRuns: SiteRunRepository,
    @Inject(RunDelivery) private readonly runDelivery: RunDelivery,
    @Inject(PurgeDelivery) private readonly purgeDelivery: PurgeDelivery,
    @Inject(ScheduledSyncs) private readonly scheduledSyncs: ScheduledSyncs,
  ) {}

  /** @returns whether there was any */
  async dispatch(): Promise<boolean> {
    const backlog = await this.runs.backlog(STAGE_QUEUES, MINIMUM_SLOTS);
    // Stages are independent of each other, so they are claimed in parallel.
    const delivered = await Promise.all(
      [...backlog.capacity].map(([stage, capacity]) => this.runDelivery.deliverPending(stage, capacity)),
    );
    if (backlog.crawledSitesAreWaiting) await this.siteRuns.finishWaitingSites();
    if (backlog.syncsAreDue) await this.scheduledSyncs.startDue();
    if (backlog.purgesAreDue) await this.purgeDelivery.deliverDue();
    const { crawledSitesAreWaiting, syncsAreDue, purgesAreDue } = backlog;
    return crawledSitesAreWaiting || syncsAreDue || purgesAreDue || delivered.some((runs) => runs > 0);
  }
}
