import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People sign in, with a role in their organization. */
export class People1795843000000 implements MigrationInterface {
  name = 'People1795843000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "people" ("id" uuid NOT NULL, "organization_id" uuid NOT NULL, "role" text NOT NULL, "email" text,
     "name" text, "language" text, "password_hash" text, "link_hash" text, "link_expires_at" TIMESTAMP WITH TIME ZONE,
     "signed_in_at" TIMESTAMP WITH TIME ZONE, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_c77e8752faa45901af2b245dff2" UNIQUE ("email"),
     CONSTRAINT "UQ_5c17d0e13eec793caf1fa2373fb" UNIQUE ("link_hash"),
     CONSTRAINT "PK_aa866e71353ee94c6cc51059c5b" PRIMARY KEY ("id"),
     CONSTRAINT "FK_cf52f7332103f758b27bd99c5ef"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_cf52f7332103f758b27bd99c5e" ON "people" ("organization_id")`,
  `ALTER TABLE "sessions" ALTER COLUMN "api_key_id" DROP NOT NULL`,
  `ALTER TABLE "sessions" ADD "user_agent" text`,
  `ALTER TABLE "sessions" ADD "person_id" uuid`,
  `ALTER TABLE "sessions" ADD CONSTRAINT "FK_c3942eab830cae599a763e11557"
     FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE`,
  `CREATE INDEX "IDX_c3942eab830cae599a763e1155" ON "sessions" ("person_id")`,
];
