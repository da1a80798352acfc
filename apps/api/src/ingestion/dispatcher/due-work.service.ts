import { RunDispatchRepository, GroupRunRepository } from '@citewell/database';
import { FullStorage } from '@citewell/observability';
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
    @Inject(GroupRunRepository) private readonly groupRuns: GroupRunRepository,
    @Inject(RunDelivery) private readonly runDelivery: RunDelivery,
    @Inject(PurgeDelivery) private readonly purgeDelivery: PurgeDelivery,
    @Inject(ScheduledSyncs) private readonly scheduledSyncs: ScheduledSyncs,
    @Inject(FullStorage) private readonly storage: Pick<FullStorage, 'isLow' | 'makeRoom'>,
  ) {}

  /** @returns whether any work was started. Due work may have to wait for a slot, or for the pages of a site */
  async dispatch(): Promise<boolean> {
    const { capacity, groupsAreWaiting, syncsAreDue, purgesAreDue } = await this.runs.backlog(
      STAGE_QUEUES,
      MINIMUM_SLOTS,
    );
    // The rest of a full disk is left to purges, which free space. Runs wait.
    if (this.storage.isLow) {
      if (purgesAreDue) {
        this.storage.makeRoom();
        return (await this.purgeDelivery.deliverDue()) > 0;
      }
      return false;
    }
    // Stages are independent of each other, so they are claimed in parallel.
    const delivered = await Promise.all(
      [...capacity].map(([stage, ofStage]) => this.runDelivery.deliverPending(stage, ofStage)),
    );
    const finished = groupsAreWaiting ? await this.groupRuns.finishWaitingGroups() : 0;
    if (syncsAreDue) await this.scheduledSyncs.startDue();
    const purges = purgesAreDue ? await this.purgeDelivery.deliverDue() : 0;
    return syncsAreDue || [...delivered, finished, purges].some((number) => number > 0);
  }
}
