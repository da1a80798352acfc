import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what. Events are added, and removed when they are old or with their organization; they never change. */
export class AuditEvents1795852000000 implements MigrationInterface {
  name = 'AuditEvents1795852000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "audit_events" ("id" uuid NOT NULL, "organization_id" uuid NOT NULL,
     "at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "actor_kind" text NOT NULL, "actor_id" uuid,
     "actor_name" text, "action" text NOT NULL, "target_kind" text, "target_id" text, "target_name" text,
     "address" text, "user_agent" text, "outcome" text NOT NULL, "details" jsonb NOT NULL DEFAULT '{}',
     CONSTRAINT "PK_910f64d901a5c3e9878f0d4a407" PRIMARY KEY ("id"),
     CONSTRAINT "FK_6510e4bf7423cd3d750e8c2ae81"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_4153fd8d3a470436a6541b492b" ON "audit_events" ("organization_id", "at", "id")`,
  `ALTER TABLE "organizations" ADD "audit_retention_days" integer NOT NULL DEFAULT 365`,
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'Audit events never change'; END $$`,
  `CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON "audit_events"
     FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
];
