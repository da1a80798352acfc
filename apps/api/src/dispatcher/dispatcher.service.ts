import type { BlobStore } from '@citewell/blob-store';
import { type Stage, STAGES } from '@citewell/contracts/http';
import { JOB_CATALOG, type JobName } from '@citewell/contracts/jobs';
import {
  BlobRepository,
  type ClaimedRun,
  DatasourceRepository,
  DISPATCH_CHANNEL,
  HostPaceRepository,
  IdempotencyRepository,
  listen,
  type Listener,
  RunDispatchRepository,
  RunLifecycleRepository,
  SiteRepository,
  TenantScope,
} from '@citewell/database';
import { BLOB_STORE, DATABASE_URL, LOGGER, SPACE } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import { JobProducer } from '@citewell/queue';
import type { Space } from '@citewell/vector-store';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { nextSyncAt } from '../datasources/schedule.js';
import { Wakeable } from './wakeable.js';

/** Which job carries out a stage. */
const STAGE_JOBS = {
  discovering: 'crawl-site',
  fetching: 'fetch-page',
  parsing: 'parse-document',
  indexing: 'index-document',
} as const satisfies Record<Stage, JobName>;
const STAGE_QUEUES = STAGES.map((stage) => ({ stage, queue: JOB_CATALOG[STAGE_JOBS[stage]].queue }));

/** Work is looked for this often even when nobody wakes us: for what waits for its time, and lost notifications. */
const IDLE_INTERVAL_MS = 500;
const SWEEP_INTERVAL_MS = 5_000;
const COLLECT_INTERVAL_MS = 10 * 60_000;
/** Assumed while no worker has said that it is alive. */
const MINIMUM_SLOTS = 1;
const PURGE_VISIBILITY_SECONDS = 120;
/** Behind every run: nothing waits for a purge. */
const PURGE_PRIORITY = 100_000;
const SWEEP_BATCH = 500;
/** Syncs started in one go because their time has come. */
const SCHEDULE_BATCH = 100;
/** Runs started at a sweep to carry a change of model or analyzer through. */
const REINDEX_BATCH = 50;
const ABANDONED_WRITE_MS = 24 * 60 * 60_000;

/**
 * The one place that enqueues. The database is the truth and the queue is delivery: runs are claimed from the
 * database in turns of organizations, a little more than the workers can take at once.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new Wakeable(
    IDLE_INTERVAL_MS,
    () => this.dispatch(),
    (error) => this.failed(error),
  );
  private readonly sweeper = new Wakeable(
    SWEEP_INTERVAL_MS,
    () => this.sweep(),
    (error) => this.failed(error),
  );
  private readonly collector = new Wakeable(
    COLLECT_INTERVAL_MS,
    () => this.collect(),
    (error) => this.failed(error),
  );
  private listener: Listener | undefined;

  constructor(
    @Inject(RunDispatchRepository) private readonly runs: RunDispatchRepository,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(SiteRepository) private readonly sites: SiteRepository,
    @Inject(JobProducer) private readonly producer: JobProducer,
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(SPACE) private readonly space: Space,
    @Inject(IdempotencyRepository) private readonly idempotencyKeys: IdempotencyRepository,
    @Inject(HostPaceRepository) private readonly hostPaces: HostPaceRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(DATABASE_URL) private readonly databaseUrl: string,
  ) {}

  onApplicationBootstrap(): void {
    const wake = (): void => this.loop.wake();
    this.listener = listen(this.databaseUrl, DISPATCH_CHANNEL, { onNotify: wake, onConnect: wake });
    this.loop.start();
    this.sweeper.start();
    this.collector.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.listener?.close();
    await Promise.all([this.loop.stop(), this.sweeper.stop(), this.collector.stop()]);
    await this.producer.close();
  }

  private async dispatch(): Promise<void> {
    const outlook = await this.runs.outlook(STAGE_QUEUES, MINIMUM_SLOTS);
    const { room, purgesAreDue, sitesAreDiscovered, syncsAreDue } = outlook;
    // Stages do not wait for each other: a document goes through several.
    await Promise.all([...room].map(([stage, limit]) => this.dispatchStage(stage, limit)));
    if (sitesAreDiscovered) await this.sites.finishDiscovered();
    if (syncsAreDue) await this.startDueSyncs();
    if (purgesAreDue) await this.dispatchPurges();
  }

  private async dispatchStage(stage: Stage, limit: number): Promise<void> {
    for (const run of await this.runs.claim(stage, limit)) await this.deliver(run);
  }

  private async dispatchPurges(): Promise<void> {
    const purges = await this.runs.claimPurges(
      JOB_CATALOG.purge.queue,
      MINIMUM_SLOTS,
      PURGE_VISIBILITY_SECONDS,
    );
    for (const purge of purges) {
      const payload = { organizationId: purge.organizationId, purgeId: purge.id };
      await this.producer.add('purge', payload, {
        jobId: `purge-${purge.id}-${purge.round}`,
        priority: PURGE_PRIORITY,
      });
    }
  }

  /** The job's id tells deliveries apart, so adding one twice is adding it once. */
  private async deliver({
    runId,
    organizationId,
    datasourceId,
    delivery,
    stage,
    turn,
  }: ClaimedRun): Promise<void> {
    const payload = { organizationId, datasourceId, runId, delivery };
    await this.producer.add(STAGE_JOBS[stage], payload, {
      jobId: `${stage}-${runId}-${delivery}`,
      priority: turn,
    });
  }

  /** Finds what was lost: leases of dead workers, and deliveries that nobody took. */
  private async sweep(): Promise<void> {
    for (const runId of await this.runs.expiredLeases(SWEEP_BATCH)) {
      const outcome = await this.lifecycle.crashed(runId);
      if (outcome !== 'alive') this.logger.warn({ runId, outcome }, 'lease ran out');
    }
    for (const run of await this.runs.lostDeliveries(SWEEP_BATCH)) await this.deliver(run);
    await this.datasources.reindexOutdated(this.space.name, REINDEX_BATCH);
    await this.measure();
    this.loop.wake();
  }

  private async startDueSyncs(): Promise<void> {
    for (const { organizationId, id, config } of await this.datasources.dueForSync(SCHEDULE_BATCH))
      await this.datasources.syncDue(new TenantScope(organizationId), id, nextSyncAt(config['schedule'], id));
  }

  private async measure(): Promise<void> {
    this.metrics.backlog.reset();
    for (const { stage, state, runs } of await this.runs.backlog())
      this.metrics.backlog.set({ stage, state }, runs);
  }

  /** Removes what nothing refers to any more. */
  private async collect(): Promise<void> {
    const abandoned = await this.blobRows.abandoned(SWEEP_BATCH);
    const keys = abandoned.map((blob) => blob.key);
    if (keys.length > 0) {
      await this.blobStore.delete(keys);
      await this.blobRows.forget(keys);
    }
    await this.blobStore.sweep(ABANDONED_WRITE_MS);
    await this.idempotencyKeys.collect();
    await this.hostPaces.collect();
  }

  private failed(error: unknown): void {
    this.logger.warn({ err: error }, 'dispatching failed, goes on');
  }
}
