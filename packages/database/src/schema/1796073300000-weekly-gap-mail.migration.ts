import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Owners get a mail of the questions without an answer once a week. */
export class WeeklyGapMail1796073300000 implements MigrationInterface {
  name = 'WeeklyGapMail1796073300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD gap_mail_due_at timestamptz');
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
