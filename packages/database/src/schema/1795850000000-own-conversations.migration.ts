import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conversations belong to the people who ask. Processes of the release before take those of people for those of keys. */
export class OwnConversations1795850000000 implements MigrationInterface {
  name = 'OwnConversations1795850000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "organizations" ADD "owners_read_conversations_since" TIMESTAMP WITH TIME ZONE`,
  `ALTER TABLE "conversations" ADD "person_id" uuid, ADD "api_key_id" uuid, ADD "personal_id" text, ADD "title" text`,
  `ALTER TABLE "conversations" ADD CONSTRAINT "FK_b9b9c2ff69cf3e109c88d886f22"
     FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE`,
  `CREATE UNIQUE INDEX "conversations_of_person" ON "conversations" ("person_id", "agent_id", "personal_id")
     WHERE person_id IS NOT NULL`,
  `CREATE INDEX "conversations_of_key" ON "conversations" ("api_key_id", "id") WHERE api_key_id IS NOT NULL`,
  `CREATE INDEX "conversations_latest_of_person" ON "conversations" ("person_id", "updated_at")
     WHERE person_id IS NOT NULL`,
];
