import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells the organization of the first start apart. It used to be the oldest, which is another tenant's as soon as
 * deleted organizations leave no row behind.
 */
export class FirstOrganization1763700000000 implements MigrationInterface {
  name = 'FirstOrganization1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE organizations ADD COLUMN is_first boolean NOT NULL DEFAULT false`,
  // If the oldest was deleted, none is.
  `UPDATE organizations SET is_first = true
    WHERE deleted_at IS NULL AND id = (SELECT id FROM organizations ORDER BY id LIMIT 1)`,
  `CREATE UNIQUE INDEX organizations_first ON organizations (is_first) WHERE is_first`,
  `CREATE INDEX organizations_deleted ON organizations (deleted_at) WHERE deleted_at IS NOT NULL`,
];
