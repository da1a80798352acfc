import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The content type of a kept body has a column of its own. */
export class KeptContentType1795834000000 implements MigrationInterface {
  name = 'KeptContentType1795834000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE crawl_urls ADD content_type text');
    await runner.query(
      `UPDATE crawl_urls SET content_type = reason, reason = NULL WHERE outcome IN ('canonical', 'duplicate')`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
