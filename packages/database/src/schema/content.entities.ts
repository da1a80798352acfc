import type { DatasourceError, DatasourceStatus, DatasourceType } from '@citewell/contracts/schemas';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn, UpdatedAt } from './columns.js';
import { GroupEntity, PersonEntity } from './identity.entities.js';
import { OrganizationEntity } from './tenancy.entities.js';

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

/** A person or a group of people who may read a datastore whose readers are chosen. */
@Entity('datastore_readers')
@ForeignKey(() => DatastoreEntity, ['organizationId', 'datastoreId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => PersonEntity, ['organizationId', 'personId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => GroupEntity, ['organizationId', 'groupId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Unique(['datastoreId', 'personId'])
@Unique(['datastoreId', 'groupId'])
@Index(['organizationId', 'personId', 'datastoreId'])
@Index(['organizationId', 'groupId', 'datastoreId'])
@Check('datastore_readers_one', 'num_nonnulls(person_id, group_id) = 1')
export class DatastoreReaderEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datastoreId!: string;
  /** Null: the reader is a group. */
  @Column('uuid', { nullable: true }) personId!: string | null;
  /** Null: the reader is a person. */
  @Column('uuid', { nullable: true }) groupId!: string | null;
}

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
@Index('datasources_hidden', ['hiddenAt'], { where: 'hidden_at IS NOT NULL AND deleted_at IS NULL' })
@Index(['servingRunId'], { where: 'serving_run_id IS NOT NULL' })
export class DatasourceEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datastoreId!: string;
  @Column('text') type!: DatasourceType;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) customId!: string | null;
  /** The web site, archive or source that a page or file belongs to. */
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
  /**
   * Since when its source no longer lists it: nothing of it is visible, and it is deleted after a while. Null again when
   * the source lists it again.
   */
  @InstantColumn({ nullable: true }) hiddenAt!: Date | null;
  /**
   * Principals that may read it, besides that they read its datastore; null for no such limit. It is the meet of what the
   * source says of the text that serves and of the newest text: see `source-access.ts`.
   */
  @Column('text', { array: true, nullable: true }) access!: string[] | null;
  /** Of a source: its secrets by name, encrypted. */
  @Column('jsonb', { nullable: true }) sealedSecrets!: Record<string, string> | null;
  /** Set by DELETE: since then nothing of it is visible, and its content is purged in the background. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}

/**
 * A blob of the blob store. The row is inserted before the first byte is written, so that no blob is ever
 * lost track of.
 */
@Entity('blobs')
@Index(['organizationId', 'datasourceId'])
@Index('blobs_of_uploads', ['organizationId', 'sha256'], { where: 'run_id IS NULL AND sha256 IS NOT NULL' })
@Index('blobs_of_timeouts', ['organizationId', 'sha256'], { where: 'timed_out IS NOT NULL' })
@Index('blobs_uncommitted', ['createdAt'], { where: 'NOT committed' })
export class BlobEntity {
  @PrimaryColumn('text') key!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datasourceId!: string;
  /** The run that wrote the blob; null for the original bytes of a file or text. */
  @IdColumn({ nullable: true }) runId!: string | null;
  @CountColumn({ default: 0 }) bytes!: number;
  @Column('text', { nullable: true }) sha256!: string | null;
  /** Set when parsing these bytes took too long: by which parser and limit. */
  @Column('text', { nullable: true }) timedOut!: string | null;
  /** False while the blob is being written. Blobs that are not committed within a day are removed. */
  @Column('bool', { default: false }) committed!: boolean;
  @CreatedAt() createdAt!: Date;
}

/** The content of a small blob. It refers to no other row: the row in `blobs` tells whether it is needed. */
@Entity('small_blobs')
export class SmallBlobEntity {
  /** Compared by bytes, so that the keys with a prefix are a range of the index. */
  @PrimaryColumn('text', { collation: 'C' }) key!: string;
  @Column('bytea') content!: Buffer;
  @InstantColumn({ default: () => 'now()' }) modifiedAt!: Date;
}

/** Sentences in which two versions of a text differ: at most 20 of each kind, and how many there are. */
export interface DocumentSentences {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly addedCount: number;
  readonly removedCount: number;
}

export type DocumentChangeKind = 'added' | 'changed' | 'removed';

/** What happened to the text of a document. When the document is removed, its earlier changes are deleted. */
@Entity('document_changes')
@ForeignKey(() => DatastoreEntity, ['organizationId', 'datastoreId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'datastoreId', 'id'])
@Index(['datasourceId'])
@Index(['createdAt'])
export class DocumentChangeEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datastoreId!: string;
  /** May be gone. */
  @IdColumn() datasourceId!: string;
  @Column('text') kind!: DocumentChangeKind;
  /** As it was then. */
  @Column('text') name!: string;
  /** Of a changed document, if the former text could be read. */
  @Column('jsonb', { nullable: true }) sentences!: DocumentSentences | null;
  @CreatedAt() createdAt!: Date;
}

/** What a model says about a picture of a document. Another run of the document does not ask again. */
@Entity('picture_descriptions')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'datasourceId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('picture_descriptions_of_a_picture', ['organizationId', 'picture', 'model'])
export class PictureDescriptionEntity {
  @PrimaryColumn('uuid') datasourceId!: string;
  /** SHA-256 of its file. */
  @PrimaryColumn('text', { collation: 'C' }) picture!: string;
  @PrimaryColumn('text') model!: string;
  @IdColumn() organizationId!: string;
  @Column('text') description!: string;
  @CreatedAt() createdAt!: Date;
}
