import type { DatasourceError, DatasourceStatus, DatasourceType } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn, UpdatedAt } from '../connection/columns.js';
import { DatastoreEntity } from '../datastores/datastore.entity.js';

/** A sync that begins when the unfinished run has ended; `remove-missing`: its run has `removeMissing`. */
export type RequestedSync = 'sync' | 'remove-missing';

/** One unit of content of a datastore: a file, a web page, a web site, or a text. */
@Entity('datasources')
@ForeignKey(() => DatastoreEntity, ['organizationId', 'datastoreId'], ['organizationId', 'id'])
@Unique(['organizationId', 'id'])
@Index(['organizationId', 'datastoreId', 'id'], { where: 'deleted_at IS NULL' })
@Index('datasources_by_status', ['organizationId', 'datastoreId', 'status', 'lastSynch'], {
  where: 'deleted_at IS NULL',
})
@Index(['organizationId', 'groupId'], { where: 'group_id IS NOT NULL' })
@Index(['organizationId', 'datastoreId', 'customId'], { where: 'custom_id IS NOT NULL' })
@Index('files_by_name', ['organizationId', 'datastoreId', 'name'], {
  where: "type = 'file' AND group_id IS NULL AND deleted_at IS NULL",
})
@Index('datasources_to_sync', ['nextSyncAt'], {
  where: 'next_sync_at IS NOT NULL AND deleted_at IS NULL',
})
@Index('datasources_requested_to_sync', ['id'], {
  where: 'requested_sync IS NOT NULL AND deleted_at IS NULL',
})
@Index(['servingRunId'], { where: 'serving_run_id IS NOT NULL' })
export class DatasourceEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datastoreId!: string;
  @Column('text') type!: DatasourceType;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) customId!: string | null;
  /** The web site or archive that a page or file belongs to. */
  @IdColumn({ nullable: true }) groupId!: string | null;
  @Column('text', { default: 'unsynched' }) status!: DatasourceStatus;
  @Column('jsonb', { default: {} }) config!: Record<string, unknown>;
  @Column('jsonb', { nullable: true }) metadata!: Record<string, unknown> | null;
  @Column('text', { nullable: true }) mimeType!: string | null;
  /** Key of the blob with the original bytes of a file or text; null for web pages and sites. */
  @Column('text', { nullable: true }) contentKey!: string | null;
  /** The run whose chunks answer queries. The switch changes it. */
  @IdColumn({ nullable: true }) servingRunId!: string | null;
  /**
   * The run of the last reindex, whose points are kept while a run of another space serves: the next reindex copies the
   * vectors of chunks that have not changed.
   */
  @IdColumn({ nullable: true }) reindexedRunId!: string | null;
  @Column('jsonb', { nullable: true }) error!: DatasourceError | null;
  @InstantColumn({ nullable: true }) lastSynch!: Date | null;
  /** The next time of its schedule; null for never. */
  @InstantColumn({ nullable: true }) nextSyncAt!: Date | null;
  /** Requests another run after the unfinished one, which may have read the source before a change. */
  @Column('text', { nullable: true }) requestedSync!: RequestedSync | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  /** Set by DELETE: since then nothing of it is visible, and its content is purged in the background. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
