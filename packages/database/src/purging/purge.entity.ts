import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** What a purge takes away: runs of a datasource that no longer serve, or all of what was deleted. */
export type PurgeKind = 'runs' | 'datasource' | 'datastore';

/**
 * Something that has to go from the vector store and the blob store: the runs of a datasource that no longer
 * serve, a deleted datasource, or a deleted datastore. The row goes last.
 */
@Entity('purges')
@Index('purges_due', ['notBefore'])
@Index('purges_of_datastores', ['notBefore'], { where: `kind = 'datastore'` })
@Index('purges_of_a_target', ['targetId'])
@Index('purges_in_flight', ['notBefore'], { where: 'attempts > 0' })
export class PurgeEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') kind!: PurgeKind;
  /** The datasource or datastore. */
  @IdColumn() targetId!: string;
  /** A late writer may add points after the first round; a second round one lease later finds those. */
  @Column('int', { default: 1 }) round!: number;
  /** How often this round was claimed. */
  @Column('int', { default: 0 }) attempts!: number;
  @InstantColumn({ default: () => 'now()' }) notBefore!: Date;
  @CreatedAt() createdAt!: Date;
}
