import { JOB_CATALOG, type JobName } from '@citewell/contracts/jobs';
import { type Stage, STAGES } from '@citewell/contracts/schemas';
import { type Batch, type BatchRule, RunDispatchRepository, type StageCapacity } from '@citewell/database';
import { FILE_TYPES, isTextual } from '@citewell/documents/file-type';
import { JobProducer } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';

/** The job that executes each stage. */
const STAGE_JOBS = {
  discovering: 'crawl-site',
  fetching: 'fetch-page',
  parsing: 'parse-document',
  indexing: 'index-document',
  embedding: 'embed-document',
} as const satisfies Record<Stage, JobName>;

/** The queue of each stage's job. */
export const STAGE_QUEUES = STAGES.map((stage) => ({ stage, queue: JOB_CATALOG[STAGE_JOBS[stage]].queue }));

/** Only small texts are parsed together: delivering one costs more than parsing it. Other files take their time. */
const BATCH_RULE: BatchRule = { contentTypes: FILE_TYPES.filter(isTextual) };

/** Slots assumed for a queue while no worker of it has reported. */
export const MINIMUM_SLOTS = 1;

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
