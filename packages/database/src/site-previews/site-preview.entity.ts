import type { SitePreview } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** A request to a crawler, and its answer. The API that asks deletes it after seconds. */
@Entity('site_previews')
@Index(['organizationId'])
export class SitePreviewEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('jsonb') config!: Record<string, unknown>;
  /** When a crawler began. */
  @InstantColumn({ nullable: true }) claimedAt!: Date | null;
  @Column('jsonb', { nullable: true }) result!: SitePreview | null;
  @CreatedAt() createdAt!: Date;
}
