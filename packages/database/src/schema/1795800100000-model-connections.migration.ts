import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chosen models of servers have an address and an encrypted key. */
export class ModelConnections1795800100000 implements MigrationInterface {
  name = 'ModelConnections1795800100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "model_settings" ADD "base_url" text`);
    await runner.query(`ALTER TABLE "model_settings" ADD "sealed_key" text`);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
