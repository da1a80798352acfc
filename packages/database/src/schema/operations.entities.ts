import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn } from './columns.js';

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

/** A block of an event loop that ended its process. Written by the watchdog of the process. */
@Entity('event_loop_blocks')
@Index(['at'])
export class EventLoopBlockEntity {
  @PrimaryColumn('uuid') id!: string;
  @InstantColumn({ default: () => 'clock_timestamp()' }) at!: Date;
  @Column('text') app!: string;
  /** The run that was at work. It may be gone. */
  @IdColumn({ nullable: true }) runId!: string | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  /** One line for each function, the innermost first. */
  @Column('text') stack!: string;
}
