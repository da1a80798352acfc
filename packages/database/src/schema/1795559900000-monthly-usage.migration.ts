import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens and stored characters by month. */
export class MonthlyUsage1795559900000 implements MigrationInterface {
  name = 'MonthlyUsage1795559900000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE usage_counters ADD input_tokens bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE usage_counters ADD output_tokens bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE usage_counters ADD stored_characters bigint`,
];
