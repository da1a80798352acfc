export { createDataSource, type DatabaseOptions, openDatabase } from './connection/database.js';
export * from './schema/entities.js';
export { migrate, schemaIsCurrent, UnknownSchemaError } from './schema/migrate.js';
export { GroupCommit } from './connection/group-commit.js';
export { togetherOrAlone } from './connection/together-or-alone.js';
export { isId, newId } from './connection/new-id.js';
export * from './agents/agent.repository.js';
export { type ArchivedFile, ArchiveRepository } from './archives/archive.repository.js';
export * from './audit/audit.repository.js';
export { BackupRepository, type BackupRow } from './backup/backup.repository.js';
export {
  BlobRepository,
  contentBlobKey,
  RUN_BLOB_KINDS,
  runBlobKey,
  type RunBlobKind,
  type WrittenBlob,
} from './blobs/blob.repository.js';
export { SmallBlobRepository } from './blobs/small-blob.repository.js';
export type { ConversationFilter } from './conversations/conversation-filter.js';
export type { ConversationView } from './conversations/conversation-view.js';
export * from './conversations/conversation.repository.js';
export * from './conversations/feedback.repository.js';
export * from './conversations/growing-answer.repository.js';
export * from './conversations/shared-conversation.repository.js';
export { CrawlUrlRepository, type CrawledUrl } from './crawling/crawl-url.repository.js';
export {
  DatasourceRepository,
  type WrittenView,
  type DatasourceChange,
  type DatasourceFilter,
} from './datasources/datasource.repository.js';
export { isGroup } from './runs/groups.js';
export type { NewDatasource } from './datasources/new-datasource.js';
export type { DatasourceView } from './datasources/datasource-view.js';
export { CrawlRepository } from './crawling/crawl.repository.js';
export {
  type CrawlEnd,
  FinishCrawlRepository,
  keptBodyKey,
  type Pointer,
  type SkippedUrl,
  type UnconfirmedPage,
  type UnreadSource,
} from './crawling/finish-crawl.repository.js';
export type { FoundUrl, FrontierUrl, RenewedBody, ServingPage, UrlOutcome } from './crawling/url-outcome.js';
export * from './datastores/datastore.repository.js';
export { isLimited } from './datastores/readable.js';
export {
  DatastoreReaderRepository,
  type DatastoreReaders,
  ReadersRefusal,
  type WantedReaders,
} from './datastores/datastore-reader.repository.js';
export * from './doctor/doctor.repository.js';
export { findRowProblems, ROW_PROBLEMS, STUCK_AFTER_SECONDS } from './doctor/row-problems.js';
export { type ErasureReport, ErasureRepository } from './erasures/erasure.repository.js';
export {
  EvaluationRepository,
  type EvaluationSummary,
  type RecordedOutcome,
} from './evaluations/evaluation.repository.js';
export * from './groups/group.repository.js';
export * from './idempotency/idempotency.repository.js';
export {
  IdentityProviderRepository,
  type NewIdentityProvider,
  type OfferedProvider,
} from './identities/identity-provider.repository.js';
export {
  type Admission,
  IdentityRepository,
  type ProviderClaims,
  type Refusal,
} from './identities/identity.repository.js';
export {
  type GroupAttribute,
  type MemberChange,
  type ScimCondition,
  ScimRepository,
  type ScimUser,
  type ScimUserChange,
  type ScimUserFields,
  type UserAttribute,
} from './identities/scim.repository.js';
export { type DueSession, ProviderSessionRepository } from './identities/provider-session.repository.js';
export * from './organizations/account.repository.js';
export * from './organizations/new-key.js';
export * from './organizations/organization.repository.js';
export * from './organizations/passkey.repository.js';
export * from './organizations/password-reset.repository.js';
export * from './organizations/person.repository.js';
export * from './organizations/session.repository.js';
export type { Page } from './connection/page.js';
export * from './crawling/host-pace.repository.js';
export * from './datasources/passage.repository.js';
export * from './model-limits/provider-pause.repository.js';
export * from './model-settings/model-setting.repository.js';
export * from './purging/purge.repository.js';
export { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from './runs/dispatch-channels.js';
export type { Batch } from './runs/form-batches.js';
export { type BatchRule, RunDispatchRepository, type StageCapacity } from './runs/run-dispatch.repository.js';
export { LeaseLostError } from './runs/lease.js';
export { WorkerRepository } from './workers/worker.repository.js';
export * from './runs/run-lifecycle.repository.js';
export type { PageContent } from './runs/page-content.js';
export type { LeasedRun } from './runs/lease-batch.js';
export type { ReindexStage } from './runs/start-run.js';
export { GroupRunRepository } from './runs/group-run.repository.js';
export { SITE_PREVIEW_CHANNEL, SitePreviewRepository } from './site-previews/site-preview.repository.js';
export * from './organizations/token.repository.js';
export * from './organizations/usage.repository.js';
export * from './usage/budget.repository.js';
export * from './usage/usage-record.repository.js';
export * from './webhooks/webhook.repository.js';
export {
  type AttemptOutcome,
  type ClaimedDelivery,
  WebhookDeliveryRepository,
} from './webhooks/webhook-delivery.repository.js';
export { type CallingKey, type Reader, TenantScope } from './connection/tenant-scope.js';
export { listen, type Listener } from './connection/listen.js';
export {
  isDatabaseDamaged,
  isDatabaseFull,
  isDatabaseUnavailable,
  isReferenceGone,
  isUnstorableText,
} from './connection/database-unavailable.js';
/** Injected as it is; everything else of TypeORM stays in this package. */
export { DataSource } from 'typeorm';
export { RebuildRepository } from './datasources/rebuild.repository.js';
