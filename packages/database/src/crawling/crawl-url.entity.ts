import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn } from '../connection/columns.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';

/** What a URL of a site is read as. */
export type CrawlKind = 'page' | 'sitemap';
/**
 * Where the latest crawl found it: `seed` is what the site's own configuration names; to what is `lost` nothing led, and
 * it was looked at all the same. What a redirect leads to has the origin of what redirected.
 */
export type CrawlOrigin = 'seed' | 'sitemap' | 'link' | 'lost';
/** What became of it: a datasource, nothing for a reason, or an error. A sitemap is `read`, or was a `feed`. */
export type CrawlOutcome = 'page' | 'left-out' | 'failed' | 'read' | 'feed';

/**
 * A URL that a crawl of a web site found. It is to be fetched by a run while it was found and not settled in it; so a
 * crawl that is killed goes on where it was, and the next one starts without touching a row.
 */
@Entity('crawl_urls')
@ForeignKey(() => DatasourceEntity, ['organizationId', 'siteId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index('crawl_urls_frontier', ['siteId', 'foundIn', 'kind', 'depth', 'url'], {
  where: 'settled_in IS DISTINCT FROM found_in',
})
@Index('crawl_urls_of_a_page', ['pageId'], { where: 'page_id IS NOT NULL' })
@Index('crawl_urls_by_content', ['siteId', 'contentHash'], { where: 'content_hash IS NOT NULL' })
export class CrawlUrlEntity {
  @PrimaryColumn('uuid') siteId!: string;
  /** Normalised. */
  @PrimaryColumn('text') url!: string;
  /** The same URL may be both. Last in the key: of most sites all URLs but a few are pages. */
  @PrimaryColumn('text') kind!: CrawlKind;
  @IdColumn() organizationId!: string;
  @Column('text') origin!: CrawlOrigin;
  /** Links followed from a seed. */
  @Column('int') depth!: number;
  /** What a sitemap says about its last change. */
  @InstantColumn({ nullable: true }) lastmod!: Date | null;
  /** The latest run of the site that found it. */
  @IdColumn() foundIn!: string;
  /** The latest run of the site that fetched it and decided what it is; null too once a run has put it back. */
  @IdColumn({ nullable: true }) settledIn!: string | null;
  @Column('text', { nullable: true }) outcome!: CrawlOutcome | null;
  /** Why it was left out, or what failed. */
  @Column('text', { nullable: true }) reason!: string | null;
  /**
   * The URL that it stands for: where it leads, or what says the same. That one may stand for another in turn. Of a
   * page: what it points to, which was no page the last time, or not of the site.
   */
  @Column('text', { nullable: true }) target!: string | null;
  /** The latest run that put the page back because what it points to had become a page: it does so once. */
  @IdColumn({ nullable: true }) reopenedIn!: string | null;
  /** The datasource that the page became. */
  @IdColumn({ nullable: true }) pageId!: string | null;
  /** Whether it led to others of the site when it was read last; of a sitemap, whether it was one. */
  @Column('boolean', { default: false }) leadsOn!: boolean;
  /** Names what the latest crawl was answered that would take the place of what serves; null where nothing would. */
  @Column('text', { nullable: true }) answer!: string | null;
  /** Since when it has been answered that. */
  @InstantColumn({ nullable: true }) answeredSince!: Date | null;
  /** The latest run that put the page back because few others were answered the same: it believes it. */
  @IdColumn({ nullable: true }) believedIn!: string | null;
  /** Since when nothing leads to it, where that is not believed yet; what falls off a feed has no such time. */
  @InstantColumn({ nullable: true }) lostSince!: Date | null;
  /** When it was last looked at and found to serve what is there; null where it has not been. */
  @InstantColumn({ nullable: true }) confirmedAt!: Date | null;
  /** SHA-256 of the bytes that it had. */
  @Column('text', { nullable: true }) contentHash!: string | null;
  /** Fetches in the latest run that failed for a reason that may pass. */
  @Column('int', { default: 0 }) attempts!: number;
  @InstantColumn({ nullable: true }) notBefore!: Date | null;
}
