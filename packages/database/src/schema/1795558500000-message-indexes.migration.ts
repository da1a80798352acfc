import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes that find the conversations with an answer that abstained or is rated. */
export class MessageIndexes1795558500000 implements MigrationInterface {
  name = 'MessageIndexes1795558500000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE INDEX messages_abstained ON messages (organization_id, conversation_id) WHERE abstained`,
  `CREATE INDEX messages_rated ON messages (organization_id, rating, conversation_id) WHERE rating IS NOT NULL`,
];
