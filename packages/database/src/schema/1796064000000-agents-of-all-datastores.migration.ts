import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents may search every datastore that the reader may read. */
export class AgentsOfAllDatastores1796064000000 implements MigrationInterface {
  name = 'AgentsOfAllDatastores1796064000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD all_datastores boolean NOT NULL DEFAULT false');
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
