import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What only a page leads to that cannot be read is kept until it can; and a page is put back once in a run because what
 * it points to has become one.
 */
export class CrawlOrigins1764300000000 implements MigrationInterface {
  name = 'CrawlOrigins1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE crawl_urls ADD COLUMN found_from text, ADD COLUMN reopened_in uuid');
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
