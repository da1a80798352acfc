import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of an organization's runs, the one goes first that has waited longest, and no longer the one that was made first. */
export class DispatchOrder1764500000000 implements MigrationInterface {
  name = 'DispatchOrder1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX runs_to_dispatch');
    await runner.query(
      `CREATE INDEX runs_to_dispatch ON runs (stage, organization_id, not_before) WHERE state = 'pending'`,
    );
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
