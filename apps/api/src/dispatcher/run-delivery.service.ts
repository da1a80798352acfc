import type { Stage } from '@citewell/contracts/http';
import { type ClaimedRun, RunDispatchRepository } from '@citewell/database';
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

  /** Claims at most `limit` pending runs of a stage, fairly between organizations, and enqueues them. */
  async deliverPending(stage: Stage, limit: number): Promise<void> {
    for (const run of await this.runs.claim(stage, limit)) await this.enqueue(run);
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
