import type {
  PageRange,
  DatasourceError,
  ExportKind,
  LeftOutReason,
  RunState,
  SitePreview,
  Stage,
} from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn } from './columns.js';
import { DatasourceEntity } from './content.entities.js';
import { OrganizationEntity } from './tenancy.entities.js';

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
  /** What each page brings to the text. Absent for formats without pages. */
  pageContents?: readonly PageRange[];
  /** Of the document; absent if it has none. */
  title?: string;
  /** Of an archive that is an export of another program. */
  exportOf?: ExportKind;
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

/** One crawl of a web site: what its run has found so far, and the configuration that it began with. */
@Entity('crawls')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'siteId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('crawls_of_a_site', ['siteId'])
export class CrawlEntity {
  @PrimaryColumn('uuid') runId!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() siteId!: string;
  /** Copy of the site's configuration. A change takes effect with the next crawl. */
  @Column('jsonb') config!: Record<string, unknown>;
  /** URLs in the frontier, sitemaps included. */
  @Column('int', { default: 0 }) urls!: number;
  /** URLs of pages in the frontier. */
  @Column('int', { default: 0 }) found!: number;
  /** URLs of pages that were classified. */
  @Column('int', { default: 0 }) processed!: number;
  /** URLs that are pages of the site. */
  @Column('int', { default: 0 }) pages!: number;
  /** URLs that should be pages and could not be fetched. */
  @Column('int', { default: 0 }) failed!: number;
  /** A sentence for the user that says which limit ended discovery; null if none did. */
  @Column('text', { nullable: true }) truncated!: string | null;
  @CreatedAt() createdAt!: Date;
  /** When every URL was classified and the pages were decided; null before, and of a crawl that was cancelled. */
  @InstantColumn({ nullable: true }) finishedAt!: Date | null;
}

/** What a URL is read as. */
export type CrawlKind = 'page' | 'sitemap';
/**
 * How the crawl found a URL: `seed` is named by the site's configuration, or a named page redirects to it; `sitemap` is
 * listed in a sitemap or named by robots.txt; `link` is linked, or the target of a linked page. A `reference` is fetched
 * without following its links: the target of a redirect or canonical link of a listed page, a known page of a site that
 * is led by a feed, or a sitemap that is looked for at a usual path.
 */
export type CrawlOrigin = 'seed' | 'sitemap' | 'link' | 'reference';
/** What a URL turned out to be. `page` includes unchanged pages; `sitemap` and `feed` were read for their entries. */
export type CrawlOutcome =
  'page' | 'redirect' | 'canonical' | 'duplicate' | 'skipped' | 'failed' | 'sitemap' | 'feed';

/**
 * A URL of a web site: the frontier of its crawl, and the memory of earlier crawls. A crawl has yet to fetch a URL
 * while `foundIn` is its run and `processedIn` is not.
 */
@Entity('crawl_urls')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'siteId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('crawl_urls_frontier', { synchronize: false })
@Index('crawl_urls_of_a_page', ['pageId'], { where: 'page_id IS NOT NULL' })
@Index('crawl_urls_by_text', ['siteId', 'textHash'], { where: 'text_hash IS NOT NULL' })
export class CrawlUrlEntity {
  @PrimaryColumn('uuid') siteId!: string;
  /** Normalized. */
  @PrimaryColumn('text', { collation: 'C' }) url!: string;
  /** The same URL may be a page and a sitemap. */
  @PrimaryColumn('text') kind!: CrawlKind;
  @IdColumn() organizationId!: string;
  @Column('text') origin!: CrawlOrigin;
  /** Of a page: links between a seed and this URL, 0 if it is listed. Of a sitemap: indexes above it. */
  @Column('int') depth!: number;
  /** Order of discovery. */
  @CountColumn() @Generated('increment') position!: number;
  /** Redirects and canonical links between a discovered URL and this one. */
  @Column('int', { default: 0 }) hops!: number;
  /** The latest run of the site that found it. */
  @IdColumn() foundIn!: string;
  /** The latest run of the site that classified it. */
  @IdColumn({ nullable: true }) processedIn!: string | null;
  @Column('text', { nullable: true }) outcome!: CrawlOutcome | null;
  /** Why it was skipped or failed; of a sitemap, what was wrong with it. */
  @Column('text', { nullable: true }) reason!: string | null;
  /** Of a canonical or duplicate page: that of the kept body. */
  @Column('text', { nullable: true }) contentType!: string | null;
  /** The target of a redirect or canonical link, or the page with the same text. */
  @Column({ type: 'text', nullable: true, collation: 'C' }) target!: string | null;
  /** The datasource of the page. */
  @IdColumn({ nullable: true }) pageId!: string | null;
  /** Of a page: whether links to the site were found when it was last read. Of a sitemap: whether it existed. */
  @Column('boolean', { default: false }) hasOutlinks!: boolean;
  /** Hash of the text; of a file, of its bytes. Pages with the same text are duplicates. */
  @Column('text', { nullable: true }) textHash!: string | null;
  /** Attempts in the latest crawl that failed and were followed by another. */
  @Column('int', { default: 0 }) attempts!: number;
  /** When the next attempt is due. */
  @InstantColumn({ nullable: true }) notBefore!: Date | null;
}

