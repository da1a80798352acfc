import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the warnings of a parsed document with its run. */
export class RunWarnings1795700000000 implements MigrationInterface {
  name = 'RunWarnings1795700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs ADD warning jsonb');
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
