import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that are sent to the e-mail of an account. */
export class PasswordResets1795847000000 implements MigrationInterface {
  name = 'PasswordResets1795847000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "password_resets" ("id" uuid NOT NULL, "account_id" uuid NOT NULL, "hash" text NOT NULL,
     "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_d3588698a427ed900cef7a01f7f" UNIQUE ("hash"),
     CONSTRAINT "PK_4816377aa98211c1de34469e742" PRIMARY KEY ("id"),
     CONSTRAINT "FK_d4ecc40c8f2d961355273539c09" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_d4ecc40c8f2d961355273539c0" ON "password_resets" ("account_id")`,
  `CREATE INDEX "IDX_49f39bd47382585468191d33b5" ON "password_resets" ("expires_at")`,
];