/**
 * A document as its source lists it, and what became of it: the memory of a source between its syncs.
 */
@Entity('source_documents')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'sourceId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('source_documents_due', ['sourceId', 'path'], { where: 'is_due' })
@Index('source_documents_of_a_datasource', ['datasourceId'], { where: 'datasource_id IS NOT NULL' })
export class SourceDocumentEntity {
  @PrimaryColumn('uuid') sourceId!: string;
  /** The id that the source gives it. */
  @PrimaryColumn('text', { collation: 'C' }) documentId!: string;
  @IdColumn() organizationId!: string;
  @Column({ type: 'text', collation: 'C' }) path!: string;
  /** The version that the source listed last. */
  @Column('text') version!: string;
  @CountColumn({ nullable: true }) bytes!: number | null;
  @InstantColumn({ nullable: true }) modifiedAt!: Date | null;
  @Column('text', { nullable: true }) url!: string | null;
  /** Whether `include` and `exclude` let it in. */
  @Column('boolean', { default: true }) isWanted!: boolean;
  /** The latest run of the source that listed it. */
  @IdColumn() foundIn!: string;
  /** Whether that run has yet to fetch it. */
  @Column('boolean', { default: false }) isDue!: boolean;
  /** The version that was fetched last; null before. */
  @Column('text', { nullable: true }) fetchedVersion!: string | null;
  /** The datasource that has its content; null if it has none. */
  @IdColumn({ nullable: true }) datasourceId!: string | null;
  /** Why it could not be fetched, or is not a document: a sentence for the user. */
  @Column('text', { nullable: true }) reason!: string | null;
  /** Principals that may read the version that was listed last; null for all who read the datastore. */
  @Column('text', { array: true, nullable: true }) access!: string[] | null;
}

/** The members of a group of a source, as it listed them last. */
@Entity('source_groups')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'sourceId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('source_groups_of_a_person', ['people'], { type: 'gin' })
export class SourceGroupEntity {
  @PrimaryColumn('uuid') sourceId!: string;
  @PrimaryColumn('text', { collation: 'C' }) principal!: string;
  @IdColumn() organizationId!: string;
  /** E-mail addresses in lower case. */
  @Column('text', { array: true }) people!: string[];
  /** The latest run of the source that listed it. */
  @IdColumn() foundIn!: string;
}

/** One sync of a source: how far its run is, and the configuration that it began with. */
@Entity('source_syncs')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'sourceId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('source_syncs_of_a_source', ['sourceId'])
export class SourceSyncEntity {
  @PrimaryColumn('uuid') runId!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() sourceId!: string;
  /** Copy of the source's configuration. A change takes effect with the next sync. */
  @Column('jsonb') config!: Record<string, unknown>;
  /** Of the last page of the inventory that was recorded. */
  @Column('text', { nullable: true }) cursor!: string | null;
  /** When the inventory ended; null before. */
  @InstantColumn({ nullable: true }) listedAt!: Date | null;
  /** Documents that were listed and are wanted. */
  @Column('int', { default: 0 }) found!: number;
  /** Of these: those that were up to date, fetched, or not to be had. */
  @Column('int', { default: 0 }) processed!: number;
  /** Of these: those that could not be fetched. */
  @Column('int', { default: 0 }) failed!: number;
  @CreatedAt() createdAt!: Date;
}

/** When any crawler may begin the next request to a web server. */
@Entity('host_paces')
export class HostPaceEntity {
  /** Name and port, as `URL.host`. */
  @PrimaryColumn('text') host!: string;
  @InstantColumn() nextStart!: Date;
}

/** What a purge removes: the retired runs of a datasource, a deleted datasource, or a deleted datastore. */
export type PurgeKind = 'runs' | 'datasource' | 'datastore';

/**
 * Something to remove from the vector store and the blob store: the runs of a datasource that no longer
 * serve, a deleted datasource, or a deleted datastore. The row is removed last.
 */
@Entity('purges')
@Index('purges_due', ['notBefore'])
@Index('purges_of_datastores', ['notBefore'], { where: `kind = 'datastore'` })
@Index('purges_of_a_target', ['targetId'])
@Index('purges_in_flight', ['batchId'], { where: 'batch_id IS NOT NULL' })
export class PurgeEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') kind!: PurgeKind;
  /** The datasource or datastore. */
  @IdColumn() targetId!: string;
  /**
   * Rounds begin with 1. A late writer may add points after the first round; the second one, a lease later,
   * finds them.
   */
  @Column('int', { default: 1 }) round!: number;
  /** The job that carries out this round. The purges of a job take one slot of a worker. Null until the round begins. */
  @IdColumn({ nullable: true }) batchId!: string | null;
  /** When the round is due: for the first time, or again because it has not ended in time. */
  @InstantColumn({ default: () => 'now()' }) notBefore!: Date;
  @CreatedAt() createdAt!: Date;
}

/** A request to a crawler, and its answer. The API that asks deletes it after seconds. */
@Entity('site_previews')
@Index(['organizationId'])
export class SitePreviewEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('jsonb') config!: Record<string, unknown>;
  /** When a crawler began. */
  @InstantColumn({ nullable: true }) claimedAt!: Date | null;
  @Column('jsonb', { nullable: true }) result!: SitePreview | null;
  @CreatedAt() createdAt!: Date;
}
