import { AgentDatastoreEntity, AgentEntity } from './agent.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { BlobEntity } from './blob.entity.js';
import { ConversationEntity, MessageEntity } from './conversation.entity.js';
import { CrawlUrlEntity } from './crawl-url.entity.js';
import { DatasourceEntity } from './datasource.entity.js';
import { DatastoreEntity } from './datastore.entity.js';
import { HostPaceEntity } from './host-pace.entity.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { OrganizationEntity } from './organization.entity.js';
import { ProviderPauseEntity } from './provider-pause.entity.js';
import { PurgeEntity } from './purge.entity.js';
import { RunEntity } from './run.entity.js';
import { UsageCounterEntity } from './usage-counter.entity.js';
import { WorkerEntity } from './worker.entity.js';

export const ENTITIES = [
  AgentDatastoreEntity,
  AgentEntity,
  ApiKeyEntity,
  BlobEntity,
  ConversationEntity,
  CrawlUrlEntity,
  DatasourceEntity,
  DatastoreEntity,
  HostPaceEntity,
  IdempotencyKeyEntity,
  MessageEntity,
  OrganizationEntity,
  ProviderPauseEntity,
  PurgeEntity,
  RunEntity,
  UsageCounterEntity,
  WorkerEntity,
];

export * from './agent.entity.js';
export * from './api-key.entity.js';
export * from './blob.entity.js';
export * from './conversation.entity.js';
export * from './crawl-url.entity.js';
export * from './datasource.entity.js';
export * from './datastore.entity.js';
export * from './host-pace.entity.js';
export * from './idempotency-key.entity.js';
export * from './organization.entity.js';
export * from './provider-pause.entity.js';
export * from './purge.entity.js';
export * from './run.entity.js';
export * from './usage-counter.entity.js';
export * from './worker.entity.js';
