import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What supports the sentences of an answer. Answers from before have none. */
export class MessageSentences1795820000000 implements MigrationInterface {
  name = 'MessageSentences1795820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" ADD "sentences" jsonb`);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
