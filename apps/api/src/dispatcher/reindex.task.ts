import { DatasourceRepository } from '@citewell/database';
import { SPACE } from '@citewell/infrastructure';
import type { Space } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from './maintenance-task.js';

/** Datasources re-indexed per execution. */
const REINDEX_BATCH = 50;

/**
 * Starts a run for every datasource whose index was built with another embedding model or analyzer version.
 */
@Injectable()
export class ReindexTask implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(SPACE) private readonly space: Space,
  ) {}

  async run(): Promise<void> {
    await this.datasources.reindexOutdated(this.space.name, REINDEX_BATCH);
  }
}
