import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

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
