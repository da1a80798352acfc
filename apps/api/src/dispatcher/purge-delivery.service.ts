import { JOB_CATALOG } from '@citewell/contracts/jobs';
import { RunDispatchRepository } from '@citewell/database';
import { JobProducer } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { MINIMUM_SLOTS } from './stage-queues.js';

/** Larger than the priority of any run: a purge is never urgent. */
const PURGE_PRIORITY = 100_000;

/** Claims due purges in the database and adds their jobs to the queue. */
@Injectable()
export class PurgeDelivery {
  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(JobProducer) private readonly producer: JobProducer,
  ) {}

  async deliverDue(): Promise<void> {
    const purges = await this.runs.claimPurges(JOB_CATALOG.purge.queue, MINIMUM_SLOTS);
    for (const purge of purges) {
      const payload = { organizationId: purge.organizationId, purgeId: purge.id };
      await this.producer.add('purge', payload, {
        jobId: `purge-${purge.id}-${purge.round}`,
        priority: PURGE_PRIORITY,
      });
    }
  }
}
