import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations remember that a datastore has had chosen readers, also after it was deleted. */
export class ChosenReaders1795855000000 implements MigrationInterface {
  name = 'ChosenReaders1795855000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE organizations ADD has_chosen_readers boolean NOT NULL DEFAULT false`);
    await runner.query(
      `UPDATE organizations o SET has_chosen_readers = true
        WHERE EXISTS (SELECT 1 FROM datastores s WHERE s.organization_id = o.id AND s.readers = 'chosen')`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
