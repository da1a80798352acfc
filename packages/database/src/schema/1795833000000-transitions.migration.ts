import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refuses changes of a run's state, and of a datasource's status, that `runs/transitions.ts` does not have. */
export class Transitions1795833000000 implements MigrationInterface {
  name = 'Transitions1795833000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE FUNCTION refuse_transition() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION 'The % of a row of % cannot change from % to %', TG_ARGV[0], TG_TABLE_NAME,
       to_jsonb(OLD)->>TG_ARGV[0], to_jsonb(NEW)->>TG_ARGV[0] USING ERRCODE = 'check_violation';
   END $$`,
  `CREATE TRIGGER runs_state BEFORE UPDATE OF state ON runs FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
      ('pending', 'queued'), ('pending', 'cancelled'),
      ('queued', 'active'), ('queued', 'pending'), ('queued', 'cancelled'),
      ('active', 'pending'), ('active', 'waiting'), ('active', 'succeeded'), ('active', 'failed'), ('active', 'cancelled'),
      ('waiting', 'succeeded'), ('waiting', 'failed'), ('waiting', 'cancelled')))
    EXECUTE FUNCTION refuse_transition('state')`,
  `CREATE TRIGGER datasources_status BEFORE UPDATE OF status ON datasources FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
      ('unsynched', 'running'), ('unsynched', 'synched'), ('unsynched', 'error'),
      ('running', 'unsynched'), ('running', 'synched'), ('running', 'error'), ('running', 'usage_limit_reached'),
      ('synched', 'unsynched'), ('synched', 'running'), ('synched', 'error'),
      ('error', 'unsynched'), ('error', 'running'), ('error', 'synched'), ('error', 'usage_limit_reached'),
      ('usage_limit_reached', 'unsynched'), ('usage_limit_reached', 'running'), ('usage_limit_reached', 'synched'), ('usage_limit_reached', 'error')))
    EXECUTE FUNCTION refuse_transition('status')`,
];
