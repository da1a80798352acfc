import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An e-mail that only its person has asserted does not identify the person to a provider. */
export class EmailClaims1795854000000 implements MigrationInterface {
  name = 'EmailClaims1795854000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "people" ADD "email_claimed" boolean NOT NULL DEFAULT false`);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
