import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why an answer ended. */
export class FinishReason1795718651113 implements MigrationInterface {
  name = 'FinishReason1795718651113';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" ADD "finish_reason" text`);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
