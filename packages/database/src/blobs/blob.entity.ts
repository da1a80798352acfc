import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn } from '../connection/columns.js';

/** What lies in the blob store. The row is there before the first byte, so that nothing is ever forgotten there. */
@Entity('blobs')
@Index(['organizationId', 'datasourceId'])
@Index('blobs_uncommitted', ['createdAt'], { where: 'NOT committed' })
export class BlobEntity {
  @PrimaryColumn('text') key!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datasourceId!: string;
  /** The run that made it; null for the original bytes of a file or text. */
  @IdColumn({ nullable: true }) runId!: string | null;
  @CountColumn({ default: 0 }) bytes!: number;
  @Column('text', { nullable: true }) sha256!: string | null;
  /** False while it is being written; what stays so for a day is collected. */
  @Column('bool', { default: false }) committed!: boolean;
  @CreatedAt() createdAt!: Date;
}
