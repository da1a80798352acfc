import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an agent does with an answer that its passages do not support. */
export class AgentOnUnsupported1795810000000 implements MigrationInterface {
  name = 'AgentOnUnsupported1795810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "agents" ADD "on_unsupported" text NOT NULL DEFAULT 'mark'`);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
