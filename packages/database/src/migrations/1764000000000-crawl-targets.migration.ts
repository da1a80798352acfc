import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A page that was left out for another one can be looked at again when that one turns out to be none. */
export class CrawlTargets1764000000000 implements MigrationInterface {
  name = 'CrawlTargets1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE crawl_urls ADD COLUMN target text');
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
