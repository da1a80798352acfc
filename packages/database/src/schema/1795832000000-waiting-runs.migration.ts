import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The run of a group whose pages or files are unfinished has a state of its own. A crawl records when it was finished. */
export class WaitingRuns1795832000000 implements MigrationInterface {
  name = 'WaitingRuns1795832000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const UNFINISHED = `state IN ('pending', 'queued', 'active', 'waiting')`;

const STATEMENTS = [
  `ALTER TABLE crawls ADD finished_at timestamptz`,
  `UPDATE crawls SET finished_at = runs.discovered_at FROM runs WHERE runs.id = crawls.run_id`,
  `UPDATE runs SET state = 'waiting' WHERE state = 'pending' AND discovered_at IS NOT NULL`,
  `DROP INDEX runs_one_unfinished`,
  `CREATE UNIQUE INDEX runs_one_unfinished ON runs (datasource_id) WHERE ${UNFINISHED} AND trigger <> 'reindex'`,
  `DROP INDEX runs_one_reindex`,
  `CREATE UNIQUE INDEX runs_one_reindex ON runs (datasource_id) WHERE ${UNFINISHED} AND trigger = 'reindex'`,
  `DROP INDEX runs_of_a_group`,
  `CREATE INDEX runs_of_a_group ON runs (group_id) WHERE group_id IS NOT NULL AND ${UNFINISHED}`,
  `DROP INDEX runs_discovered`,
  `CREATE INDEX runs_waiting ON runs (created_at) WHERE state = 'waiting'`,
  `ALTER TABLE runs DROP COLUMN discovered_at`,
];
