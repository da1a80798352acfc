import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Purges of datastores go first, and what is asked for twice is carried out once. */
export class PurgeOrder1764100000000 implements MigrationInterface {
  name = 'PurgeOrder1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX purges_of_datastores ON purges (not_before) WHERE kind = 'datastore'`);
    await runner.query('CREATE INDEX purges_of_a_target ON purges (target_id)');
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
