import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn, UpdatedAt } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** A searchable collection of chunks. */
@Entity('datastores')
@Unique(['organizationId', 'id'])
export class DatastoreEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { default: 'qdrant' }) type!: string;
  @Column('text', { default: 'private' }) visibility!: string;
  /** Vector spaces that chunks of serving runs are in: one, and two while a change of model is carried through. */
  @Column('text', { array: true, default: '{}' }) spaces!: string[];
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  /** Set by DELETE; from then on nothing of it is visible, and the rest is purged in the background. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
