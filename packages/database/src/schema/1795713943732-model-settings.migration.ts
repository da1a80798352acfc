import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Models that are chosen while the service runs. */
export class ModelSettings1795713943732 implements MigrationInterface {
  name = 'ModelSettings1795713943732';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "model_settings" ("kind" text NOT NULL, "name" text NOT NULL,
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "model_settings_pkey" PRIMARY KEY ("kind"))`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
