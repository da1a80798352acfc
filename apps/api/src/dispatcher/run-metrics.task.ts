import { RunDispatchRepository } from '@citewell/database';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from './maintenance-task.js';

/** Publishes the number of unfinished runs by stage and state. */
@Injectable()
export class RunMetricsTask implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async run(): Promise<void> {
    const counts = await this.runs.runsByStage();
    this.metrics.unfinishedRuns.reset();
    for (const { stage, state, runs } of counts) this.metrics.unfinishedRuns.set({ stage, state }, runs);
  }
}
