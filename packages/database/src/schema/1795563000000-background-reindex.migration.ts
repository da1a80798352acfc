import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A datasource may be reindexed in the background while another run brings it up to date. */
export class BackgroundReindex1795563000000 implements MigrationInterface {
  name = 'BackgroundReindex1795563000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE datasources ADD reindexed_run_id uuid`,
  `DROP INDEX runs_one_unfinished`,
  `CREATE UNIQUE INDEX runs_one_unfinished ON runs (datasource_id) WHERE state IN ('pending', 'queued', 'active') AND trigger <> 'reindex'`,
  `CREATE UNIQUE INDEX runs_one_reindex ON runs (datasource_id) WHERE state IN ('pending', 'queued', 'active') AND trigger = 'reindex'`,
];
