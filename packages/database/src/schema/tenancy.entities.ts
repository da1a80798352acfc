import {
  type AUDIT_ACTORS,
  type AUDIT_OUTCOMES,
  type BUDGET_MEASURES,
  type BUDGET_SUBJECTS,
  DEFAULT_AUDIT_RETENTION_DAYS,
  type USAGE_ACTORS,
} from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn } from './columns.js';

/** The tenant, which owns everything else. */
@Entity('organizations')
@Index('organizations_first', ['isFirst'], { unique: true, where: 'is_first' })
@Index('organizations_deleted', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
export class OrganizationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  /**
   * Created at the first start of the installation. The key and the limits of the configuration apply to it
   * alone.
   */
  @Column('boolean', { default: false }) isFirst!: boolean;
  /** Agent queries per month; null is no limit. */
  @CountColumn({ nullable: true }) limitAgentQueries!: number | null;
  /** Characters of canonical text that may be stored; null is no limit. */
  @CountColumn({ nullable: true }) limitStoredCharacters!: number | null;
  /** Characters of all serving runs, changed in the transaction that switches or deletes. */
  @CountColumn({ default: 0 }) storedCharacters!: number;
  /**
   * Owners read the conversations of people that began at this instant or later: people are told of it. Null: owners read
   * none.
   */
  @InstantColumn({ nullable: true }) ownersReadConversationsSince!: Date | null;
  /** When owners get the next mail of questions without an answer. Null: they get none. */
  @InstantColumn({ nullable: true }) gapMailDueAt!: Date | null;
  /** A datastore has, or has had, chosen readers. Stays true: documents of deleted datastores are cited. */
  @Column('boolean', { default: false }) hasChosenReaders!: boolean;
  /** Whether a source has ever named the readers of a document. */
  @Column('boolean', { default: false }) hasRestrictedDocuments!: boolean;
  /** Older audit events are removed. */
  @Column('int', { default: DEFAULT_AUDIT_RETENTION_DAYS }) auditRetentionDays!: number;
  @CreatedAt() createdAt!: Date;
  /** Set by DELETE: since then nothing of it is visible. The row is removed after everything that it owns. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}

/** What an organization has used in a month (UTC), `YYYY-MM`. */
@Entity('usage_counters')
export class UsageCounterEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  @PrimaryColumn('text') month!: string;
  @Column('int', { default: 0 }) agentQueries!: number;
  /** Of answers; see `UsageDayEntity`. */
  @CountColumn({ default: 0 }) inputTokens!: number;
  @CountColumn({ default: 0 }) outputTokens!: number;
  /** At the last agent query of the month; null in rows that an older release has written. */
  @CountColumn({ nullable: true }) storedCharacters!: number | null;
  /** The limit of agent queries that was reached in this month. A trigger records an event when it changes. */
  @CountColumn({ nullable: true }) reachedLimit!: number | null;
}

/** What somebody has used on one day (UTC), with one agent, one model and prices in one currency. */
@Entity('usage_days')
export class UsageDayEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  @PrimaryColumn('date') day!: string;
  @PrimaryColumn('text') actorKind!: (typeof USAGE_ACTORS)[number];
  /** Of a person or an API key, which may be gone. All zeros: the product itself. */
  @PrimaryColumn('uuid') actorId!: string;
  /** The agent may be gone. All zeros: a test of a model. */
  @PrimaryColumn('uuid') agentId!: string;
  /** Its name at the provider; empty without a model. */
  @PrimaryColumn('text') model!: string;
  /** Of the cost; empty if the model had no price. */
  @PrimaryColumn('text') currency!: string;
  @Column('int') questions!: number;
  @CountColumn() inputTokens!: number;
  @CountColumn() outputTokens!: number;
  /** Those of both that were counted here, because the provider did not report them. */
  @CountColumn() estimatedTokens!: number;
  /** Exact, as text. */
  @Column('numeric') cost!: string;
}

/** A question in progress, in an organization with budgets. The count of what it has used removes it. */
@Entity('usage_reservations')
@Index(['organizationId'])
export class UsageReservationEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Null: a key or an evaluation asks. */
  @IdColumn({ nullable: true }) personId!: string | null;
  @IdColumn() agentId!: string;
  /** A process that is killed leaves reservations behind. */
  @InstantColumn() expiresAt!: Date;
}

/** What an organization pays for a model. All its prices have one currency. */
@Entity('model_prices')
export class ModelPriceEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  /** Its name at the provider. */
  @PrimaryColumn('text') model!: string;
  @Column('text') currency!: string;
  /** For a million tokens. */
  @Column('numeric') inputPrice!: string;
  @Column('numeric') outputPrice!: string;
}

/** What may be used in a month (UTC). */
@Entity('budgets')
@Index(['organizationId'])
export class BudgetEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') subjectKind!: (typeof BUDGET_SUBJECTS)[number];
  /** Of the person or agent. Null: of the organization, or of each person or agent. */
  @IdColumn({ nullable: true }) subjectId!: string | null;
  @Column('text') measure!: (typeof BUDGET_MEASURES)[number];
  @Column('numeric') amount!: string;
  @Column('int') warnPercent!: number;
}

/** Who did what, from where. A trigger refuses to change a row. */
@Entity('audit_events')
@Index(['organizationId', 'at', 'id'])
export class AuditEventEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @InstantColumn({ default: () => 'clock_timestamp()' }) at!: Date;
  @Column('text') actorKind!: (typeof AUDIT_ACTORS)[number];
  /** Of a person or a key, which may be gone. */
  @IdColumn({ nullable: true }) actorId!: string | null;
  /** As it was then. */
  @Column('text', { nullable: true }) actorName!: string | null;
  @Column('text') action!: string;
  @Column('text', { nullable: true }) targetKind!: string | null;
  @Column('text', { nullable: true }) targetId!: string | null;
  @Column('text', { nullable: true }) targetName!: string | null;
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('text') outcome!: (typeof AUDIT_OUTCOMES)[number];
  @Column('jsonb', { default: {} }) details!: Record<string, unknown>;
}

/** How much an organization owns, by kind. */
export interface OwnedCounts {
  datastores: number;
  datasources: number;
  /** In the vector store. */
  chunks: number;
  /** Originals, fetched pages, and what was made of them. */
  blobs: number;
  agents: number;
  conversations: number;
  messages: number;
  evaluations: number;
  people: number;
  apiKeys: number;
  webhooks: number;
}

/** The deletion of an organization. The row stays as evidence: it has figures, and nothing else of the organization. */
@Entity('erasures')
@Index('erasures_in_progress', ['id'], { where: 'completed_at IS NULL' })
export class ErasureEntity {
  /** That of the organization. */
  @PrimaryColumn('uuid') id!: string;
  /** What there was when the deletion was requested. */
  @Column('jsonb') found!: OwnedCounts;
  @CreatedAt() createdAt!: Date;
  /** When nothing was left, neither rows nor vectors nor files. */
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
}
