import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Usage by day, person, agent and model; prices of models; budgets. */
export class UsageDays1795853000000 implements MigrationInterface {
  name = 'UsageDays1795853000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE "usage_days" ("organization_id" uuid NOT NULL, "day" date NOT NULL, "actor_kind" text NOT NULL,
     "actor_id" uuid NOT NULL, "agent_id" uuid NOT NULL, "model" text NOT NULL, "currency" text NOT NULL,
     "questions" integer NOT NULL, "input_tokens" bigint NOT NULL, "output_tokens" bigint NOT NULL,
     "estimated_tokens" bigint NOT NULL, "cost" numeric NOT NULL,
     CONSTRAINT "PK_f850f1d30748783d7d32188c428"
       PRIMARY KEY ("organization_id", "day", "actor_kind", "actor_id", "agent_id", "model", "currency"),
     CONSTRAINT "FK_5f9a3ac08316694a633c0a3642c"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE TABLE "model_prices" ("organization_id" uuid NOT NULL, "model" text NOT NULL, "currency" text NOT NULL,
     "input_price" numeric NOT NULL, "output_price" numeric NOT NULL,
     CONSTRAINT "PK_a8067c525216532c45fbf192eec" PRIMARY KEY ("organization_id", "model"),
     CONSTRAINT "FK_c927cca7562f870e4c5bff14f98"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE TABLE "budgets" ("id" uuid NOT NULL, "organization_id" uuid NOT NULL, "subject_kind" text NOT NULL,
     "subject_id" uuid, "measure" text NOT NULL, "amount" numeric NOT NULL, "warn_percent" integer NOT NULL,
     CONSTRAINT "PK_9c8a51748f82387644b773da482" PRIMARY KEY ("id"),
     CONSTRAINT "FK_3d28fa6e3ea783e261d6d2240f1"
       FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE)`,
  `CREATE INDEX "IDX_3d28fa6e3ea783e261d6d2240f" ON "budgets" ("organization_id")`,
];
