import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Questions in progress count for budgets of questions. */
export class UsageReservations1795858000000 implements MigrationInterface {
  name = 'UsageReservations1795858000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "usage_reservations" ("id" uuid NOT NULL, "organization_id" uuid NOT NULL, "person_id" uuid,
         "agent_id" uuid NOT NULL, "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
         CONSTRAINT "PK_11d6b9b34ec31afc3a6513ca39c" PRIMARY KEY ("id"),
         CONSTRAINT "FK_1aec42964c18340d4b6c2924679" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
    );
    await runner.query(
      `CREATE INDEX "IDX_1aec42964c18340d4b6c292467" ON "usage_reservations" ("organization_id")`,
    );
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
