export { createDataSource, type DatabaseOptions, openDatabase } from './database.js';
export * from './schema/entities.js';
export { migrate, schemaIsCurrent, UnknownSchemaError } from './schema/migrate.js';
export {
  isDatabaseDamaged,
  isDatabaseFull,
  isDatabaseUnavailable,
  isReferenceGone,
  isUnstorableText,
} from './connection/database-unavailable.js';
export { GroupCommit, togetherOrAlone } from './connection/group-commit.js';
export { listen, type Listener } from './connection/listen.js';
export { isId, newId } from './connection/new-id.js';
export type { Page } from './connection/page.js';
export type { Result } from './connection/result.js';
export { type CallingKey, type Reader, TenantScope } from './connection/tenant-scope.js';
export * from './identity/people/group.repository.js';
export * from './identity/people/person.repository.js';
export {
  IdentityProviderRepository,
  type NewIdentityProvider,
  type OfferedProvider,
} from './identity/provider/identity-provider.repository.js';
export {
  type Admission,
  IdentityRepository,
  type ProviderClaims,
} from './identity/provider/identity.repository.js';
export {
  type DueSession,
  ProviderSessionRepository,
} from './identity/provider/provider-session.repository.js';
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
  AccountRepository,
  type AccountWithPasskey,
  type CheckedAccount,
  type LinkedPerson,
  MAX_ACCOUNTS_OF_EMAIL,
  type Membership,
  type Redemption,
} from './identity/sign-in/account.repository.js';
export { type AuthenticatedKey, type PublishableKey, Revocations } from './identity/sign-in/credentials.js';
export * from './identity/sign-in/passkey.repository.js';
export * from './identity/sign-in/password-reset.repository.js';
export * from './identity/sign-in/session.repository.js';
export * from './identity/sign-in/token.repository.js';
export * from './tenancy/audit.repository.js';
export * from './tenancy/budget.repository.js';
export { type ErasureReport, ErasureRepository } from './tenancy/erasure.repository.js';
export * from './tenancy/organization.repository.js';
export * from './tenancy/usage-record.repository.js';
export * from './tenancy/usage.repository.js';
export { type ArchivedFile, ArchiveRepository } from './content/archives/archive.repository.js';
export {
  BlobRepository,
  contentBlobKey,
  recognizedPageKey,
  RUN_BLOB_KINDS,
  runBlobKey,
  type RunBlobKind,
  type WrittenBlob,
} from './content/blobs/blob.repository.js';
export { SmallBlobRepository } from './content/blobs/small-blob.repository.js';
export { DatasourceRepository, type WrittenView } from './content/datasources/datasource.repository.js';
export {
  DocumentChangeRepository,
  type DocumentChangeRow,
} from './content/changes/document-change.repository.js';
export * from './content/datasources/passage.repository.js';
export type { DatasourceFilter, DatasourceView } from './content/datasources/select-datasources.js';
export type { DatasourceChange, NewDatasource } from './content/datasources/upsert-plan.js';
export {
  type DatasourceCounts,
  type DatastoreFields,
  DatastoreRepository,
  type ProgressCounts,
} from './content/datastores/datastore.repository.js';
export {
  DatastoreReaderRepository,
  type DatastoreReaders,
  type ReadersRefusal,
  type WantedReaders,
} from './content/readers/datastore-reader.repository.js';
export { type CrawledUrl, CrawlUrlRepository } from './ingestion/crawling/crawl-url.repository.js';
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
export * from './ingestion/crawling/host-pace.repository.js';
export type {
  FoundUrl,
  FrontierUrl,
  RenewedBody,
  ServingPage,
  UrlOutcome,
} from './ingestion/crawling/outcome-writer.js';
export { SITE_PREVIEW_CHANNEL, SitePreviewRepository } from './ingestion/crawling/site-preview.repository.js';
export * from './ingestion/purging/purge.repository.js';
export { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from './ingestion/runs/dispatch.js';
export type { Batch } from './ingestion/runs/form-batches.js';
export { GroupRunRepository } from './ingestion/runs/group-run.repository.js';
export { type LeasedRun, LeaseLostError } from './ingestion/runs/lease.js';
export { RebuildRepository } from './ingestion/runs/rebuild.repository.js';
export {
  type BatchRule,
  RunDispatchRepository,
  type StageCapacity,
} from './ingestion/runs/run-dispatch.repository.js';
export { RunLifecycleRepository } from './ingestion/runs/run-lifecycle.repository.js';
export { isGroup } from './ingestion/runs/site-and-archive-runs.js';
export type { PageContent, ReindexStage } from './ingestion/runs/start-run.js';
export {
  SourceDocumentRepository,
  type SourceDocumentView,
} from './ingestion/sources/source-document.repository.js';
export type { DueDocument, FetchOutcome, ListedPage } from './ingestion/sources/source-documents.js';
export { SourceSecretRepository } from './ingestion/sources/source-secret.repository.js';
export { type MissingDocument, SourceSyncRepository } from './ingestion/sources/source-sync.repository.js';
export * from './answering/agent.repository.js';
export type { ConversationFilter, ConversationView } from './answering/conversation-view.js';
export * from './answering/conversation.repository.js';
export * from './answering/feedback.repository.js';
export {
  type DueGap,
  type EmbeddedQuestionRow,
  type GapFilter,
  type GapOwner,
  type GapQuestion,
  GapRepository,
  type GapRow,
  type NewQuestion,
} from './answering/gap.repository.js';
export * from './answering/resumable-answer.repository.js';
export * from './answering/shared-conversation.repository.js';
export * from './models/model-setting.repository.js';
export * from './models/picture-description.repository.js';
export * from './models/provider-pause.repository.js';
export {
  EvaluationRepository,
  type EvaluationSummary,
  type RecordedOutcome,
} from './evaluation/evaluation.repository.js';
export {
  type AttemptOutcome,
  type ClaimedDelivery,
  WebhookDeliveryRepository,
} from './interfaces/webhook-delivery.repository.js';
export * from './interfaces/webhook.repository.js';
export { BackupRepository, type BackupRow } from './operations/backup.repository.js';
export * from './operations/doctor.repository.js';
export { WorkerRepository } from './operations/worker.repository.js';
export * from './http/idempotency.repository.js';
/** Injected as it is; everything else of TypeORM stays in this package. */
export { DataSource } from 'typeorm';
