import type { WebhookDeliveryError, WebhookDeliveryState, WebhookEvent } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from './columns.js';
import { OrganizationEntity } from './tenancy.entities.js';

/** An endpoint of an organization that is told about events. */
@Entity('webhooks')
@Unique(['organizationId', 'id'])
export class WebhookEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') url!: string;
  @Column('text', { array: true }) events!: WebhookEvent[];
  /** The encrypted secret that signs messages. */
  @Column('text') sealedSecret!: string;
  /** The secret before the last rotation. It signs, too, until {@link previousUntil}. */
  @Column('text', { nullable: true }) previousSealedSecret!: string | null;
  @InstantColumn({ nullable: true }) previousUntil!: Date | null;
  /** The first failed attempt since the last delivery. */
  @InstantColumn({ nullable: true }) failingSince!: Date | null;
  /** Null unless the endpoint is disabled: then no event is recorded for it, and nothing is sent. */
  @Column('text', { nullable: true }) disabledReason!: 'request' | 'gone' | 'failing' | null;
  @CreatedAt() createdAt!: Date;
}

/**
 * A message to an endpoint. Triggers of the schema insert it in the transaction in which its event happens.
 */
@Entity('webhook_deliveries')
@ForeignKey(() => WebhookEntity, ['organizationId', 'webhookId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'webhookId', 'id'])
@Index('webhook_deliveries_leased', ['webhookId'], { where: 'leased_until IS NOT NULL' })
@Index('webhook_deliveries_due', ['webhookId', 'dueAt'], { where: `state = 'pending'` })
export class WebhookDeliveryEntity {
  /** A UUIDv7, the same for every attempt. */
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() webhookId!: string;
  @Column('text') type!: string;
  @Column('jsonb') data!: Record<string, unknown>;
  @Column('text', { default: 'pending' }) state!: WebhookDeliveryState;
  /** Attempts since the event, or since the last replay. */
  @Column('int', { default: 0 }) attempts!: number;
  /** When the next attempt is due. */
  @InstantColumn({ default: () => 'now()' }) dueAt!: Date;
  /** Until then, a process makes an attempt. */
  @InstantColumn({ nullable: true }) leasedUntil!: Date | null;
  @InstantColumn({ nullable: true }) lastAttemptAt!: Date | null;
  @Column('int', { nullable: true }) responseStatus!: number | null;
  @Column('text', { nullable: true }) error!: WebhookDeliveryError | null;
  @CreatedAt() createdAt!: Date;
}

/** An `Idempotency-Key` and the answer to its first request. Kept for a day. */
@Entity('idempotency_keys')
@Index(['createdAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  @PrimaryColumn('text') route!: string;
  @PrimaryColumn('text') key!: string;
  /** SHA-256 of the request's body. While the first request is in progress, the id of its reservation. */
  @Column('text', { nullable: true }) requestHash!: string | null;
  /** Null while the first request is in progress. */
  @Column('int', { nullable: true }) status!: number | null;
  @Column('jsonb', { nullable: true }) response!: unknown;
  @CreatedAt() createdAt!: Date;
}
