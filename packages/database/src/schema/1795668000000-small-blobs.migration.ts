import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps small blobs in the database. Those that are stored already stay where they are. */
export class SmallBlobs1795668000000 implements MigrationInterface {
  name = 'SmallBlobs1795668000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE small_blobs (
     key text COLLATE "C" NOT NULL,
     content bytea NOT NULL,
     modified_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_786f3dcba11dcc2246e4eb5eb15" PRIMARY KEY (key)
   )`,
];
