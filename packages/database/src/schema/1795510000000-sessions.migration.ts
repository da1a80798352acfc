import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of browsers that are signed in with an API key. */
export class Sessions1795510000000 implements MigrationInterface {
  name = 'Sessions1795510000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE sessions (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     api_key_id uuid NOT NULL,
     hash text NOT NULL,
     expires_at timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_31be0a69981767c841026c309ed" UNIQUE (hash),
     CONSTRAINT "PK_3238ef96f18b355b671619111bc" PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_9cfe37d28c3b229a350e086d94" ON sessions (expires_at)`,
  `CREATE INDEX "IDX_1a82f723bb94976311f5fcc450" ON sessions (api_key_id)`,
  `CREATE INDEX "IDX_a9e3486bb3e8509466d4c9d6c9" ON sessions (organization_id)`,
  `ALTER TABLE sessions ADD CONSTRAINT "FK_a9e3486bb3e8509466d4c9d6c93" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE sessions ADD CONSTRAINT "FK_1a82f723bb94976311f5fcc4505" FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE`,
];
