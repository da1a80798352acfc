import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An agent of each organization searches every datastore that the reader may read. */
export class AgentOfAllDatastores1796064000000 implements MigrationInterface {
  name = 'AgentOfAllDatastores1796064000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD all_datastores boolean NOT NULL DEFAULT false');
    await runner.query(
      'CREATE UNIQUE INDEX agents_of_all_datastores ON agents (organization_id) WHERE all_datastores',
    );
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
