import {
  AgentDatastoreEntity,
  AgentEntity,
  ConversationEntity,
  GapEntity,
  GapQuestionEntity,
  MessageEntity,
} from './answering.entities.js';
import {
  BlobEntity,
  DatasourceEntity,
  DatastoreEntity,
  DatastoreReaderEntity,
  DocumentChangeEntity,
  PictureDescriptionEntity,
  SmallBlobEntity,
} from './content.entities.js';
import { EvaluationEntity, EvaluationOutcomeEntity } from './evaluation.entities.js';
import {
  AccountEntity,
  ApiKeyEntity,
  GroupEntity,
  GroupMemberEntity,
  IdentityEntity,
  IdentityProviderEntity,
  PasskeyChallengeEntity,
  PasskeyEntity,
  PasswordResetEntity,
  PersonEntity,
  ProviderSessionEntity,
  ProviderSignInEntity,
  ScimUserEntity,
  SessionEntity,
} from './identity.entities.js';
import {
  CrawlEntity,
  CrawlUrlEntity,
  HostPaceEntity,
  PurgeEntity,
  RunEntity,
  SitePreviewEntity,
  SourceDocumentEntity,
  SourceGroupEntity,
  SourceSyncEntity,
} from './ingestion.entities.js';
import { IdempotencyKeyEntity, WebhookDeliveryEntity, WebhookEntity } from './interfaces.entities.js';
import { ModelSettingEntity, ProviderPauseEntity } from './models.entities.js';
import { EventLoopBlockEntity, WorkerEntity } from './operations.entities.js';
import {
  AuditEventEntity,
  BudgetEntity,
  ErasureEntity,
  ModelPriceEntity,
  OrganizationEntity,
  UsageCounterEntity,
  UsageDayEntity,
  UsageReservationEntity,
} from './tenancy.entities.js';

export const ENTITIES = [
  AccountEntity,
  AgentDatastoreEntity,
  AgentEntity,
  ApiKeyEntity,
  AuditEventEntity,
  BlobEntity,
  BudgetEntity,
  ConversationEntity,
  CrawlEntity,
  CrawlUrlEntity,
  DatasourceEntity,
  DatastoreEntity,
  DatastoreReaderEntity,
  DocumentChangeEntity,
  ErasureEntity,
  EvaluationEntity,
  EvaluationOutcomeEntity,
  GapEntity,
  GapQuestionEntity,
  GroupEntity,
  GroupMemberEntity,
  HostPaceEntity,
  IdempotencyKeyEntity,
  IdentityEntity,
  IdentityProviderEntity,
  MessageEntity,
  ModelPriceEntity,
  ModelSettingEntity,
  OrganizationEntity,
  PasskeyChallengeEntity,
  PasskeyEntity,
  PasswordResetEntity,
  PersonEntity,
  PictureDescriptionEntity,
  ProviderPauseEntity,
  ProviderSessionEntity,
  ProviderSignInEntity,
  PurgeEntity,
  RunEntity,
  ScimUserEntity,
  SessionEntity,
  SitePreviewEntity,
  SmallBlobEntity,
  SourceDocumentEntity,
  SourceGroupEntity,
  SourceSyncEntity,
  UsageCounterEntity,
  UsageDayEntity,
  UsageReservationEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
  EventLoopBlockEntity,
  WorkerEntity,
];

export * from './identity.entities.js';
export * from './answering.entities.js';
export * from './tenancy.entities.js';
export * from './content.entities.js';
export * from './ingestion.entities.js';
export * from './evaluation.entities.js';
export * from './interfaces.entities.js';
export * from './models.entities.js';
export * from './operations.entities.js';
