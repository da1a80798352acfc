import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes what a provider said about its rate limit known to all workers, and bounds the purges in flight. */
export class Patience1763800000000 implements MigrationInterface {
  name = 'Patience1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE provider_pauses (
     account text NOT NULL,
     until timestamptz NOT NULL,
     CONSTRAINT "PK_9bb8f239a044231daa64a457b6a" PRIMARY KEY (account)
   )`,
  `CREATE INDEX purges_in_flight ON purges (not_before) WHERE attempts > 0`,
];
