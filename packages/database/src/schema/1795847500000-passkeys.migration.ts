import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credentials of WebAuthn. */
export class Passkeys1795847500000 implements MigrationInterface {
  name = 'Passkeys1795847500000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "passkeys" ("id" uuid NOT NULL, "account_id" uuid NOT NULL, "credential_id" text NOT NULL,
     "public_key" bytea NOT NULL, "counter" bigint NOT NULL, "transports" text array NOT NULL, "name" text NOT NULL,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "last_used_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "UQ_81b80835fab9dcadaebc6d168ab" UNIQUE ("credential_id"),
     CONSTRAINT "PK_db928e6fd79e7098911268a74c3" PRIMARY KEY ("id"),
     CONSTRAINT "FK_9ffdc168cb3a548b62f48ea79e5" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_9ffdc168cb3a548b62f48ea79e" ON "passkeys" ("account_id")`,
  `CREATE TABLE "passkey_challenges" ("hash" text NOT NULL, "challenge" text NOT NULL, "account_id" uuid,
     "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     CONSTRAINT "PK_a95b0ec8677e89dc1cda4715f05" PRIMARY KEY ("hash"),
     CONSTRAINT "FK_da88cb8c7f818a35fa2b894fb5f" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_da88cb8c7f818a35fa2b894fb5" ON "passkey_challenges" ("account_id")`,
  `CREATE INDEX "IDX_86f256b798ad789a88ec37744b" ON "passkey_challenges" ("expires_at")`,
];
