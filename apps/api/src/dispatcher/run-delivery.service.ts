import type { Stage } from '@citewell/contracts/schemas';
import { type ClaimedRun, RunDispatchRepository, type StageCapacity } from '@citewell/database';
import { JobProducer } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { STAGE_JOBS } from './stage-queues.js';

/** Runs that are delivered again per call. */
const REDELIVERY_BATCH = 500;

/** Claims runs in the database and adds their jobs to the queues. */
@Injectable()
export class RunDelivery {
  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(JobProducer) private readonly producer: JobProducer,
  ) {}

  /**
   * Claims as many pending runs of a stage as fit, fairly between organizations, and enqueues them.
   *
   * @returns their number
   */
  async deliverPending(stage: Stage, capacity: StageCapacity): Promise<number> {
    const claimed = await this.runs.claim(stage, capacity.runs, capacity.workers);
    for (const run of claimed) await this.enqueue(run);
    return claimed.length;
  }

  /** Enqueues runs again whose job no worker has taken. The queue may have lost it. */
  async redeliverLost(): Promise<void> {
    for (const run of await this.runs.lostDeliveries(REDELIVERY_BATCH)) await this.enqueue(run);
  }

  /** The job id contains the delivery number: adding one delivery twice adds one job. */
  private async enqueue({
    runId,
    organizationId,
    datasourceId,
    delivery,
    stage,
    priority,
  }: ClaimedRun): Promise<void> {
    const payload = { organizationId, datasourceId, runId, delivery };
    await this.producer.add(STAGE_JOBS[stage], payload, {
      jobId: `${stage}-${runId}-${delivery}`,
      priority,
    });
  }
}
