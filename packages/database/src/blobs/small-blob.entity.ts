import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/** The content of a small blob. It refers to no other row: the row in `blobs` tells whether it is needed. */
@Entity('small_blobs')
export class SmallBlobEntity {
  /** Compared by bytes, so that the keys with a prefix are a range of the index. */
  @PrimaryColumn('text', { collation: 'C' }) key!: string;
  @Column('bytea') content!: Buffer;
  @InstantColumn({ default: () => 'now()' }) modifiedAt!: Date;
}
