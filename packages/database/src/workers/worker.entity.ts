import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/**
 * A living worker, and how many jobs of a queue it works on at once. The dispatcher limits what is in flight
 * by it.
 */
@Entity('workers')
@Index(['queue', 'seenAt'])
export class WorkerEntity {
  @PrimaryColumn('text') id!: string;
  @PrimaryColumn('text') queue!: string;
  @Column('int') slots!: number;
  @InstantColumn() seenAt!: Date;
}
