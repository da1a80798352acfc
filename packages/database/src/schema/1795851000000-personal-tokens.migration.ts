import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People have tokens. Processes of the release before take them for API keys with the scopes of the token. */
export class PersonalTokens1795851000000 implements MigrationInterface {
  name = 'PersonalTokens1795851000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "api_keys" ADD "person_id" uuid`,
  `ALTER TABLE "api_keys" ADD CONSTRAINT "FK_5e19943c81194a4e9c8bdbd297d"
     FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE`,
  `CREATE INDEX "api_keys_of_person" ON "api_keys" ("person_id") WHERE person_id IS NOT NULL`,
];
