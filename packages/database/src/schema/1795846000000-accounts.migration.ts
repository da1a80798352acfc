import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passwords belong to accounts, which have one or more people: one of each organization. */
export class Accounts1795846000000 implements MigrationInterface {
  name = 'Accounts1795846000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "accounts" ("id" uuid NOT NULL, "email" text NOT NULL, "password_hash" text NOT NULL,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_ee66de6cdc53993296d1ceb8aa0" UNIQUE ("email"),
     CONSTRAINT "PK_5a7a02c20412299d198e097a8fe" PRIMARY KEY ("id"))`,
  `ALTER TABLE "people" ADD "account_id" uuid`,
  `ALTER TABLE "people" ADD CONSTRAINT "FK_3b02373ca22a7c9d1adcbb8b0fe" FOREIGN KEY ("account_id") REFERENCES "accounts"("id")`,
  `CREATE INDEX "IDX_3b02373ca22a7c9d1adcbb8b0f" ON "people" ("account_id")`,
  `ALTER TABLE "people" DROP CONSTRAINT "UQ_c77e8752faa45901af2b245dff2"`,
  `ALTER TABLE "people" ADD CONSTRAINT "UQ_da25d194347e8deae14edec91c4" UNIQUE ("organization_id", "email")`,
  `ALTER TABLE "sessions" ADD "account_id" uuid`,
  `ALTER TABLE "sessions" ADD CONSTRAINT "FK_da0cf19646ff5c6e3c0284468e5"
     FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE`,
  `CREATE INDEX "IDX_da0cf19646ff5c6e3c0284468e" ON "sessions" ("account_id")`,
  // Each of these people is the only one of the account, which gets the same id.
  `INSERT INTO accounts (id, email, password_hash, created_at)
     SELECT id, email, password_hash, created_at FROM people WHERE password_hash IS NOT NULL AND email IS NOT NULL`,
  `UPDATE people SET account_id = id, password_hash = NULL WHERE password_hash IS NOT NULL AND email IS NOT NULL`,
  // An account without people is unreachable, however its last person was removed. The lock makes two last people of
  // different organizations wait for each other.
  `CREATE FUNCTION remove_account_without_people() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM 1 FROM accounts WHERE id = OLD.account_id FOR UPDATE;
       DELETE FROM accounts a WHERE a.id = OLD.account_id
          AND NOT EXISTS (SELECT 1 FROM people p WHERE p.account_id = a.id);
       RETURN NULL;
     END $$`,
  `CREATE TRIGGER people_removed AFTER DELETE ON people FOR EACH ROW
     WHEN (OLD.account_id IS NOT NULL) EXECUTE FUNCTION remove_account_without_people()`,
  `CREATE TRIGGER people_account AFTER UPDATE OF account_id ON people FOR EACH ROW
     WHEN (OLD.account_id IS NOT NULL AND OLD.account_id IS DISTINCT FROM NEW.account_id)
     EXECUTE FUNCTION remove_account_without_people()`,
];
