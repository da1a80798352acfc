import { STAGES } from '@citewell/contracts/schemas';
import { RunDispatchRepository } from '@citewell/database';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from './maintenance-task.js';

/** Publishes the number of unfinished runs by stage and state, and the age of the oldest waiting run of each stage. */
@Injectable()
export class RunMetricsTask implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(RunDispatchRepository) private readonly runs: Pick<RunDispatchRepository, 'runsByStage'>,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'unfinishedRuns' | 'oldestWaitingRun'>,
  ) {}

  async run(): Promise<void> {
    const counts = await this.runs.runsByStage();
    this.metrics.unfinishedRuns.reset();
    for (const { stage, state, runs } of counts) this.metrics.unfinishedRuns.set({ stage, state }, runs);
    for (const stage of STAGES) {
      const waits = counts.filter((one) => one.stage === stage).map(({ waitSeconds }) => waitSeconds);
      this.metrics.oldestWaitingRun.set({ stage }, Math.max(0, ...waits));
    }
  }
}
