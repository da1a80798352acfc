import type { Stage } from '@citewell/contracts/schemas';
import { type Batch, RunDispatchRepository, type StageCapacity } from '@citewell/database';
import { JobProducer } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { BATCH_RULE, STAGE_JOBS } from './stage-queues.js';

/** Runs that are delivered again per call. */
const REDELIVERED_RUNS = 500;

/** Claims batches of runs in the database and adds their jobs to the queues. */
@Injectable()
export class RunDelivery {
  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(JobProducer) private readonly producer: JobProducer,
  ) {}

  /**
   * Claims pending runs of a stage, fairly between organizations, and enqueues them.
   *
   * @returns the number of batches
   */
  async deliverPending(stage: Stage, { slots, free }: StageCapacity): Promise<number> {
    const batches = await this.runs.claim(stage, free, { ...BATCH_RULE, perOrganization: slots });
    for (const batch of batches) await this.enqueue(batch);
    return batches.length;
  }

  /** Enqueues batches again whose job no worker has taken. The queue may have lost it. */
  async redeliverLost(): Promise<void> {
    for (const batch of await this.runs.takeLostDeliveries(REDELIVERED_RUNS)) await this.enqueue(batch);
  }

  /** Adding one batch twice adds one job. */
  private async enqueue({ id, priority, organizationId, stage, deliveries }: Batch): Promise<void> {
    const payload = { organizationId, stage, deliveries };
    await this.producer.add(STAGE_JOBS[stage], payload, { jobId: `${stage}-${id}`, priority });
  }
}
