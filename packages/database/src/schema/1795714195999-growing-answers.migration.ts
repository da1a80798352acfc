import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers that are stored while they are written. */
export class GrowingAnswers1795714195999 implements MigrationInterface {
  name = 'GrowingAnswers1795714195999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE messages ADD state text NOT NULL DEFAULT 'complete', ADD heartbeat_at timestamptz,
         ADD stop_requested boolean NOT NULL DEFAULT false, ADD error jsonb`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
