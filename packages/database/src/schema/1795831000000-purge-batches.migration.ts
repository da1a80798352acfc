import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The dispatcher claims purges in batches. Purges in flight are due again when their claim ends, as after a crash. */
export class PurgeBatches1795831000000 implements MigrationInterface {
  name = 'PurgeBatches1795831000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE purges ADD batch_id uuid`,
  `UPDATE purges SET batch_id = id WHERE attempts > 0`,
  `DROP INDEX purges_in_flight`,
  `CREATE INDEX purges_in_flight ON purges (batch_id) WHERE batch_id IS NOT NULL`,
  `ALTER TABLE purges DROP COLUMN attempts`,
];
