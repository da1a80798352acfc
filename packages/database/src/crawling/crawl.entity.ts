import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';

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
  /** A sentence for the user that says which limit cut discovery off; null if none did. */
  @Column('text', { nullable: true }) truncated!: string | null;
  @CreatedAt() createdAt!: Date;
  /** When every URL was classified and the pages were decided; null before, and of a crawl that was cancelled. */
  @InstantColumn({ nullable: true }) finishedAt!: Date | null;
}
