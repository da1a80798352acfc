import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the datasources of a datastore by status from an index, without reading their rows. */
export class DatastoreProgress1795604414903 implements MigrationInterface {
  name = 'DatastoreProgress1795604414903';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE INDEX datasources_by_status ON datasources (organization_id, datastore_id, status, last_synch) WHERE deleted_at IS NULL`,
];
