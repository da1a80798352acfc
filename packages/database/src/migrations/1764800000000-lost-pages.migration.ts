import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when nothing leads to a page, and when its server last said that it had not changed. */
export class LostPages1764800000000 implements MigrationInterface {
  name = 'LostPages1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE crawl_urls ADD COLUMN lost_since timestamptz, ADD COLUMN confirmed_at timestamptz`,
    );
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
