import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where something that leads on cannot be read, what the crawl has not found is looked at; from where each URL was found
 * is no longer asked. And one URL may be a sitemap and a page.
 */
export class CrawlLeads1764400000000 implements MigrationInterface {
  name = 'CrawlLeads1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE crawl_urls
         DROP COLUMN found_from, ADD COLUMN leads_on boolean NOT NULL DEFAULT false,
         DROP CONSTRAINT "PK_6d8070843c5ae3f4d45f7092ce2",
         ADD CONSTRAINT crawl_urls_pkey PRIMARY KEY (site_id, url, kind)`,
    );
    // What a page led to is not known: it may have been anything. Whether there was a sitemap at a usual place, neither.
    await runner.query(
      `UPDATE crawl_urls SET leads_on = true
        WHERE outcome = 'read' AND reason IS NULL AND origin <> 'link'
           OR (outcome = 'page' OR outcome = 'left-out' AND reason NOT IN ('GONE', 'ROBOTS') OR content_hash IS NOT NULL)
              AND kind = 'page' AND (origin <> 'sitemap' OR target IS NOT NULL)`,
    );
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
