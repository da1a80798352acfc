import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People share conversations by a link. */
export class SharedConversations1795850500000 implements MigrationInterface {
  name = 'SharedConversations1795850500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "conversations" ADD "share_id" uuid, ADD "shared_at" TIMESTAMP WITH TIME ZONE`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "conversations_shared" ON "conversations" ("share_id") WHERE share_id IS NOT NULL`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
