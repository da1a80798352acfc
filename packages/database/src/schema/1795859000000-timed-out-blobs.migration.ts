import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bytes whose parsing took too long are not parsed again by the same parser. */
export class TimedOutBlobs1795859000000 implements MigrationInterface {
  name = 'TimedOutBlobs1795859000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "blobs" ADD "timed_out" text`);
    await runner.query(
      `CREATE INDEX "blobs_of_timeouts" ON "blobs" ("organization_id", "sha256") WHERE timed_out IS NOT NULL`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
