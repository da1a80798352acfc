import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports of deleted organizations. */
export class Erasures1795842000000 implements MigrationInterface {
  name = 'Erasures1795842000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE erasures (
         id uuid PRIMARY KEY,
         found jsonb NOT NULL,
         created_at timestamptz NOT NULL DEFAULT now(),
         completed_at timestamptz
       )`,
    );
    await runner.query(`CREATE INDEX erasures_in_progress ON erasures (id) WHERE completed_at IS NULL`);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
