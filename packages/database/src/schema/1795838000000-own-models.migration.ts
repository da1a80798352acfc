import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations choose models of their own. */
export class OwnModels1795838000000 implements MigrationInterface {
  name = 'OwnModels1795838000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "model_settings" DROP CONSTRAINT "model_settings_pkey"`,
  `ALTER TABLE "model_settings" ADD "id" uuid NOT NULL DEFAULT gen_random_uuid()`,
  `ALTER TABLE "model_settings" ALTER COLUMN "id" DROP DEFAULT`,
  `ALTER TABLE "model_settings" ADD CONSTRAINT "model_settings_pkey" PRIMARY KEY ("id")`,
  `ALTER TABLE "model_settings" ADD "organization_id" uuid`,
  `ALTER TABLE "model_settings" ADD CONSTRAINT "FK_852233f4beb646e13d6421bba39"
     FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE`,
  `CREATE UNIQUE INDEX "model_settings_installation" ON "model_settings" ("kind") WHERE organization_id IS NULL`,
  `CREATE UNIQUE INDEX "model_settings_organization" ON "model_settings" ("organization_id", "kind")`,
];
