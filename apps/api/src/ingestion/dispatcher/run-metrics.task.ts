import { STAGES } from '@citewell/contracts/schemas';
import { RunDispatchRepository, WorkerRepository } from '@citewell/database';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';

/**
 * Publishes the number of unfinished runs by stage and state, the age of the oldest waiting run of each stage, and how often
 * an event loop was blocked.
 */
@Injectable()
export class RunMetricsTask implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(RunDispatchRepository) private readonly runs: Pick<RunDispatchRepository, 'runsByStage'>,
    @Inject(WorkerRepository) private readonly workers: Pick<WorkerRepository, 'recentBlocks'>,
    @Inject(Metrics)
    private readonly metrics: Pick<Metrics, 'unfinishedRuns' | 'oldestWaitingRun' | 'eventLoopBlocks'>,
  ) {}

  async run(): Promise<void> {
    const [counts, blocked] = await Promise.all([this.runs.runsByStage(), this.workers.recentBlocks()]);
    this.metrics.eventLoopBlocks.reset();
    for (const { app, blocks } of blocked) this.metrics.eventLoopBlocks.set({ process: app }, blocks);
    this.metrics.unfinishedRuns.reset();
    for (const { stage, state, runs } of counts) this.metrics.unfinishedRuns.set({ stage, state }, runs);
    for (const stage of STAGES) {
      const waits = counts.filter((one) => one.stage === stage).map(({ waitSeconds }) => waitSeconds);
      this.metrics.oldestWaitingRun.set({ stage }, Math.max(0, ...waits));
    }
  }
}
