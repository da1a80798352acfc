import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Previews of web sites that people wait for. */
export class SitePreviews1795561000000 implements MigrationInterface {
  name = 'SitePreviews1795561000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE site_previews (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     config jsonb NOT NULL,
     claimed_at timestamptz,
     result jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_71a7c276a19b7b1713157a31982" PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_3a1adf9cf130bebbf7513de5c4" ON site_previews (organization_id)`,
  `ALTER TABLE site_previews ADD CONSTRAINT "FK_3a1adf9cf130bebbf7513de5c4d" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
];
