import type { DataSource } from 'typeorm';
import { isId } from '../../connection/new-id.js';
import { queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { visibleDatasource } from '../../content/readers/readable.js';
import type { CrawlOutcome, CrawlUrlEntity } from '../../schema/ingestion.entities.js';

/** A URL of the latest crawl of a web site. `outcome` is null while the crawl has not fetched it. */
export type CrawledUrl = Pick<
  CrawlUrlEntity,
  'url' | 'kind' | 'outcome' | 'reason' | 'target' | 'pageId' | 'position'
>;

export interface CrawledUrlFilter {
  outcome?: CrawlOutcome | 'waiting' | undefined;
}

/** What crawls have found, for the users of a web site. */
export class CrawlUrlRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * URLs of the latest crawl of a site in the order of their discovery, without the usual paths of sitemaps
   * that do not exist.
   *
   * @param page.cursor position of the last URL of the previous page
   */
  async list(
    scope: TenantScope,
    siteId: string,
    { outcome }: CrawledUrlFilter,
    { limit, cursor = -1 }: { limit: number; cursor?: number | undefined },
  ): Promise<CrawledUrl[]> {
    if (!isId(siteId)) return [];
    const classified = sql`CASE WHEN processed_in = found_in THEN outcome END`;
    const condition =
      outcome === undefined
        ? sql`true`
        : sql`${classified} IS NOT DISTINCT FROM ${outcome === 'waiting' ? null : outcome}`;
    return queryRows<CrawledUrl>(
      this.dataSource,
      sql`SELECT url, kind, ${classified} AS outcome, target, page_id AS "pageId", position::float AS position, reason
            FROM crawl_urls
           WHERE organization_id = ${scope.organizationId} AND site_id = ${siteId} AND position > ${cursor}
             AND EXISTS (SELECT 1 FROM datasources WHERE id = ${siteId} AND ${visibleDatasource(scope)})
             AND found_in = (SELECT run_id FROM crawls WHERE site_id = ${siteId} ORDER BY created_at DESC LIMIT 1)
             AND NOT (kind = 'sitemap' AND outcome = 'skipped' AND reason IS NULL) AND ${condition}
           ORDER BY position LIMIT ${limit}`,
    );
  }
}
