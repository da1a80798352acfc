import type { BlobStore } from '@citewell/blob-store';
import { STAGES } from '@citewell/contracts/schemas';
import {
  AuditRepository,
  BlobRepository,
  ConversationRepository,
  DatasourceRepository,
  DocumentChangeRepository,
  HostPaceRepository,
  IdempotencyRepository,
  RunDispatchRepository,
  RunLifecycleRepository,
  SessionRepository,
  SourceSyncRepository,
  WebhookDeliveryRepository,
  WorkerRepository,
} from '@citewell/database';
import { BLOB_STORE, LOGGER, SPACES, type Spaces } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import { Inject, Injectable, type Provider } from '@nestjs/common';
import { GapCheck } from '../../answering/gaps/gap-check.task.js';
import { GapGrouping } from '../../answering/gaps/gap-grouping.task.js';
import { WeeklyGapMail } from '../../answering/gaps/gap-mails.service.js';
import { IndexRecovery } from '../../answering/search/index-recovery.service.js';
import { MAINTENANCE_TASKS, type MaintenanceTask } from '../../background/maintenance-task.js';
import { Dispatcher, DueWork, PurgeDelivery, RunDelivery, ScheduledSyncs } from './dispatcher.service.js';

/** Rows removed by one statement. */
const CONVERSATION_BATCH = 200;
const AUDIT_EVENT_BATCH = 5_000;
const CHANGE_BATCH = 2_000;
const HIDDEN_BATCH = 500;

/** Limit per execution: the process may have to stop. */
const MAX_RETENTION_BATCHES = 50;

/**
 * Removes conversations that are older than the retention of their agent, audit events older than that of their organization,
 * changes of documents that are older than 90 days, and documents that their source has not listed for 30 days.
 */
@Injectable()
export class RetentionTask implements MaintenanceTask {
  readonly intervalMs = 5 * 60_000;

  constructor(
    @Inject(ConversationRepository)
    private readonly conversations: Pick<ConversationRepository, 'removeExpired'>,
    @Inject(AuditRepository) private readonly events: Pick<AuditRepository, 'removeExpired'>,
    @Inject(DocumentChangeRepository)
    private readonly changes: Pick<DocumentChangeRepository, 'removeExpired'>,
    @Inject(SourceSyncRepository) private readonly sources: Pick<SourceSyncRepository, 'removeExpired'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  async run(): Promise<void> {
    const conversations = await removeAllExpired(this.conversations, CONVERSATION_BATCH);
    if (conversations > 0) this.logger.info({ conversations }, 'expired conversations were removed');
    const events = await removeAllExpired(this.events, AUDIT_EVENT_BATCH);
    if (events > 0) this.logger.info({ events }, 'expired audit events were removed');
    const changes = await removeAllExpired(this.changes, CHANGE_BATCH);
    if (changes > 0) this.logger.info({ changes }, 'expired changes of documents were removed');
    const documents = await removeAllExpired(this.sources, HIDDEN_BATCH);
    if (documents > 0) this.logger.info({ documents }, 'documents that are not listed any more were removed');
  }
}

/** Blobs deleted per execution. */
const BLOB_BATCH = 500;

/** Age in ms at which an unfinished write of the blob store counts as abandoned. */
const ABANDONED_WRITE_MS = 24 * 60 * 60_000;

/** Removes abandoned blobs, unfinished writes, expired idempotency keys, expired sessions and sign-ins, outdated host paces and old webhook deliveries. */
@Injectable()
class GarbageCollectionTask implements MaintenanceTask {
  readonly intervalMs = 10 * 60_000;

  constructor(
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(IdempotencyRepository) private readonly idempotencyKeys: IdempotencyRepository,
    @Inject(HostPaceRepository) private readonly hostPaces: HostPaceRepository,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(WebhookDeliveryRepository) private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  async run(): Promise<void> {
    await this.deleteAbandonedBlobs();
    await this.blobStore.sweep(ABANDONED_WRITE_MS);
    await this.idempotencyKeys.collect();
    await this.hostPaces.collect();
    await this.sessions.collect();
    await this.deliveries.collect();
  }

  private async deleteAbandonedBlobs(): Promise<void> {
    const keys = (await this.blobRows.abandoned(BLOB_BATCH)).map((blob) => blob.key);
    if (keys.length === 0) return;
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }
}

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

/** Expired leases processed per execution. */
const LEASE_BATCH = 500;

/** Recovers runs whose worker died, and runs whose job was lost on the way to a worker. */
@Injectable()
class LostRunsTask implements MaintenanceTask {
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

/** Datasources re-indexed per execution. */
const REINDEX_BATCH = 1_000;

/**
 * Starts a reindex of every datasource whose index was built with another embedding model or analyzer version.
 */
@Injectable()
class ReindexTask implements MaintenanceTask {
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

const TASKS = [LostRunsTask, ReindexTask, RetentionTask, RunMetricsTask, GarbageCollectionTask];
/** Tasks of the module that answers questions. */
const SHARED_TASKS = [IndexRecovery, GapGrouping, GapCheck, WeeklyGapMail];

/** The dispatcher and everything it runs. */
export const DISPATCHER_PROVIDERS: readonly Provider[] = [
  Dispatcher,
  DueWork,
  PurgeDelivery,
  RunDelivery,
  ScheduledSyncs,
  ...TASKS,
  {
    provide: MAINTENANCE_TASKS,
    useFactory: (...tasks: MaintenanceTask[]) => tasks,
    inject: [...TASKS, ...SHARED_TASKS],
  },
];

interface Expiring {
  removeExpired(limit: number): Promise<number>;
}

/** @returns how many were removed */
async function removeAllExpired(rows: Expiring, batchSize: number): Promise<number> {
  let all = 0;
  for (let batch = 0; batch < MAX_RETENTION_BATCHES; batch += 1) {
    const removed = await rows.removeExpired(batchSize);
    all += removed;
    if (removed < batchSize) break;
  }
  return all;
}
