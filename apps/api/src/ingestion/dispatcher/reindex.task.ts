import { DatasourceRepository } from '@citewell/database';
import { SPACES, type Spaces } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';

/** Datasources re-indexed per execution. */
const REINDEX_BATCH = 1_000;

/**
 * Starts a reindex of every datasource whose index was built with another embedding model or analyzer version.
 */
@Injectable()
export class ReindexTask implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(SPACES) private readonly spaces: Spaces,
  ) {}

  async run(): Promise<void> {
    const { indexing, embedding, isPreparing } = this.spaces;
    if (isPreparing) return;
    const stage = embedding ? 'embedding' : 'indexing';
    await this.datasources.reindexOutdated((embedding ?? indexing).space.name, stage, REINDEX_BATCH);
  }
}
