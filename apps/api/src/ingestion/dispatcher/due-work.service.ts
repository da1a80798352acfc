import { JOB_CATALOG } from '@citewell/contracts/jobs';
import {
  DatasourceRepository,
  GroupRunRepository,
  PurgeRepository,
  RunDispatchRepository,
  TenantScope,
} from '@citewell/database';
import { FullStorage } from '@citewell/observability';
import { JobProducer } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { nextSyncAt } from '../../content/datasources/schedule.js';
import { MINIMUM_SLOTS, RunDelivery, STAGE_QUEUES } from './run-delivery.service.js';

/** Larger than the priority of any run: a purge is never urgent. */
const PURGE_PRIORITY = 100_000;

/** Claims batches of due purges in the database and adds their jobs to the queue. */
@Injectable()
export class PurgeDelivery {
  constructor(
    @Inject(PurgeRepository) private readonly purges: PurgeRepository,
    @Inject(JobProducer) private readonly producer: JobProducer,
  ) {}

  /** @returns the number of batches */
  async deliverDue(): Promise<number> {
    const batches = await this.purges.claimDue(JOB_CATALOG.purge.queue, MINIMUM_SLOTS);
    for (const payload of batches)
      await this.producer.add('purge', payload, {
        jobId: `purge-${payload.batchId}`,
        priority: PURGE_PRIORITY,
      });
    return batches.length;
  }
}

/** Syncs started per call. */
const SYNC_BATCH = 100;

/** Starts the syncs whose scheduled time has come, and sets the time of the next one. */
@Injectable()
export class ScheduledSyncs {
  constructor(@Inject(DatasourceRepository) private readonly datasources: DatasourceRepository) {}

  async startDue(): Promise<void> {
    for (const { organizationId, id, config } of await this.datasources.dueForSync(SYNC_BATCH)) {
      const next = nextSyncAt(config['schedule'], id);
      await this.datasources.syncDue(new TenantScope(organizationId), id, next);
    }
  }
}

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
