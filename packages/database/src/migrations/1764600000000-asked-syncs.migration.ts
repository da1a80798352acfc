import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is asked for while a run is under way, which the run's end and no schedule decides on. */
export class AskedSyncs1764600000000 implements MigrationInterface {
  name = 'AskedSyncs1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE datasources ADD COLUMN sync_asked boolean NOT NULL DEFAULT false');
    await runner.query(
      `CREATE INDEX datasources_asked_to_sync ON datasources (id) WHERE sync_asked AND deleted_at IS NULL`,
    );
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
