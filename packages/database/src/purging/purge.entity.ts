import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** What a purge removes: the retired runs of a datasource, a deleted datasource, or a deleted datastore. */
export type PurgeKind = 'runs' | 'datasource' | 'datastore';

/**
 * Something to remove from the vector store and the blob store: the runs of a datasource that no longer
 * serve, a deleted datasource, or a deleted datastore. The row is removed last.
 */
@Entity('purges')
@Index('purges_due', ['notBefore'])
@Index('purges_of_datastores', ['notBefore'], { where: `kind = 'datastore'` })
@Index('purges_of_a_target', ['targetId'])
@Index('purges_in_flight', ['batchId'], { where: 'batch_id IS NOT NULL' })
export class PurgeEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') kind!: PurgeKind;
  /** The datasource or datastore. */
  @IdColumn() targetId!: string;
  /**
   * Rounds begin with 1. A late writer may add points after the first round; the second one, a lease later,
   * finds them.
   */
  @Column('int', { default: 1 }) round!: number;
  /** The job that carries out this round. The purges of a job take one slot of a worker. Null until the round begins. */
  @IdColumn({ nullable: true }) batchId!: string | null;
  /** When the round is due: for the first time, or again because it has not ended in time. */
  @InstantColumn({ default: () => 'now()' }) notBefore!: Date;
  @CreatedAt() createdAt!: Date;
}
