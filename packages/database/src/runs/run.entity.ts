import type { DatasourceError, LeftOutReason, RunState, Stage } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';

/** What started a run. A `reindex` indexes the serving text again, in the background: the content does not change. */
export type RunTrigger = 'create' | 'sync' | 'update' | 'reindex' | 'schedule';

/** Progress inside the current stage, in the stage's own unit; `total` 0 is unknown. */
export interface StageProgress {
  done: number;
  total: number;
  /** Of `done`, those that failed; of a site, pages. */
  failed?: number;
  /** Of a site: URLs that are pages. */
  pages?: number;
}

/** Validators of the version of a page that a web server sent (RFC 9110, section 8.8). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Characters that are not part of the text, by reason. */
export type LeftOut = Readonly<Partial<Record<LeftOutReason, number>>>;

/** How much content a run has ingested. */
export interface RunCounts {
  chunks: number;
  characters: number;
  bytes: number;
  pages: number;
  leftOut?: LeftOut;
  /** Of the document; absent if it has none. */
  title?: string;
}

/** One attempt to bring a datasource up to date. Ended runs are kept. */
@Entity('runs')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'datasourceId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('runs_one_unfinished', ['datasourceId'], {
  unique: true,
  where: `state IN ('pending', 'queued', 'active', 'waiting') AND trigger <> 'reindex'`,
})
@Index('runs_one_reindex', ['datasourceId'], {
  unique: true,
  where: `state IN ('pending', 'queued', 'active', 'waiting') AND trigger = 'reindex'`,
})
@Index('runs_to_dispatch', ['stage', 'organizationId', 'notBefore'], { where: `state = 'pending'` })
// 19: one less than CRASH_LIMIT.
@Index('runs_on_last_try', ['stage', 'notBefore'], { where: `state = 'pending' AND crashes >= 19` })
@Index('runs_in_flight', ['stage', 'organizationId'], { where: `state IN ('queued', 'active')` })
@Index('runs_of_a_group', ['groupId'], {
  where: `group_id IS NOT NULL AND state IN ('pending', 'queued', 'active', 'waiting')`,
})
@Index('runs_waiting', ['createdAt'], { where: `state = 'waiting'` })
@Index('runs_of_a_datasource', ['organizationId', 'datasourceId', 'createdAt'])
export class RunEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datasourceId!: string;
  /** The web site of the page, or the archive of the file. */
  @IdColumn({ nullable: true }) groupId!: string | null;
  @Column('text') trigger!: RunTrigger;
  /** See `transitions.ts`. */
  @Column('text', { default: 'pending' }) state!: RunState;
  /** Of a web site: its crawl removes pages that it does not find, whatever share of the site they are. */
  @Column('boolean', { default: false }) removeMissing!: boolean;
  @Column('text') stage!: Stage;
  /** Sequence number among the runs of the datasource that have served; null until this one serves. */
  @Column('int', { nullable: true }) revision!: number | null;
  /** Vector space of its points; null before the first is written. */
  @Column('text', { nullable: true }) space!: string | null;
  /** Number of the current delivery to a queue; a late job has a lower one. */
  @Column('int', { default: 0 }) delivery!: number;
  /** The job that delivered the run the last time. The runs of a job are a batch and take one slot of a worker. */
  @IdColumn({ nullable: true }) batchId!: string | null;
  /** When the last delivery was handed to the queue. */
  @InstantColumn({ nullable: true }) queuedAt!: Date | null;
  @Column('text', { nullable: true }) leaseOwner!: string | null;
  @InstantColumn({ nullable: true }) leaseUntil!: Date | null;
  /** The run is not dispatched before this time, and pending runs are dispatched in its order. */
  @InstantColumn({ default: () => 'now()' }) notBefore!: Date;
  /** Failures of this stage. */
  @Column('int', { default: 0 }) failures!: number;
  /** Expired leases in a row. */
  @Column('int', { default: 0 }) crashes!: number;
  @Column('jsonb', { nullable: true }) progress!: StageProgress | null;
  @Column('jsonb', { nullable: true }) counts!: RunCounts | null;
  /** Key of the blob that is parsed. */
  @Column('text', { nullable: true }) contentKey!: string | null;
  @Column('text', { nullable: true }) contentType!: string | null;
  @Column('text', { nullable: true }) contentName!: string | null;
  /**
   * SHA-256 of the bytes and of everything else that the result depends on; if equal, there is nothing to do.
   */
  @Column('text', { nullable: true }) fingerprint!: string | null;
  /** Characters of its canonical text, which count against the organization's limit while it serves. */
  @CountColumn({ default: 0 }) characters!: number;
  /** Of the fetched page, for conditional requests. */
  @Column('jsonb', { nullable: true }) validators!: Validators | null;
  /** SHA-256 of the parsed document; if equal, other bytes have the same text. */
  @Column('text', { nullable: true }) textHash!: string | null;
  @Column('jsonb', { nullable: true }) error!: DatasourceError | null;
  /** What a reader of its content has to know; the `error` of the datasource while the run serves. */
  @Column('jsonb', { nullable: true }) warning!: DatasourceError | null;
  @CreatedAt() createdAt!: Date;
  @InstantColumn({ nullable: true }) startedAt!: Date | null;
  @InstantColumn({ nullable: true }) finishedAt!: Date | null;
}
