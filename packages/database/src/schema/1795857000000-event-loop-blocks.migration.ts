import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Blocks of an event loop that ended a process. */
export class EventLoopBlocks1795857000000 implements MigrationInterface {
  name = 'EventLoopBlocks1795857000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "event_loop_blocks" ("id" uuid NOT NULL, "at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "app" text NOT NULL, "run_id" uuid, "request_id" text, "stack" text NOT NULL, CONSTRAINT "event_loop_blocks_pkey" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "IDX_434a1a138b8999134ee46a03f0" ON "event_loop_blocks" ("at") `);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
