import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that web pages contain, and the conversations of their visitors. */
export class PublishableKeys1795561500000 implements MigrationInterface {
  name = 'PublishableKeys1795561500000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE api_keys ADD agent_id uuid, ADD allowed_origins text[], ADD daily_limit integer,
     ADD messages_on date, ADD messages integer`,
  `ALTER TABLE conversations ADD visitor_token_hash text`,
  `ALTER TABLE api_keys ADD CONSTRAINT "FK_1c40e666ae8a4b0d6ab21290ed7" FOREIGN KEY (organization_id, agent_id) REFERENCES agents(organization_id,id) ON DELETE CASCADE`,
];
