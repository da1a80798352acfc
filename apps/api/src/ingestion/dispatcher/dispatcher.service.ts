import { JOB_CATALOG, type JobName } from '@citewell/contracts/jobs';
import { STAGES, type Stage } from '@citewell/contracts/schemas';
import {
  type Batch,
  type BatchRule,
  DISPATCH_CHANNEL,
  DatasourceRepository,
  GroupRunRepository,
  type Listener,
  PurgeRepository,
  RunDispatchRepository,
  type StageCapacity,
  TenantScope,
  listen,
} from '@citewell/database';
import { FILE_TYPES, isTextual } from '@citewell/documents/file-type';
import { DATABASE_URL, LOGGER } from '@citewell/infrastructure';
import { FullStorage, type Logger } from '@citewell/observability';
import { JobProducer } from '@citewell/queue';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { MAINTENANCE_TASKS, type MaintenanceTask } from '../../background/maintenance-task.js';
import { PollingLoop } from '../../background/polling-loop.js';
import { nextSyncAt } from '../../content/datasources/schedule.js';

/** The job that executes each stage. */
const STAGE_JOBS = {
  listing: 'sync-source',
  discovering: 'crawl-site',
  fetching: 'fetch-page',
  parsing: 'parse-document',
  indexing: 'index-document',
  embedding: 'embed-document',
} as const satisfies Record<Stage, JobName>;

/** The queue of each stage's job. */
const STAGE_QUEUES = STAGES.map((stage) => ({ stage, queue: JOB_CATALOG[STAGE_JOBS[stage]].queue }));

/** Only small texts are parsed together: delivering one costs more than parsing it. Other files take their time. */
const BATCH_RULE: BatchRule = { contentTypes: FILE_TYPES.filter(isTextual) };

/** Slots assumed for a queue while no worker of it has reported. */
const MINIMUM_SLOTS = 1;

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

/** Syncs started per call. */
const SYNC_BATCH = 100;

/** Starts the syncs whose scheduled time has come, and sets the time of the next one. */
@Injectable()
export class ScheduledSyncs {
  constructor(@Inject(DatasourceRepository) private readonly datasources: DatasourceRepository) {}

  async startDue(): Promise<void> {
    for (const { organizationId, id, config } of await this.datasources.dueForSync(SYNC_BATCH)) {
      const next = nextSyncAt(config, id);
      await this.datasources.syncDue(new TenantScope(organizationId), id, next);
    }
  }
}

/** Reads the backlog with one query, and starts all work that is due. */
@Injectable()
export class DueWork {
  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(GroupRunRepository) private readonly groupRuns: GroupRunRepository,
    @Inject(RunDelivery) private readonly runDelivery: RunDelivery,
    @Inject(PurgeDelivery) private readonly purgeDelivery: PurgeDelivery,
    @Inject(ScheduledSyncs) private readonly scheduledSyncs: ScheduledSyncs,
    @Inject(FullStorage) private readonly storage: Pick<FullStorage, 'isLow' | 'makeRoom'>,
  ) {}

  /** @returns whether any work was started. Due work may have to wait for a slot, or for the pages of a site */
  async dispatch(): Promise<boolean> {
    const { capacity, groupsAreWaiting, syncsAreDue, purgesAreDue } = await this.runs.backlog(
      STAGE_QUEUES,
      MINIMUM_SLOTS,
    );
    // The rest of a full disk is left to purges, which free space. Runs wait.
    if (this.storage.isLow) {
      if (purgesAreDue) {
        this.storage.makeRoom();
        return (await this.purgeDelivery.deliverDue()) > 0;
      }
      return false;
    }
    // Stages are independent of each other, so they are claimed in parallel.
    const delivered = await Promise.all(
      [...capacity].map(([stage, ofStage]) => this.runDelivery.deliverPending(stage, ofStage)),
    );
    const finished = groupsAreWaiting ? await this.groupRuns.finishWaitingGroups() : 0;
    if (syncsAreDue) await this.scheduledSyncs.startDue();
    const purges = purgesAreDue ? await this.purgeDelivery.deliverDue() : 0;
    return syncsAreDue || [...delivered, finished, purges].some((number) => number > 0);
  }
}

/**
 * Polling finds work whose time has come, and work whose NOTIFY was sent while the listener was disconnected.
 */
const DISPATCH_INTERVAL_MS = 500;
/** The pause after a search for work that found none. With a backlog, notifications arrive faster than slots become free. */
const PAUSE_WITHOUT_WORK_MS = 50;

/**
 * Dispatches due work whenever the database sends a notification, and executes each maintenance task at its
 * interval. Nothing else enqueues jobs. The design is in docs/adr/0002-queue-and-dispatcher.md.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly dispatchLoop: PollingLoop;
  private readonly loops: readonly PollingLoop[];
  private listener: Listener | undefined;

  constructor(
    @Inject(DueWork) dueWork: DueWork,
    @Inject(MAINTENANCE_TASKS) tasks: readonly MaintenanceTask[],
    @Inject(LOGGER) logger: Logger,
    @Inject(DATABASE_URL) private readonly databaseUrl: string,
  ) {
    const onError = (error: unknown): void =>
      logger.warn({ err: error }, 'dispatching failed and will be tried again');
    this.dispatchLoop = new PollingLoop(
      DISPATCH_INTERVAL_MS,
      () => dueWork.dispatch(),
      onError,
      PAUSE_WITHOUT_WORK_MS,
    );
    const executeTask = async (task: MaintenanceTask): Promise<void> => {
      await task.run();
      // Maintenance may have made runs pending.
      this.dispatchLoop.wake();
    };
    const taskLoops = tasks.map((task) => new PollingLoop(task.intervalMs, () => executeTask(task), onError));
    this.loops = [this.dispatchLoop, ...taskLoops];
  }

  onApplicationBootstrap(): void {
    const wake = (): void => this.dispatchLoop.wake();
    this.listener = listen(this.databaseUrl, DISPATCH_CHANNEL, { onNotify: wake, onConnect: wake });
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.listener?.close();
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
