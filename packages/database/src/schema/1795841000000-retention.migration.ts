import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents whose conversations are removed after some days. */
export class Retention1795841000000 implements MigrationInterface {
  name = 'Retention1795841000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE agents ADD retention_days int`);
    await runner.query(
      `CREATE INDEX conversations_expiring ON conversations (organization_id, agent_id, updated_at)`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
