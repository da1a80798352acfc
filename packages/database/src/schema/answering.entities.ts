import type { AnswerSentence, FinishReason, Source } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn, UpdatedAt } from './columns.js';
import { DatastoreEntity } from './content.entities.js';
import { PersonEntity } from './identity.entities.js';
import { OrganizationEntity } from './tenancy.entities.js';

/** Answers questions with a language model over its datastores. */
@Entity('agents')
@Unique(['organizationId', 'id'])
@Index('agents_of_all_datastores', ['organizationId'], { unique: true, where: 'all_datastores' })
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
  /** It searches every datastore that the reader may read, later ones too, instead of the chosen ones. */
  @Column('bool', { default: false }) allDatastores!: boolean;
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

/** A thread of messages with one agent. Clients may choose its id, so that it has two. */
@Entity('conversations')
@ForeignKey(() => AgentEntity, ['organizationId', 'agentId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => PersonEntity, ['personId'], ['id'], { onDelete: 'CASCADE' })
@Unique(['organizationId', 'agentId', 'externalId'])
@Unique(['organizationId', 'id'])
@Index('conversations_of_person', ['personId', 'agentId', 'personalId'], {
  unique: true,
  where: 'person_id IS NOT NULL',
})
@Index('conversations_shared', ['shareId'], { unique: true, where: 'share_id IS NOT NULL' })
@Index('conversations_of_key', ['apiKeyId', 'id'], { where: 'api_key_id IS NOT NULL' })
@Index('conversations_latest_of_person', ['personId', 'updatedAt'], { where: 'person_id IS NOT NULL' })
@Index(['organizationId', 'externalId'])
@Index(['organizationId', 'visitorId'])
@Index('conversations_expiring', ['organizationId', 'agentId', 'updatedAt'])
export class ConversationEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() agentId!: string;
  /** The person whose conversation this is. Null: it was begun with an API key. */
  @IdColumn({ nullable: true }) personId!: string | null;
  /**
   * The API key or token that began the conversation, which may have been removed since. Null: a session of a person, or a
   * conversation from before this was stored.
   */
  @IdColumn({ nullable: true }) apiKeyId!: string | null;
  /** The id that clients use, but the person. */
  @Column('text') externalId!: string;
  /** The id that the person uses: two people may choose the same one. Null without a person. */
  @Column('text', { nullable: true }) personalId!: string | null;
  /** Chosen by the person. Null: the first question. */
  @Column('text', { nullable: true }) title!: string | null;
  @Column('text') visitorId!: string;
  /** SHA-256, hex, of the token with which the visitor of a web page continues the conversation. Null: nobody does. */
  @Column('text', { nullable: true }) visitorTokenHash!: string | null;
  /** In the link with which others of the organization read the conversation. Null: it is not shared. */
  @IdColumn({ nullable: true }) shareId!: string | null;
  /** Later messages are not part of what is shared. */
  @InstantColumn({ nullable: true }) sharedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  /** When the last question was asked or answered. */
  @UpdatedAt() updatedAt!: Date;
}

/** Whether an answer is being written, or how it ended. Questions are complete. */
export type MessageState = 'answering' | 'complete' | 'stopped' | 'failed';

/** One message. It is stored with its quotes, so that an old conversation stays readable. */
@Entity('messages')
@ForeignKey(() => ConversationEntity, ['organizationId', 'conversationId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'conversationId', 'id'])
@Index('messages_abstained', ['organizationId', 'conversationId'], { where: 'abstained' })
@Index('messages_rated', ['organizationId', 'rating', 'conversationId'], { where: 'rating IS NOT NULL' })
export class MessageEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() conversationId!: string;
  @Column('text') author!: 'human' | 'agent';
  @Column('text') text!: string;
  @Column('jsonb', { default: [] }) sources!: Source[];
  @Column('bool', { default: false }) abstained!: boolean;
  /** Why the answer ended. Null: a question, or an answer from before this was stored. */
  @Column('text', { nullable: true }) finishReason!: FinishReason | null;
  /** What supports the sentences of the answer. Null: it was not compared with passages, or before this was stored. */
  @Column('jsonb', { nullable: true }) sentences!: AnswerSentence[] | null;
  @Column('text', { nullable: true }) rating!: 'good' | 'bad' | null;
  @Column('text', { nullable: true }) comment!: string | null;
  @Column('text', { default: 'complete' }) state!: MessageState;
  /** When the process that writes the answer last stored it. Null unless the state is `answering`. */
  @InstantColumn({ nullable: true }) heartbeatAt!: Date | null;
  /** Asks the process that writes the answer to stop it. */
  @Column('bool', { default: false }) stopRequested!: boolean;
  /** Why the answer failed; null if its process ended. */
  @Column('jsonb', { nullable: true }) error!: { code: string; message: string } | null;
  @CreatedAt() createdAt!: Date;
}

/** Questions without an answer on one subject; see `docs/missing.md`. It has no text: the questions are those of messages. */
@Entity('gaps')
@ForeignKey(() => PersonEntity, ['markedBy'], ['id'], { onDelete: 'SET NULL' })
@Unique(['organizationId', 'id'])
@Index('gaps_latest', ['organizationId', 'lastAskedAt'])
export class GapEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @InstantColumn() lastAskedAt!: Date;
  /** When somebody marked it as answered. A later question opens it again. */
  @InstantColumn({ nullable: true }) markedAt!: Date | null;
  /** Null: an API key marked it, or the person is gone. */
  @IdColumn({ nullable: true }) markedBy!: string | null;
  /** When a process began to ask the last question again. */
  @InstantColumn({ nullable: true }) claimedAt!: Date | null;
  /** The claim after which the last question was asked again: content that is newer has not been searched. */
  @InstantColumn({ nullable: true }) checkedAt!: Date | null;
  /** When a passage that answers was found. A later question opens it again. */
  @InstantColumn({ nullable: true }) answeredAt!: Date | null;
  /** The datasource of that passage, which may be gone. */
  @IdColumn({ nullable: true }) datasourceId!: string | null;
  @CreatedAt() createdAt!: Date;
}

/** A question without an answer. A trigger adds the row with the answer. The row goes with the conversation. */
@Entity('gap_questions')
@ForeignKey(() => MessageEntity, ['answerId'], ['id'], { onDelete: 'CASCADE' })
@ForeignKey(() => GapEntity, ['organizationId', 'gapId'], ['organizationId', 'id'], { onDelete: 'CASCADE' })
@Index(['organizationId', 'gapId', 'answerId'])
@Index('gap_questions_new', ['organizationId', 'answerId'], { where: 'gap_id IS NULL' })
export class GapQuestionEntity {
  @PrimaryColumn('uuid') answerId!: string;
  @IdColumn() organizationId!: string;
  /** Null: the question has not been compared with others yet. */
  @IdColumn({ nullable: true }) gapId!: string | null;
  /** The space of the vector. */
  @Column('text', { nullable: true }) space!: string | null;
  /** Of the question, as 32-bit floats. Null: it is compared by words. */
  @Column('bytea', { nullable: true }) vector!: Buffer | null;
}
