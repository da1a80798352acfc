import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identity providers manage people over SCIM. */
export class Scim1795849000000 implements MigrationInterface {
  name = 'Scim1795849000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "people" ADD "disabled_at" TIMESTAMP WITH TIME ZONE`,
  `CREATE TABLE "scim_users" (
     "person_id" uuid NOT NULL, "organization_id" uuid NOT NULL, "user_name" text NOT NULL,
     "user_name_key" text NOT NULL, "external_id" text, "given_name" text, "family_name" text,
     CONSTRAINT "UQ_7e781f91cbf87d1f6928bd17272" UNIQUE ("organization_id", "external_id"),
     CONSTRAINT "UQ_65f6ece412b2f0064574992b410" UNIQUE ("organization_id", "user_name_key"),
     CONSTRAINT "PK_a4161f22714186acc6ae769a91d" PRIMARY KEY ("person_id"),
     CONSTRAINT "FK_a4161f22714186acc6ae769a91d"
       FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE,
     CONSTRAINT "FK_876458955bd345b8dff5ff21ef5"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
];
