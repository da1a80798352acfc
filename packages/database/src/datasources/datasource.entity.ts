import type { DatasourceError, DatasourceStatus, DatasourceType } from '@citewell/contracts/http';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn, UpdatedAt } from '../connection/columns.js';
import { DatastoreEntity } from '../datastores/datastore.entity.js';

/** One unit of content brought into a datastore: a file, a web page, a web site, or a text. */
@Entity('datasources')
@ForeignKey(() => DatastoreEntity, ['organizationId', 'datastoreId'], ['organizationId', 'id'])
@Unique(['organizationId', 'id'])
@Index(['organizationId', 'datastoreId', 'id'], { where: 'deleted_at IS NULL' })
@Index(['organizationId', 'groupId'], { where: 'group_id IS NOT NULL' })
@Index(['organizationId', 'datastoreId', 'customId'], { where: 'custom_id IS NOT NULL' })
@Index('datasources_to_sync', ['nextSyncAt'], {
  where: 'next_sync_at IS NOT NULL AND deleted_at IS NULL',
})
@Index('datasources_asked_to_sync', ['id'], { where: 'sync_asked AND deleted_at IS NULL' })
@Index(['servingRunId'], { where: 'serving_run_id IS NOT NULL' })
export class DatasourceEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datastoreId!: string;
  @Column('text') type!: DatasourceType;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) customId!: string | null;
  /** The web site that a page belongs to. */
  @IdColumn({ nullable: true }) groupId!: string | null;
  @Column('text', { default: 'unsynched' }) status!: DatasourceStatus;
  @Column('jsonb', { default: {} }) config!: Record<string, unknown>;
  @Column('jsonb', { nullable: true }) metadata!: Record<string, unknown> | null;
  @Column('text', { nullable: true }) mimeType!: string | null;
  /** Key of the original bytes of a file or text in the blob store; null for what is fetched. */
  @Column('text', { nullable: true }) contentKey!: string | null;
  /** The run whose chunks answer queries. Changing it is the switch. */
  @IdColumn({ nullable: true }) servingRunId!: string | null;
  @Column('jsonb', { nullable: true }) error!: DatasourceError | null;
  @InstantColumn({ nullable: true }) lastSynch!: Date | null;
  /** When its schedule has it brought up to date next; null if never. */
  @InstantColumn({ nullable: true }) nextSyncAt!: Date | null;
  /** Whether another run is to follow the one under way, which may have been where something has changed since. */
  @Column('boolean', { default: false }) syncAsked!: boolean;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  /** Set by DELETE; from then on nothing of it is visible, and the rest is purged in the background. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
