import { JOB_CATALOG } from '@citewell/contracts/jobs';
import { PurgeRepository } from '@citewell/database';
import { JobProducer } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { MINIMUM_SLOTS } from './stage-queues.js';

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
