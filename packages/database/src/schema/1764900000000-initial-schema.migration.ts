import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CRAWL_TABLES } from './crawl-tables.js';

/**
 * The whole schema. Constraint and index names such as `PK_…` are TypeORM's; a test compares this schema with the
 * entities.
 */
export class InitialSchema1764900000000 implements MigrationInterface {
  name = 'InitialSchema1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...STATEMENTS, ...CRAWL_TABLES]) await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `CREATE TABLE organizations (
     id uuid NOT NULL,
     name text NOT NULL,
     limit_agent_queries bigint,
     limit_stored_characters bigint,
     stored_characters bigint NOT NULL DEFAULT '0',
     is_first boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     deleted_at timestamptz,
     CONSTRAINT "PK_6b031fcd0863e3f6b44230163f9" PRIMARY KEY (id)
   )`,
  `CREATE UNIQUE INDEX organizations_first ON organizations (is_first) WHERE is_first`,
  `CREATE INDEX organizations_deleted ON organizations (deleted_at) WHERE deleted_at IS NOT NULL`,
  `CREATE TABLE datastores (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     description text NOT NULL DEFAULT '',
     type text NOT NULL DEFAULT 'qdrant',
     visibility text NOT NULL DEFAULT 'private',
     spaces text[] NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     deleted_at timestamptz,
     CONSTRAINT "UQ_44356406360cb1489ff91ca622a" UNIQUE (organization_id, id),
     CONSTRAINT "PK_2d13eda1be1a72250f8bf02e6c2" PRIMARY KEY (id)
   )`,
  `CREATE TABLE agents (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     description text NOT NULL DEFAULT '',
     model_name text NOT NULL DEFAULT 'gpt_3_5_turbo',
     temperature double precision NOT NULL DEFAULT '0',
     visibility text NOT NULL DEFAULT 'private',
     system_prompt text NOT NULL DEFAULT '',
     user_prompt text NOT NULL DEFAULT '',
     prompt_type text NOT NULL DEFAULT '',
     prompt_template text NOT NULL DEFAULT '',
     restrict_to_sources boolean NOT NULL DEFAULT true,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_3c7cafd03e58a97cfbc443da6ef" UNIQUE (organization_id, id),
     CONSTRAINT "PK_9c653f28ae19c5884d5baf6a1d9" PRIMARY KEY (id)
   )`,
  `CREATE TABLE agent_datastores (
     organization_id uuid NOT NULL,
     agent_id uuid NOT NULL,
     datastore_id uuid NOT NULL,
     position integer NOT NULL,
     CONSTRAINT "PK_a489ba04712d9ba157b2606b37e" PRIMARY KEY (organization_id, agent_id, datastore_id)
   )`,
  `CREATE INDEX "IDX_cc9984b226b7ff2f68e0e8988d" ON agent_datastores (organization_id, datastore_id)`,
  `CREATE TABLE api_keys (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     prefix text NOT NULL,
     hash text NOT NULL,
     scopes text[] NOT NULL,
     expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_598a14447f592c12d1fe22ba918" UNIQUE (hash),
     CONSTRAINT "PK_5c8a79801b44bd27b79228e1dad" PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_a283bdef18876e525aefaec042" ON api_keys (organization_id)`,
  `CREATE TABLE blobs (
     key text NOT NULL,
     organization_id uuid NOT NULL,
     datasource_id uuid NOT NULL,
     run_id uuid,
     bytes bigint NOT NULL DEFAULT '0', sha256 text,
     committed boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_c4f1b1851cdf6d548a0ee9ac723" PRIMARY KEY (key)
   )`,
  `CREATE INDEX blobs_uncommitted ON blobs (created_at) WHERE NOT committed`,
  `CREATE INDEX "IDX_936bc41772b1647ec921115cb3" ON blobs (organization_id, datasource_id)`,
  `CREATE TABLE conversations (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     agent_id uuid NOT NULL,
     external_id text NOT NULL,
     visitor_id text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "UQ_e236bb9f9f09340d94fad7be518" UNIQUE (organization_id, id),
     CONSTRAINT "UQ_5ba4266699222275a475e51916f" UNIQUE (organization_id, agent_id, external_id),
     CONSTRAINT "PK_ee34f4f7ced4ec8681f26bf04ef" PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_d87b0d4b08cb9fb96882695869" ON conversations (organization_id, visitor_id)`,
  `CREATE INDEX "IDX_0510488df1ee5dd486582da18f" ON conversations (organization_id, external_id)`,
  `CREATE TABLE messages (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     conversation_id uuid NOT NULL,
     author text NOT NULL,
     text text NOT NULL,
     sources jsonb NOT NULL DEFAULT '[]',
     abstained boolean NOT NULL DEFAULT false,
     rating text,
     comment text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_18325f38ae6de43878487eff986" PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_d1964bee92585267bc2a9eb916" ON messages (organization_id, conversation_id, id)`,
  `CREATE TABLE datasources (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     datastore_id uuid NOT NULL,
     type text NOT NULL,
     name text NOT NULL,
     custom_id text,
     group_id uuid,
     status text NOT NULL DEFAULT 'unsynched',
     config jsonb NOT NULL DEFAULT '{}',
     metadata jsonb,
     mime_type text,
     content_key text,
     serving_run_id uuid,
     error jsonb,
     last_synch timestamptz,
     next_sync_at timestamptz,
     requested_sync text,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     deleted_at timestamptz,
     CONSTRAINT "UQ_a46b0774abcecfaec655a85edcf" UNIQUE (organization_id, id),
     CONSTRAINT "PK_58956946c51ef1259c83ac28afa" PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_b6c267c44074108d78067f21bc" ON datasources (serving_run_id) WHERE serving_run_id IS NOT NULL`,
  `CREATE INDEX "IDX_b6f1ddb13c4fc4968696e3e304" ON datasources (organization_id, datastore_id, custom_id) WHERE custom_id IS NOT NULL`,
  `CREATE INDEX "IDX_ff8e5a7aed48790f5bb6ff22fb" ON datasources (organization_id, group_id) WHERE group_id IS NOT NULL`,
  `CREATE INDEX "IDX_fabfbd2211fbfc9e8ddfb3c3ea" ON datasources (organization_id, datastore_id, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX datasources_to_sync ON datasources (next_sync_at) WHERE next_sync_at IS NOT NULL AND deleted_at IS NULL`,
  `CREATE INDEX datasources_requested_to_sync ON datasources (id) WHERE requested_sync IS NOT NULL AND deleted_at IS NULL`,
  `CREATE TABLE idempotency_keys (
     organization_id uuid NOT NULL,
     route text NOT NULL,
     key text NOT NULL,
     request_hash text,
     status integer,
     response jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_5ddc18f235c631416d91ba68245" PRIMARY KEY (organization_id, route, key)
   )`,
  `CREATE INDEX "IDX_5e72f040fdc5efc8eef52a388c" ON idempotency_keys (created_at)`,
  `CREATE TABLE purges (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     kind text NOT NULL,
     target_id uuid NOT NULL,
     round integer NOT NULL DEFAULT '1',
     attempts integer NOT NULL DEFAULT '0',
     not_before timestamptz NOT NULL DEFAULT now(),
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_7f542a5194e42668dde2b665a40" PRIMARY KEY (id)
   )`,
  `CREATE INDEX purges_due ON purges (not_before)`,
  `CREATE INDEX purges_of_datastores ON purges (not_before) WHERE kind = 'datastore'`,
  `CREATE INDEX purges_of_a_target ON purges (target_id)`,
  `CREATE INDEX purges_in_flight ON purges (not_before) WHERE attempts > 0`,
  `CREATE TABLE runs (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     datasource_id uuid NOT NULL,
     group_id uuid,
     trigger text NOT NULL,
     state text NOT NULL DEFAULT 'pending',
     remove_missing boolean NOT NULL DEFAULT false,
     stage text NOT NULL,
     revision integer,
     space text,
     delivery integer NOT NULL DEFAULT '0',
     queued_at timestamptz,
     lease_owner text,
     lease_until timestamptz,
     not_before timestamptz NOT NULL DEFAULT now(),
     failures integer NOT NULL DEFAULT '0',
     crashes integer NOT NULL DEFAULT '0',
     progress jsonb,
     counts jsonb,
     content_key text,
     content_type text,
     content_name text,
     fingerprint text,
     characters bigint NOT NULL DEFAULT '0',
     validators jsonb,
     text_hash text,
     error jsonb,
     discovered_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     started_at timestamptz,
     finished_at timestamptz,
     CONSTRAINT "PK_46d6a1e257c38ba58f1a3c30836" PRIMARY KEY (id)
   )`,
  `CREATE INDEX runs_of_a_datasource ON runs (organization_id, datasource_id, created_at)`,
  `CREATE INDEX runs_in_flight ON runs (stage, organization_id) WHERE state IN ('queued', 'active')`,
  `CREATE INDEX runs_to_dispatch ON runs (stage, organization_id, not_before) WHERE state = 'pending'`,
  // 19: one less than CRASH_LIMIT.
  `CREATE INDEX runs_on_last_try ON runs (stage, not_before) WHERE state = 'pending' AND crashes >= 19`,
  `CREATE UNIQUE INDEX runs_one_unfinished ON runs (datasource_id) WHERE state IN ('pending', 'queued', 'active')`,
  `CREATE INDEX runs_of_a_group ON runs (group_id) WHERE group_id IS NOT NULL AND state IN ('pending', 'queued', 'active')`,
  `CREATE INDEX runs_discovered ON runs (discovered_at) WHERE state = 'pending' AND discovered_at IS NOT NULL`,
  `CREATE TABLE host_paces (host text PRIMARY KEY, next_start timestamptz NOT NULL)`,
  `CREATE TABLE provider_pauses (
     account text NOT NULL,
     until timestamptz NOT NULL,
     CONSTRAINT "PK_9bb8f239a044231daa64a457b6a" PRIMARY KEY (account)
   )`,
  `CREATE TABLE usage_counters (
     organization_id uuid NOT NULL,
     month text NOT NULL,
     agent_queries integer NOT NULL DEFAULT '0',
     CONSTRAINT "PK_24be5c17f91fa4372f756676550" PRIMARY KEY (organization_id, month)
   )`,
  `CREATE TABLE workers (
     id text NOT NULL,
     queue text NOT NULL,
     slots integer NOT NULL,
     seen_at timestamptz NOT NULL,
     CONSTRAINT "PK_34e75004cae7c1d8d03a71a0214" PRIMARY KEY (id, queue)
   )`,
  `CREATE INDEX "IDX_e4d779ebb96d8cacf1b446f56e" ON workers (queue, seen_at)`,
  `ALTER TABLE datastores ADD CONSTRAINT "FK_0d537a8e9abec07d297c48132a2" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE agents ADD CONSTRAINT "FK_28ac537f8c7bc3c96f7d1753ec4" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE agent_datastores ADD CONSTRAINT "FK_cc9984b226b7ff2f68e0e8988dc" FOREIGN KEY (organization_id, datastore_id) REFERENCES datastores(organization_id,id) ON DELETE CASCADE`,
  `ALTER TABLE agent_datastores ADD CONSTRAINT "FK_31760279a83db9339ce83e5ed50" FOREIGN KEY (organization_id, agent_id) REFERENCES agents(organization_id,id) ON DELETE CASCADE`,
  `ALTER TABLE api_keys ADD CONSTRAINT "FK_a283bdef18876e525aefaec042f" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE conversations ADD CONSTRAINT "FK_036cca890f523fe41a9a424a9ae" FOREIGN KEY (organization_id, agent_id) REFERENCES agents(organization_id,id) ON DELETE CASCADE`,
  `ALTER TABLE messages ADD CONSTRAINT "FK_c3757e0c0574eb3c7fa2fd5fb5f" FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations(organization_id,id) ON DELETE CASCADE`,
  `ALTER TABLE datasources ADD CONSTRAINT "FK_368ce0becee4cfb135304f41e2c" FOREIGN KEY (organization_id, datastore_id) REFERENCES datastores(organization_id,id)`,
  `ALTER TABLE idempotency_keys ADD CONSTRAINT "FK_12d9576ef013c5bd4eead32afd0" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE purges ADD CONSTRAINT "FK_451c949abacd48c3f6944b2513d" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
  `ALTER TABLE runs ADD CONSTRAINT "FK_7a4ed4a74a38b56e91b288fc83a" FOREIGN KEY (organization_id, datasource_id) REFERENCES datasources(organization_id,id) ON DELETE CASCADE`,
  `ALTER TABLE usage_counters ADD CONSTRAINT "FK_77beb529493148e94d370a00262" FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
];
