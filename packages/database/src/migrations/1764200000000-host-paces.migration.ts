import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Crawlers space out their requests to a host together. */
export class HostPaces1764200000000 implements MigrationInterface {
  name = 'HostPaces1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE host_paces (host text PRIMARY KEY, next_start timestamptz NOT NULL)');
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
