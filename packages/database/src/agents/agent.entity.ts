import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, UpdatedAt } from '../connection/columns.js';
import { DatastoreEntity } from '../datastores/datastore.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** Answers questions with a language model over its datastores. */
@Entity('agents')
@Unique(['organizationId', 'id'])
export class AgentEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { default: 'gpt_3_5_turbo' }) modelName!: string;
  @Column('float8', { default: 0 }) temperature!: number;
  @Column('text', { default: 'private' }) visibility!: string;
  @Column('text', { default: '' }) systemPrompt!: string;
  @Column('text', { default: '' }) userPrompt!: string;
  @Column('text', { default: '' }) promptType!: string;
  @Column('text', { default: '' }) promptTemplate!: string;
  @Column('bool', { default: true }) restrictToSources!: boolean;
  /** Passages searched for an answer. */
  @Column('int', { default: 12 }) topK!: number;
  /** The least relevance of a passage that an answer may be based on. The default is `RELEVANT` of `@citewell/retrieval`. */
  @Column('float8', { default: 0.5 }) minScore!: number;
  /** `mark` or `quote`: what happens to an answer with a sentence that no passage supports. */
  @Column('text', { default: 'mark' }) onUnsupported!: string;
  /** Days after its last message for which a conversation is kept; null is for ever. */
  @Column('int', { nullable: true }) retentionDays!: number | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}

/** A datastore that an agent searches. */
@Entity('agent_datastores')
@ForeignKey(() => AgentEntity, ['organizationId', 'agentId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => DatastoreEntity, ['organizationId', 'datastoreId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'datastoreId'])
export class AgentDatastoreEntity {
  @PrimaryColumn('uuid') organizationId!: string;
  @PrimaryColumn('uuid') agentId!: string;
  @PrimaryColumn('uuid') datastoreId!: string;
  @Column('int') position!: number;
}
