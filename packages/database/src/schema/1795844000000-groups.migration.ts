import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Groups of people, who may read the same libraries. */
export class Groups1795844000000 implements MigrationInterface {
  name = 'Groups1795844000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE "people" ADD CONSTRAINT "UQ_516886b1745c3072ee978116b77" UNIQUE ("organization_id", "id")`,
  `CREATE TABLE "groups" ("id" uuid NOT NULL, "organization_id" uuid NOT NULL, "name" text NOT NULL,
     "name_key" text NOT NULL, "external_id" text, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_b4e91962596b463d59926f7a2f5" UNIQUE ("organization_id", "external_id"),
     CONSTRAINT "UQ_57c11bc5cf8cd5db7b8842e593b" UNIQUE ("organization_id", "name_key"),
     CONSTRAINT "UQ_eb0d906156885b1b3e716d09fad" UNIQUE ("organization_id", "id"),
     CONSTRAINT "PK_659d1483316afb28afd3a90646e" PRIMARY KEY ("id"),
     CONSTRAINT "FK_f7f1b335edff519132aa2163fef"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE TABLE "group_members" ("organization_id" uuid NOT NULL, "group_id" uuid NOT NULL, "person_id" uuid NOT NULL,
     CONSTRAINT "PK_79032b6af5104e25d805b0ab3ec" PRIMARY KEY ("organization_id", "group_id", "person_id"),
     CONSTRAINT "FK_8595337fe0432b53c3208329853" FOREIGN KEY ("organization_id", "group_id")
       REFERENCES "groups"("organization_id", "id") ON DELETE CASCADE,
     CONSTRAINT "FK_52b6f73416c1834a825c396c4f8" FOREIGN KEY ("organization_id", "person_id")
       REFERENCES "people"("organization_id", "id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_52b6f73416c1834a825c396c4f" ON "group_members" ("organization_id", "person_id")`,
];
