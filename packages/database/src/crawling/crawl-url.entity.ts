import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, IdColumn, InstantColumn } from '../connection/columns.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';

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
  /** Where a redirect or canonical link leads, or the page with the same text. */
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
