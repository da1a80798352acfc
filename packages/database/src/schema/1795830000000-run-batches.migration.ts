import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The dispatcher delivers small runs in batches. What is in flight was delivered run by run. */
export class RunBatches1795830000000 implements MigrationInterface {
  name = 'RunBatches1795830000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE runs ADD batch_id uuid`,
  // A run without this time was claimed together with another one.
  `UPDATE runs SET batch_id = id, queued_at = coalesce(queued_at, now()) WHERE state IN ('queued', 'active')`,
];
