import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where something that leads on cannot be read, what the crawl has not found is looked at; from where each URL was found
 * is no longer asked.
 */
export class CrawlLeads1764400000000 implements MigrationInterface {
  name = 'CrawlLeads1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE crawl_urls DROP COLUMN found_from, ADD COLUMN leads_on boolean NOT NULL DEFAULT false',
    );
    await runner.query(
      `UPDATE crawl_urls SET leads_on = true
        WHERE coalesce(reason, '') NOT IN ('GONE', 'ROBOTS', 'PAGE_GONE', 'ROBOTS_DISALLOWED')
          AND (origin <> 'sitemap' OR target IS NOT NULL OR kind = 'sitemap') AND (outcome <> 'failed' OR content_hash IS NOT NULL)`,
    );
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
