import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many passages an agent's answer may be based on, and the least relevance of a passage. */
export class AgentPassages1795587228276 implements MigrationInterface {
  name = 'AgentPassages1795587228276';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE agents ADD top_k integer NOT NULL DEFAULT 12, ADD min_score double precision NOT NULL DEFAULT '0.5'`,
];
