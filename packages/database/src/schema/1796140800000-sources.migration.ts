import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sources: their secrets, what they list, their syncs, and documents that are hidden because their source no longer lists
 * them. Descriptions of pictures.
 */
export class Sources1796140800000 implements MigrationInterface {
  name = 'Sources1796140800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE datasources
     ADD COLUMN hidden_at timestamptz,
     ADD COLUMN access text[],
     ADD COLUMN sealed_secrets jsonb`,
  `ALTER TABLE organizations ADD COLUMN has_restricted_documents boolean NOT NULL DEFAULT false`,
  `CREATE INDEX datasources_hidden ON datasources (hidden_at) WHERE hidden_at IS NOT NULL AND deleted_at IS NULL`,
  `CREATE TABLE source_documents (
     source_id uuid NOT NULL,
     document_id text COLLATE "C" NOT NULL,
     organization_id uuid NOT NULL,
     path text COLLATE "C" NOT NULL,
     version text NOT NULL,
     bytes bigint,
     modified_at timestamptz,
     url text,
     is_wanted boolean NOT NULL DEFAULT true,
     found_in uuid NOT NULL,
     is_due boolean NOT NULL DEFAULT false,
     fetched_version text,
     datasource_id uuid,
     reason text,
     access text[],
     CONSTRAINT "PK_source_documents" PRIMARY KEY (source_id, document_id),
     CONSTRAINT "FK_c9b8c91172b402cadfd6e14b762" FOREIGN KEY (organization_id, source_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX source_documents_due ON source_documents (source_id, path) WHERE is_due`,
  `CREATE INDEX source_documents_of_a_datasource ON source_documents (datasource_id) WHERE datasource_id IS NOT NULL`,
  `CREATE TABLE source_syncs (
     run_id uuid NOT NULL,
     organization_id uuid NOT NULL,
     source_id uuid NOT NULL,
     config jsonb NOT NULL,
     cursor text,
     listed_at timestamptz,
     found integer NOT NULL DEFAULT 0,
     processed integer NOT NULL DEFAULT 0,
     failed integer NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_source_syncs" PRIMARY KEY (run_id),
     CONSTRAINT "FK_be7c92f9c039775baef2c03b6fd" FOREIGN KEY (organization_id, source_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX source_syncs_of_a_source ON source_syncs (source_id)`,
  `CREATE TABLE source_groups (
     source_id uuid NOT NULL,
     principal text COLLATE "C" NOT NULL,
     organization_id uuid NOT NULL,
     people text[] NOT NULL,
     found_in uuid NOT NULL,
     CONSTRAINT "PK_source_groups" PRIMARY KEY (source_id, principal),
     CONSTRAINT "FK_2ff1c93c898dd462566ca402644" FOREIGN KEY (organization_id, source_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX source_groups_of_a_person ON source_groups USING gin (people)`,
  `CREATE TABLE picture_descriptions (
     datasource_id uuid NOT NULL,
     picture text COLLATE "C" NOT NULL,
     model text NOT NULL,
     organization_id uuid NOT NULL,
     description text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_picture_descriptions" PRIMARY KEY (datasource_id, picture, model),
     CONSTRAINT "FK_777c1dcd211a84c63252bdde93c" FOREIGN KEY (organization_id, datasource_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX picture_descriptions_of_a_picture ON picture_descriptions (organization_id, picture, model)`,
];
