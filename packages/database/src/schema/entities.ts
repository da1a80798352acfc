import { AccountEntity } from '../organizations/account.entity.js';
import { AgentDatastoreEntity, AgentEntity } from '../agents/agent.entity.js';
import { AuditEventEntity } from '../audit/audit-event.entity.js';
import { ApiKeyEntity } from '../organizations/api-key.entity.js';
import { BlobEntity } from '../blobs/blob.entity.js';
import { ConversationEntity, MessageEntity } from '../conversations/conversation.entity.js';
import { CrawlEntity } from '../crawling/crawl.entity.js';
import { CrawlUrlEntity } from '../crawling/crawl-url.entity.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';
import { DatastoreReaderEntity } from '../datastores/datastore-reader.entity.js';
import { DatastoreEntity } from '../datastores/datastore.entity.js';
import { ErasureEntity } from '../erasures/erasure.entity.js';
import { EvaluationEntity, EvaluationOutcomeEntity } from '../evaluations/evaluation.entity.js';
import { GroupEntity, GroupMemberEntity } from '../groups/group.entity.js';
import {
  IdentityEntity,
  ProviderSessionEntity,
  ProviderSignInEntity,
} from '../identities/identity.entity.js';
import { IdentityProviderEntity } from '../identities/identity-provider.entity.js';
import { HostPaceEntity } from '../crawling/host-pace.entity.js';
import { IdempotencyKeyEntity } from '../idempotency/idempotency-key.entity.js';
import { ModelSettingEntity } from '../model-settings/model-setting.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { ProviderPauseEntity } from '../model-limits/provider-pause.entity.js';
import { PurgeEntity } from '../purging/purge.entity.js';
import { RunEntity } from '../runs/run.entity.js';
import { PasswordResetEntity } from '../organizations/password-reset.entity.js';
import { PasskeyChallengeEntity } from '../organizations/passkey-challenge.entity.js';
import { PasskeyEntity } from '../organizations/passkey.entity.js';
import { PersonEntity } from '../organizations/person.entity.js';
import { ScimUserEntity } from '../identities/scim-user.entity.js';
import { SessionEntity } from '../organizations/session.entity.js';
import { SitePreviewEntity } from '../site-previews/site-preview.entity.js';
import { SmallBlobEntity } from '../blobs/small-blob.entity.js';
import { UsageCounterEntity } from '../organizations/usage-counter.entity.js';
import { BudgetEntity } from '../usage/budget.entity.js';
import { ModelPriceEntity } from '../usage/model-price.entity.js';
import { UsageDayEntity } from '../usage/usage-day.entity.js';
import { UsageReservationEntity } from '../usage/usage-reservation.entity.js';
import { WebhookDeliveryEntity, WebhookEntity } from '../webhooks/webhook.entity.js';
import { EventLoopBlockEntity } from '../workers/event-loop-block.entity.js';
import { WorkerEntity } from '../workers/worker.entity.js';

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
  ErasureEntity,
  EvaluationEntity,
  EvaluationOutcomeEntity,
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
  ProviderPauseEntity,
  ProviderSessionEntity,
  ProviderSignInEntity,
  PurgeEntity,
  RunEntity,
  ScimUserEntity,
  SessionEntity,
  SitePreviewEntity,
  SmallBlobEntity,
  UsageCounterEntity,
  UsageDayEntity,
  UsageReservationEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
  EventLoopBlockEntity,
  WorkerEntity,
];

export * from '../organizations/account.entity.js';
export * from '../agents/agent.entity.js';
export * from '../organizations/api-key.entity.js';
export * from '../audit/audit-event.entity.js';
export * from '../blobs/blob.entity.js';
export * from '../blobs/small-blob.entity.js';
export * from '../conversations/conversation.entity.js';
export * from '../crawling/crawl.entity.js';
export * from '../crawling/crawl-url.entity.js';
export * from '../datasources/datasource.entity.js';
export * from '../datastores/datastore.entity.js';
export * from '../datastores/datastore-reader.entity.js';
export * from '../erasures/erasure.entity.js';
export * from '../evaluations/evaluation.entity.js';
export * from '../crawling/host-pace.entity.js';
export * from '../groups/group.entity.js';
export * from '../idempotency/idempotency-key.entity.js';
export * from '../identities/identity.entity.js';
export * from '../identities/identity-provider.entity.js';
export * from '../model-settings/model-setting.entity.js';
export * from '../organizations/organization.entity.js';
export * from '../model-limits/provider-pause.entity.js';
export * from '../purging/purge.entity.js';
export * from '../runs/run.entity.js';
export * from '../organizations/password-reset.entity.js';
export * from '../organizations/passkey.entity.js';
export * from '../organizations/passkey-challenge.entity.js';
export * from '../organizations/person.entity.js';
export * from '../identities/scim-user.entity.js';
export * from '../organizations/session.entity.js';
export * from '../site-previews/site-preview.entity.js';
export * from '../organizations/usage-counter.entity.js';
export * from '../usage/budget.entity.js';
export * from '../usage/model-price.entity.js';
export * from '../usage/usage-day.entity.js';
export * from '../webhooks/webhook.entity.js';
export * from '../workers/worker.entity.js';
