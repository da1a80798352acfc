import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Questions without an answer, by subject. A trigger adds each to the questions that are to be compared. */
export class Gaps1796057994623 implements MigrationInterface {
  name = 'Gaps1796057994623';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE gaps (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     last_asked_at timestamptz NOT NULL,
     marked_at timestamptz,
     marked_by uuid,
     claimed_at timestamptz,
     checked_at timestamptz,
     answered_at timestamptz,
     datasource_id uuid,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_ef311f9593d985bb2d81ebb8000" PRIMARY KEY (id),
     CONSTRAINT "UQ_2a15b32e19e53b5dd026e3bbbdf" UNIQUE (organization_id, id),
     CONSTRAINT "FK_4372910cdd474c3c822691271c3" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE,
     CONSTRAINT "FK_e2c4d0f46d2e97c582f4c01b7d5" FOREIGN KEY (marked_by) REFERENCES people(id) ON DELETE SET NULL
   )`,
  `CREATE INDEX gaps_latest ON gaps (organization_id, last_asked_at)`,
  `CREATE TABLE gap_questions (
     answer_id uuid NOT NULL,
     organization_id uuid NOT NULL,
     gap_id uuid,
     space text,
     vector bytea,
     CONSTRAINT "PK_b042536ba09b7981b2c21108260" PRIMARY KEY (answer_id),
     CONSTRAINT "FK_b042536ba09b7981b2c21108260" FOREIGN KEY (answer_id) REFERENCES messages(id) ON DELETE CASCADE,
     CONSTRAINT "FK_d0f8a0c6df08329c5584ce1dbf0" FOREIGN KEY (organization_id, gap_id)
       REFERENCES gaps(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_4ce5de9fb53fc5d6636cba1ec8" ON gap_questions (organization_id, gap_id, answer_id)`,
  `CREATE INDEX gap_questions_new ON gap_questions (organization_id, answer_id) WHERE gap_id IS NULL`,
  `CREATE FUNCTION add_gap_question() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO gap_questions (answer_id, organization_id) VALUES (NEW.id, NEW.organization_id) ON CONFLICT DO NOTHING;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER messages_gaps_insert AFTER INSERT ON messages FOR EACH ROW
    WHEN (NEW.abstained) EXECUTE FUNCTION add_gap_question()`,
  `CREATE TRIGGER messages_gaps_update AFTER UPDATE OF abstained ON messages FOR EACH ROW
    WHEN (NEW.abstained AND NOT OLD.abstained) EXECUTE FUNCTION add_gap_question()`,
  `INSERT INTO gap_questions (answer_id, organization_id) SELECT id, organization_id FROM messages WHERE abstained`,
];
