import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What pages were answered with in place of what serves: where many are answered alike, their server has a bad day. */
export class CrawlAnswers1764700000000 implements MigrationInterface {
  name = 'CrawlAnswers1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE crawl_urls ADD COLUMN answer text, ADD COLUMN answered_since timestamptz,
                              ADD COLUMN believed_in uuid`,
    );
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
