import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People sign in at the identity providers of their organization. */
export class IdentityProviders1795848000000 implements MigrationInterface {
  name = 'IdentityProviders1795848000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "identity_providers" (
     "id" uuid NOT NULL, "organization_id" uuid NOT NULL, "name" text NOT NULL, "issuer" text NOT NULL,
     "client_id" text, "sealed_client_secret" text, "scopes" text NOT NULL,
     "email_domains" text array NOT NULL, "default_role" text, "groups_claim" text NOT NULL,
     "group_roles" jsonb NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "PK_3ac9e77e3690c03f7f25579c8e0" PRIMARY KEY ("id"),
     CONSTRAINT "FK_3739c8f28b4116fc8e84f0ce845"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_3739c8f28b4116fc8e84f0ce84" ON "identity_providers" ("organization_id")`,
  `CREATE TABLE "identities" (
     "provider_id" uuid NOT NULL, "subject" text NOT NULL, "organization_id" uuid NOT NULL,
     "person_id" uuid NOT NULL, "group_role" text,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "PK_965652454d27c0e7ccd82aacbde" PRIMARY KEY ("provider_id", "subject"),
     CONSTRAINT "FK_d78bd4c86b2e5ca3f6bbb3c1586"
       FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE,
     CONSTRAINT "FK_d6e0200469873a082cd1c5e14b1"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE,
     CONSTRAINT "FK_a0c1afad8e0cd3ce01d06204ef3"
       FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_a0c1afad8e0cd3ce01d06204ef" ON "identities" ("person_id")`,
  `CREATE INDEX "IDX_d6e0200469873a082cd1c5e14b" ON "identities" ("organization_id")`,
  `CREATE TABLE "provider_sign_ins" (
     "state_hash" text NOT NULL, "organization_id" uuid NOT NULL, "provider_id" uuid NOT NULL,
     "browser_hash" text NOT NULL, "nonce" text NOT NULL, "code_verifier" text NOT NULL,
     "return_path" text NOT NULL, "previous_session_hash" text,
     "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     CONSTRAINT "PK_098187512edfbfbf394917aa70a" PRIMARY KEY ("state_hash"),
     CONSTRAINT "FK_7cfb5435f3a78896a0ed3e2b1f8"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE,
     CONSTRAINT "FK_ac6146ce869d422e1320f13dfa6"
       FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_0f38705f9df2eeced642ca91ce" ON "provider_sign_ins" ("expires_at")`,
  `CREATE INDEX "IDX_ac6146ce869d422e1320f13dfa" ON "provider_sign_ins" ("provider_id")`,
  `CREATE INDEX "IDX_7cfb5435f3a78896a0ed3e2b1f" ON "provider_sign_ins" ("organization_id")`,
  `CREATE TABLE "provider_sessions" (
     "session_id" uuid NOT NULL, "organization_id" uuid NOT NULL, "provider_id" uuid NOT NULL,
     "subject" text NOT NULL, "sealed_tokens" text NOT NULL, "check_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "PK_446952663d64522001ebb81c22f" PRIMARY KEY ("session_id"),
     CONSTRAINT "FK_446952663d64522001ebb81c22f"
       FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE,
     CONSTRAINT "FK_fc8234d59e84ba78541da792f3c"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE,
     CONSTRAINT "FK_ee6e2a3b0ec425072923d84d305"
       FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "provider_sessions_due" ON "provider_sessions" ("check_at") WHERE check_at IS NOT NULL`,
  `CREATE INDEX "IDX_1dacdfd67e2fae5354f45c42d7" ON "provider_sessions" ("provider_id", "subject")`,
  `CREATE INDEX "IDX_fc8234d59e84ba78541da792f3" ON "provider_sessions" ("organization_id")`,
];
