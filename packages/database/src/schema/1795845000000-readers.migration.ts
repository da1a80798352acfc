import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A datastore is read by everyone of its organization, or by chosen people and groups. */
export class Readers1795845000000 implements MigrationInterface {
  name = 'Readers1795845000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "datastores" ADD "readers" text NOT NULL DEFAULT 'everyone'`,
  `CREATE TABLE "datastore_readers" ("id" uuid NOT NULL, "organization_id" uuid NOT NULL, "datastore_id" uuid NOT NULL,
     "person_id" uuid, "group_id" uuid,
     CONSTRAINT "UQ_eacdeb69bb277d3c65781dcfe5b" UNIQUE ("datastore_id", "group_id"),
     CONSTRAINT "UQ_a55b5164d5e240e06237258fd4b" UNIQUE ("datastore_id", "person_id"),
     CONSTRAINT "datastore_readers_one" CHECK (num_nonnulls(person_id, group_id) = 1),
     CONSTRAINT "PK_1ce000adad6a8ee9b9c7877f0dc" PRIMARY KEY ("id"),
     CONSTRAINT "FK_e469765e4cd6618d349f3df3d3c" FOREIGN KEY ("organization_id", "datastore_id")
       REFERENCES "datastores"("organization_id", "id") ON DELETE CASCADE,
     CONSTRAINT "FK_93f43f8e8c4796745dade6d7644" FOREIGN KEY ("organization_id", "person_id")
       REFERENCES "people"("organization_id", "id") ON DELETE CASCADE,
     CONSTRAINT "FK_6daa18dfff006b9cf0c241dc038" FOREIGN KEY ("organization_id", "group_id")
       REFERENCES "groups"("organization_id", "id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_0fd81348ffd5551c07f1e3d028" ON "datastore_readers" ("organization_id", "person_id", "datastore_id")`,
  `CREATE INDEX "IDX_7e94d171575fa3331474d8b69c" ON "datastore_readers" ("organization_id", "group_id", "datastore_id")`,
  `ALTER TABLE "evaluations" ADD "person_id" uuid`,
  `ALTER TABLE "evaluations" ADD "datastore_ids" uuid array NOT NULL DEFAULT '{}'`,
  // What an evaluation of before has searched is not recorded. The datastores of its agents are known.
  `UPDATE "evaluations" e SET "datastore_ids" = ARRAY(
     SELECT DISTINCT s."id" FROM "datastores" s
      WHERE s."organization_id" = e."organization_id" AND (
        s."id"::text IN (lower(e."configuration"->>'datastoreId'), lower(e."baseline"->>'datastoreId'))
        OR EXISTS (
          SELECT 1 FROM "agent_datastores" a
           WHERE a."organization_id" = s."organization_id" AND a."datastore_id" = s."id"
             AND a."agent_id"::text IN (lower(e."configuration"->>'agentId'), lower(e."baseline"->>'agentId')))))`,
];
