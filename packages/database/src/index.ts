export { createDataSource, type DatabaseOptions, openDatabase } from './database.js';
export * from './schema/entities.js';
export { migrate, schemaIsCurrent, UnknownSchemaError } from './schema/migrate.js';
export { GroupCommit } from './connection/group-commit.js';
export { togetherOrAlone } from './connection/together-or-alone.js';
export { isId, newId } from './connection/new-id.js';
export * from './answering/agent.repository.js';
export { type ArchivedFile, ArchiveRepository } from './content/archives/archive.repository.js';
export * from './tenancy/audit.repository.js';
export { BackupRepository, type BackupRow } from './operations/backup.repository.js';
export {
  BlobRepository,
  contentBlobKey,
  RUN_BLOB_KINDS,
  runBlobKey,
  type RunBlobKind,
  type WrittenBlob,
} from './content/blobs/blob.repository.js';
export { SmallBlobRepository } from './content/blobs/small-blob.repository.js';
export type { ConversationFilter } from './answering/conversation-filter.js';
export type { ConversationView } from './answering/conversation-view.js';
export * from './answering/conversation.repository.js';
export * from './answering/feedback.repository.js';
export * from './answering/resumable-answer.repository.js';
export * from './answering/shared-conversation.repository.js';
export { CrawlUrlRepository, type CrawledUrl } from './ingestion/crawling/crawl-url.repository.js';
export {
  DatasourceRepository,
  type WrittenView,
  type DatasourceChange,
  type DatasourceFilter,
} from './content/datasources/datasource.repository.js';
export { isGroup } from './ingestion/runs/site-and-archive-runs.js';
export type { NewDatasource } from './content/datasources/new-datasource.js';
export type { DatasourceView } from './content/datasources/datasource-view.js';
export { CrawlRepository } from './ingestion/crawling/crawl.repository.js';
export {
  type CrawlEnd,
  FinishCrawlRepository,
  keptBodyKey,
  type Pointer,
  type SkippedUrl,
  type UnconfirmedPage,
  type UnreadSource,
} from './ingestion/crawling/finish-crawl.repository.js';
export type {
  FoundUrl,
  FrontierUrl,
  RenewedBody,
  ServingPage,
  UrlOutcome,
} from './ingestion/crawling/url-outcome.js';
export * from './content/datastores/datastore.repository.js';
export { isLimited } from './content/readers/readable.js';
export {
  DatastoreReaderRepository,
  type DatastoreReaders,
  ReadersRefusal,
  type WantedReaders,
} from './content/readers/datastore-reader.repository.js';
export * from './operations/doctor.repository.js';
export { findRowProblems, ROW_PROBLEMS, STUCK_AFTER_SECONDS } from './operations/row-problems.js';
export { type ErasureReport, ErasureRepository } from './tenancy/erasure.repository.js';
export {
  EvaluationRepository,
  type EvaluationSummary,
  type RecordedOutcome,
} from './evaluation/evaluation.repository.js';
export * from './identity/people/group.repository.js';
export * from './http/idempotency.repository.js';
export {
  IdentityProviderRepository,
  type NewIdentityProvider,
  type OfferedProvider,
} from './identity/provider/identity-provider.repository.js';
export {
  type Admission,
  IdentityRepository,
  type ProviderClaims,
  type Refusal,
} from './identity/provider/identity.repository.js';
export {
  type GroupAttribute,
  type MemberChange,
  type ScimCondition,
  ScimRepository,
  type ScimUser,
  type ScimUserChange,
  type ScimUserFields,
  type UserAttribute,
} from './identity/scim/scim.repository.js';
export {
  type DueSession,
  ProviderSessionRepository,
} from './identity/provider/provider-session.repository.js';
export {
  AccountRepository,
  type AccountWithPasskey,
  type CheckedAccount,
  type LinkedPerson,
  MAX_ACCOUNTS_OF_EMAIL,
  type Membership,
  type Redemption,
} from './identity/sign-in/account.repository.js';
export * from './identity/sign-in/new-key.js';
export * from './tenancy/organization.repository.js';
export * from './identity/sign-in/passkey.repository.js';
export * from './identity/sign-in/password-reset.repository.js';
export * from './identity/people/person.repository.js';
export * from './identity/sign-in/session.repository.js';
export type { Page } from './connection/page.js';
export * from './ingestion/crawling/host-pace.repository.js';
export * from './content/datasources/passage.repository.js';
export * from './models/provider-pause.repository.js';
export * from './models/model-setting.repository.js';
export * from './ingestion/purging/purge.repository.js';
export { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from './ingestion/runs/dispatch-channels.js';
export type { Batch } from './ingestion/runs/form-batches.js';
export {
  type BatchRule,
  RunDispatchRepository,
  type StageCapacity,
} from './ingestion/runs/run-dispatch.repository.js';
export { LeaseLostError } from './ingestion/runs/lease.js';
export { WorkerRepository } from './operations/worker.repository.js';
export * from './ingestion/runs/run-lifecycle.repository.js';
export type { PageContent } from './ingestion/runs/page-content.js';
export type { LeasedRun } from './ingestion/runs/lease-batch.js';
export type { ReindexStage } from './ingestion/runs/start-run.js';
export { GroupRunRepository } from './ingestion/runs/group-run.repository.js';
export { SITE_PREVIEW_CHANNEL, SitePreviewRepository } from './ingestion/crawling/site-preview.repository.js';
export * from './identity/sign-in/token.repository.js';
export * from './tenancy/usage.repository.js';
export * from './tenancy/budget.repository.js';
export * from './tenancy/usage-record.repository.js';
export * from './interfaces/webhook.repository.js';
export {
  type AttemptOutcome,
  type ClaimedDelivery,
  WebhookDeliveryRepository,
} from './interfaces/webhook-delivery.repository.js';
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
export { RebuildRepository } from './ingestion/runs/rebuild.repository.js';
