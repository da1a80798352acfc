import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn } from '../connection/columns.js';

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
