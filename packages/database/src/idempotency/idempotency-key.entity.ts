import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

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
