import { RunDispatchRepository, RunLifecycleRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';
import { RunDelivery } from './run-delivery.service.js';

/** Expired leases processed per execution. */
const LEASE_BATCH = 500;

/** Recovers runs whose worker died, and runs whose job was lost on the way to a worker. */
@Injectable()
export class LostRunsTask implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(RunDelivery) private readonly delivery: RunDelivery,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    for (const runId of await this.runs.expiredLeases(LEASE_BATCH)) {
      const outcome = await this.lifecycle.endExpiredLease(runId);
      if (outcome !== 'alive') this.logger.warn({ runId, outcome }, 'lease expired');
    }
    await this.delivery.redeliverLost();
  }
}
