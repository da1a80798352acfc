import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn, UpdatedAt } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** Who may read a datastore. */
export type DatastoreReading = 'everyone' | 'chosen';

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
  /** `everyone` of the organization, or `chosen` people and groups: see `readable`. */
  @Column('text', { default: 'everyone' }) readers!: DatastoreReading;
  /** Vector spaces of the serving runs: one, or two while a change of the embedding model is carried out. */
  @Column('text', { array: true, default: '{}' }) spaces!: string[];
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  /** Set by DELETE: since then nothing of it is visible, and its content is purged in the background. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
