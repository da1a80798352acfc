import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the files of a datastore that have a name, and the uploads that have a digest. */
export class EqualFiles1795703000000 implements MigrationInterface {
  name = 'EqualFiles1795703000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX files_by_name ON datasources (organization_id, datastore_id, name)
        WHERE type = 'file' AND group_id IS NULL AND deleted_at IS NULL`,
    );
    await runner.query(
      `CREATE INDEX blobs_of_uploads ON blobs (organization_id, sha256)
        WHERE run_id IS NULL AND sha256 IS NOT NULL`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
