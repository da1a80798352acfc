import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was added, changed and removed in a datastore. */
export class DocumentChanges1796068800000 implements MigrationInterface {
  name = 'DocumentChanges1796068800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE document_changes (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     datastore_id uuid NOT NULL,
     datasource_id uuid NOT NULL,
     kind text NOT NULL,
     name text NOT NULL,
     sentences jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_56a0020b32d7be158f083efdedf" PRIMARY KEY (id),
     CONSTRAINT "FK_4ed9314ac98a6acaa32759ba349" FOREIGN KEY (organization_id, datastore_id)
       REFERENCES datastores(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_709b5d9fd695171a1e8b68fd4a" ON document_changes (organization_id, datastore_id, id)`,
  `CREATE INDEX "IDX_e9c96eea7ffd5ded6341d55ca7" ON document_changes (datasource_id)`,
  `CREATE INDEX "IDX_023caa8a902532f45d4d7894d2" ON document_changes (created_at)`,
];
