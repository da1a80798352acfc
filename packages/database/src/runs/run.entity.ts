import type { DatasourceError, RunState, Stage } from '@citewell/contracts/http';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';

/** What started a run. */
export type RunTrigger = 'create' | 'sync' | 'update' | 'reindex' | 'schedule';

/** Progress inside the current stage, in the stage's own unit; `total` 0 is unknown. */
export interface StageProgress {
  done: number;
  total: number;
  /** Of `done`, those that could not be brought in; of a site, pages. */
  failed?: number;
  /** Of a site: URLs that turned out to be pages. */
  pages?: number;
  /** Of a site: why the crawl will not get to everything. */
  cut?: string;
  /** Of a site: what the crawl leaves out that may be wanted; it is complete all the same. */
  notice?: string;
  /** Of a site: what the crawl was configured to look at when it began, to be compared. */
  scope?: string;
}

/** What a site's crawl has to say of itself, and must not forget: of {@link StageProgress}. */
export type CrawlNote = Pick<StageProgress, 'cut' | 'notice' | 'scope'>;

/** What a web server calls the version of a page that it sent (RFC 9110, section 8.8). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** What a run brought in. */
export interface RunCounts {
  chunks: number;
  characters: number;
  bytes: number;
  pages: number;
}

/** One attempt to bring a datasource up to date. History stays. */
@Entity('runs')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'datasourceId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('runs_one_under_way', ['datasourceId'], {
  unique: true,
  where: `state IN ('pending', 'queued', 'active')`,
})
@Index('runs_to_dispatch', ['stage', 'organizationId', 'notBefore'], { where: `state = 'pending'` })
@Index('runs_on_last_try', ['stage', 'notBefore'], { where: `state = 'pending' AND crashes >= 19` })
@Index('runs_in_flight', ['stage', 'organizationId'], { where: `state IN ('queued', 'active')` })
@Index('runs_of_a_group', ['groupId'], {
  where: `group_id IS NOT NULL AND state IN ('pending', 'queued', 'active')`,
})
@Index('runs_discovered', ['discoveredAt'], {
  where: `state = 'pending' AND discovered_at IS NOT NULL`,
})
@Index('runs_of_a_datasource', ['organizationId', 'datasourceId', 'createdAt'])
export class RunEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datasourceId!: string;
  /** The web site that its datasource is a page of. */
  @IdColumn({ nullable: true }) groupId!: string | null;
  @Column('text') trigger!: RunTrigger;
  @Column('text', { default: 'pending' }) state!: RunState;
  @Column('text') stage!: Stage;
  /** Number of the runs of this datasource that came to serve; null until this one does. */
  @Column('int', { nullable: true }) revision!: number | null;
  /** Vector space that its chunks were written to; null before the first is. */
  @Column('text', { nullable: true }) space!: string | null;
  /** How often it was handed to the queue: tells a late delivery from the current one. */
  @Column('int', { default: 0 }) delivery!: number;
  @InstantColumn({ nullable: true }) queuedAt!: Date | null;
  @Column('text', { nullable: true }) leaseOwner!: string | null;
  @InstantColumn({ nullable: true }) leaseUntil!: Date | null;
  /** Not dispatched before, and in this order: since when it waits, or the end of a back-off or of a provider's wish. */
  @InstantColumn({ default: () => 'now()' }) notBefore!: Date;
  /** Failures of the work itself in this stage. */
  @Column('int', { default: 0 }) failures!: number;
  /** Deaths of workers that held it, in a row. */
  @Column('int', { default: 0 }) crashes!: number;
  @Column('jsonb', { nullable: true }) progress!: StageProgress | null;
  @Column('jsonb', { nullable: true }) counts!: RunCounts | null;
  /** Key of the bytes that are parsed. */
  @Column('text', { nullable: true }) contentKey!: string | null;
  @Column('text', { nullable: true }) contentType!: string | null;
  @Column('text', { nullable: true }) contentName!: string | null;
  /** SHA-256 over the bytes and everything that decides what becomes of them; equal means nothing to do. */
  @Column('text', { nullable: true }) fingerprint!: string | null;
  /** Characters of its canonical text, counted into the organization's storage while it serves. */
  @CountColumn({ default: 0 }) characters!: number;
  /** Of the page that was fetched, to ask whether it has changed since. */
  @Column('jsonb', { nullable: true }) validators!: Validators | null;
  /** SHA-256 of the document that was made of the bytes; equal means that other bytes say the same. */
  @Column('text', { nullable: true }) textHash!: string | null;
  @Column('jsonb', { nullable: true }) error!: DatasourceError | null;
  /** Of a web site: since when all its pages are found, and it only waits for them. Never dispatched again. */
  @InstantColumn({ nullable: true }) discoveredAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @InstantColumn({ nullable: true }) startedAt!: Date | null;
  @InstantColumn({ nullable: true }) finishedAt!: Date | null;
}
