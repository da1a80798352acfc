import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Evaluations with questions of one's own, and what came out. */
export class Evaluations1795714674518 implements MigrationInterface {
  name = 'Evaluations1795714674518';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE evaluations (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     state text NOT NULL DEFAULT 'waiting',
     configuration jsonb NOT NULL,
     baseline jsonb,
     questions jsonb NOT NULL,
     due_at timestamptz NOT NULL DEFAULT now(),
     attempts int NOT NULL DEFAULT '0',
     result jsonb,
     error jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     CONSTRAINT "UQ_aceb5cb9dd7d9736f41564a003d" UNIQUE (organization_id, id),
     CONSTRAINT "PK_f683b433eba0e6dae7e19b29e29" PRIMARY KEY (id)
   )`,
  `CREATE INDEX evaluations_to_do ON evaluations (due_at) WHERE state IN ('waiting', 'running')`,
  `CREATE TABLE evaluation_outcomes (
     evaluation_id uuid NOT NULL,
     side text NOT NULL,
     position int NOT NULL,
     organization_id uuid NOT NULL,
     outcome jsonb NOT NULL,
     CONSTRAINT "PK_6b24d956220c6e4cd5672040dd0" PRIMARY KEY (evaluation_id, side, position)
   )`,
  `CREATE INDEX "IDX_9a2324a37f105315461dab9d46" ON evaluation_outcomes (organization_id, evaluation_id)`,
  `ALTER TABLE evaluations ADD CONSTRAINT "FK_ef05f3da7ff0ec019d52c5f41f5" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE evaluation_outcomes ADD CONSTRAINT "FK_9a2324a37f105315461dab9d465" FOREIGN KEY (organization_id, evaluation_id) REFERENCES evaluations(organization_id, id) ON DELETE CASCADE`,
];
