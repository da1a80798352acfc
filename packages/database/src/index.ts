export { createDataSource, type DatabaseOptions } from './database.js';
export * from './entities/index.js';
export { migrate, schemaIsCurrent } from './migrate.js';
export { isId, newId } from './new-id.js';
export * from './repositories/agent.repository.js';
export {
  BlobRepository,
  contentBlobKey,
  RUN_BLOB_KINDS,
  runBlobKey,
  type RunBlobKind,
  type WrittenBlob,
} from './repositories/blob.repository.js';
export * from './repositories/conversation.repository.js';
export {
  DatasourceRepository,
  type DatasourceFilter,
  type DatasourceView,
  type NewDatasource,
} from './repositories/datasource.repository.js';
export {
  CrawlRepository,
  type CrawlCounts,
  type CrawlDecision,
  type FoundUrl,
  type FrontierUrl,
  type LeftOut,
  type LostUrl,
  MAX_DECISIONS,
  type UnreadUrl,
} from './repositories/crawl.repository.js';
export * from './repositories/datastore.repository.js';
export * from './repositories/doctor.repository.js';
export * from './repositories/idempotency.repository.js';
export * from './repositories/organization.repository.js';
export * from './repositories/page.js';
export * from './repositories/host-pace.repository.js';
export * from './repositories/passage.repository.js';
export * from './repositories/provider-pause.repository.js';
export * from './repositories/purge.repository.js';
export { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from './repositories/dispatch-channels.js';
export {
  CRASH_LIMIT,
  RunDispatchRepository,
  type ClaimedRun,
} from './repositories/run-dispatch.repository.js';
export { LeaseLostError } from './repositories/lease.js';
export * from './repositories/run-lifecycle.repository.js';
export {
  type PageContent,
  type PageDocument,
  POINTING,
  type RenewedBytes,
  type Settlement,
  type Settled,
} from './repositories/settlement.js';
export { BELIEVED_AFTER_MS, leastOfMany } from './repositories/doubt.js';
export type { AlongLimits, LeasedRun } from './repositories/take-runs.js';
export { SiteRepository } from './repositories/site.repository.js';
export * from './repositories/usage.repository.js';
export { TenantScope } from './tenant-scope.js';
export { listen, type Listener, type ListenerCallbacks } from './listen.js';
export { isDatabaseUnavailable, isReferenceGone, isUnstorableText } from './database-unavailable.js';
/** Injected as it is; everything else of TypeORM stays in this package. */
export { DataSource } from 'typeorm';
