export { createDataSource, type DatabaseOptions } from './connection/database.js';
export * from './schema/entities.js';
export { migrate, schemaIsCurrent } from './schema/migrate.js';
export { isId, newId } from './connection/new-id.js';
export * from './agents/agent.repository.js';
export {
  BlobRepository,
  contentBlobKey,
  RUN_BLOB_KINDS,
  runBlobKey,
  type RunBlobKind,
  type WrittenBlob,
} from './blobs/blob.repository.js';
export * from './conversations/conversation.repository.js';
export {
  DatasourceRepository,
  type DatasourceFilter,
  type DatasourceView,
  type NewDatasource,
} from './datasources/datasource.repository.js';
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
} from './crawling/crawl.repository.js';
export * from './datastores/datastore.repository.js';
export * from './doctor/doctor.repository.js';
export * from './idempotency/idempotency.repository.js';
export * from './organizations/organization.repository.js';
export * from './connection/page.js';
export * from './crawling/host-pace.repository.js';
export * from './datasources/passage.repository.js';
export * from './model-limits/provider-pause.repository.js';
export * from './purging/purge.repository.js';
export { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from './runs/dispatch-channels.js';
export { CRASH_LIMIT, RunDispatchRepository, type ClaimedRun } from './runs/run-dispatch.repository.js';
export { LeaseLostError } from './runs/lease.js';
export * from './runs/run-lifecycle.repository.js';
export {
  type PageContent,
  type PageDocument,
  POINTING,
  type RenewedBytes,
  type Settlement,
  type Settled,
} from './crawling/settlement.js';
export { BELIEVED_AFTER_MS, leastOfMany } from './crawling/doubt.js';
export type { AlongLimits, LeasedRun } from './runs/take-runs.js';
export { SiteRepository } from './crawling/site.repository.js';
export * from './organizations/usage.repository.js';
export { TenantScope } from './connection/tenant-scope.js';
export { listen, type Listener, type ListenerCallbacks } from './connection/listen.js';
export {
  isDatabaseUnavailable,
  isReferenceGone,
  isUnstorableText,
} from './connection/database-unavailable.js';
/** Injected as it is; everything else of TypeORM stays in this package. */
export { DataSource } from 'typeorm';
