import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/** A worker that is alive: how many jobs of which queue it takes at once. The dispatcher sizes queues by it. */
@Entity('workers')
@Index(['queue', 'seenAt'])
export class WorkerEntity {
  @PrimaryColumn('text') id!: string;
  @PrimaryColumn('text') queue!: string;
  @Column('int') slots!: number;
  @InstantColumn() seenAt!: Date;
}
