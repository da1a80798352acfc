import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts claim only e-mails that somebody has verified. A new e-mail is confirmed by a link. */
export class VerifiedEmails1795856000000 implements MigrationInterface {
  name = 'VerifiedEmails1795856000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "people" ADD "next_email" text`,
  `ALTER TABLE "people" ADD "next_email_hash" text`,
  `ALTER TABLE "people" ADD "next_email_expires_at" TIMESTAMP WITH TIME ZONE`,
  `CREATE INDEX "IDX_c77e8752faa45901af2b245dff" ON "people" ("email")`,
  `ALTER TABLE "accounts" ALTER COLUMN "email" DROP NOT NULL`,
  // The people of such an account keep the e-mail, and sign in with it.
  `UPDATE "accounts" a SET "email" = NULL
    WHERE EXISTS (SELECT 1 FROM "people" p WHERE p."account_id" = a."id" AND p."email_claimed")`,
];
