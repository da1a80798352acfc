import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Endpoints that are told about events, and the messages to them. Triggers record events of datasources and of usage, one
 * message for each endpoint that asks for the event. They run in the transaction of the change, also for a change of a
 * process of the previous release: there is one message for a committed change, and none for one that was rolled back.
 */
export class Webhooks1795840000000 implements MigrationInterface {
  name = 'Webhooks1795840000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE webhooks (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     url text NOT NULL,
     events text[] NOT NULL,
     sealed_secret text NOT NULL,
     previous_sealed_secret text,
     previous_until timestamptz,
     failing_since timestamptz,
     disabled_reason text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_cf455c94758b3a55f84de84b07d" UNIQUE (organization_id, id),
     CONSTRAINT "PK_9e8795cfc899ab7bdaa831e8527" PRIMARY KEY (id)
   )`,
  `CREATE TABLE webhook_deliveries (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     webhook_id uuid NOT NULL,
     type text NOT NULL,
     data jsonb NOT NULL,
     state text NOT NULL DEFAULT 'pending',
     attempts int NOT NULL DEFAULT '0',
     due_at timestamptz NOT NULL DEFAULT now(),
     leased_until timestamptz,
     last_attempt_at timestamptz,
     response_status int,
     error text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_535dd409947fb6d8fc6dfc0112a" PRIMARY KEY (id)
   )`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE state = 'pending'`,
  `CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook_id) WHERE leased_until IS NOT NULL`,
  `CREATE INDEX "IDX_34df11e89e315c2abf6e259140" ON webhook_deliveries (organization_id, webhook_id, id)`,
  `ALTER TABLE webhooks ADD CONSTRAINT "FK_1263da9f2a66fe09006bd86130e" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE webhook_deliveries ADD CONSTRAINT "FK_30202c2a9cf469e1eec92ba0534" FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE`,
  `ALTER TABLE usage_counters ADD reached_limit bigint`,
  // The id is a UUIDv7 (RFC 9562): deliveries are listed by it.
  `CREATE FUNCTION record_webhook_event(organization uuid, event text, event_data jsonb) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO webhook_deliveries (id, organization_id, webhook_id, type, data)
     SELECT (lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
              || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
            w.organization_id, w.id, event, event_data
       FROM webhooks w
      WHERE w.organization_id = organization AND w.disabled_reason IS NULL AND event = ANY (w.events);
   END $$`,
  `CREATE FUNCTION record_datasource_event() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM record_webhook_event(NEW.organization_id, 'datasource.' || NEW.status, jsonb_build_object(
       'datasourceId', NEW.id, 'datastoreId', NEW.datastore_id, 'customId', NEW.custom_id, 'type', NEW.type,
       'status', NEW.status, 'errorCode', NEW.error->>'code'));
     RETURN NULL;
   END $$`,
  // Pages of sites and files of archives belong to a group, whose event counts.
  `CREATE TRIGGER datasources_webhooks AFTER UPDATE OF status ON datasources FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND NEW.status IN ('synched', 'error', 'usage_limit_reached')
      AND NEW.group_id IS NULL AND NEW.deleted_at IS NULL)
    EXECUTE FUNCTION record_datasource_event()`,
  `CREATE FUNCTION record_usage_event() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM record_webhook_event(NEW.organization_id, 'usage.limit_reached', jsonb_build_object(
       'kind', 'agentQueries', 'month', NEW.month, 'limit', NEW.reached_limit));
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER usage_counters_webhooks_insert AFTER INSERT ON usage_counters FOR EACH ROW
    WHEN (NEW.reached_limit IS NOT NULL) EXECUTE FUNCTION record_usage_event()`,
  `CREATE TRIGGER usage_counters_webhooks_update AFTER UPDATE OF reached_limit ON usage_counters FOR EACH ROW
    WHEN (NEW.reached_limit IS DISTINCT FROM OLD.reached_limit AND NEW.reached_limit IS NOT NULL)
    EXECUTE FUNCTION record_usage_event()`,
];
