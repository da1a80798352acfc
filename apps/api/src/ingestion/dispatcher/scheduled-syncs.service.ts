import { DatasourceRepository, TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { nextSyncAt } from '../../content/datasources/schedule.js';

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
