import type { AUDIT_ACTORS, AUDIT_OUTCOMES } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

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
