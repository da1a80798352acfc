/**
 * Agents and conversations, models, evaluations, processes, and webhooks. Triggers record the events of webhooks in the
 * transaction of the change: there is one message for a committed change, and none for a change that was rolled back.
 */
export const ANSWERS_AND_INTERFACES = [
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
     top_k integer NOT NULL DEFAULT 12,
     min_score double precision NOT NULL DEFAULT '0.5',
     on_unsupported text NOT NULL DEFAULT 'mark',
     retention_days integer,
     CONSTRAINT "PK_9c653f28ae19c5884d5baf6a1d9" PRIMARY KEY (id),
     CONSTRAINT "UQ_3c7cafd03e58a97cfbc443da6ef" UNIQUE (organization_id, id),
     CONSTRAINT "FK_28ac537f8c7bc3c96f7d1753ec4" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE agent_datastores (
     organization_id uuid NOT NULL,
     agent_id uuid NOT NULL,
     datastore_id uuid NOT NULL,
     position integer NOT NULL,
     CONSTRAINT "PK_a489ba04712d9ba157b2606b37e" PRIMARY KEY (organization_id, agent_id, datastore_id),
     CONSTRAINT "FK_31760279a83db9339ce83e5ed50" FOREIGN KEY (organization_id, agent_id)
       REFERENCES agents(organization_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_cc9984b226b7ff2f68e0e8988dc" FOREIGN KEY (organization_id, datastore_id)
       REFERENCES datastores(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_cc9984b226b7ff2f68e0e8988d" ON agent_datastores (organization_id, datastore_id)`,
  `ALTER TABLE api_keys ADD CONSTRAINT "FK_1c40e666ae8a4b0d6ab21290ed7" FOREIGN KEY (organization_id, agent_id)
     REFERENCES agents(organization_id, id) ON DELETE CASCADE`,
  `CREATE TABLE conversations (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     agent_id uuid NOT NULL,
     external_id text NOT NULL,
     visitor_id text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     visitor_token_hash text,
     person_id uuid,
     api_key_id uuid,
     personal_id text,
     title text,
     share_id uuid,
     shared_at timestamptz,
     CONSTRAINT "PK_ee34f4f7ced4ec8681f26bf04ef" PRIMARY KEY (id),
     CONSTRAINT "UQ_5ba4266699222275a475e51916f" UNIQUE (organization_id, agent_id, external_id),
     CONSTRAINT "UQ_e236bb9f9f09340d94fad7be518" UNIQUE (organization_id, id),
     CONSTRAINT "FK_036cca890f523fe41a9a424a9ae" FOREIGN KEY (organization_id, agent_id)
       REFERENCES agents(organization_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_b9b9c2ff69cf3e109c88d886f22" FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_0510488df1ee5dd486582da18f" ON conversations (organization_id, external_id)`,
  `CREATE INDEX "IDX_d87b0d4b08cb9fb96882695869" ON conversations (organization_id, visitor_id)`,
  `CREATE INDEX conversations_expiring ON conversations (organization_id, agent_id, updated_at)`,
  `CREATE INDEX conversations_latest_of_person ON conversations (person_id, updated_at) WHERE person_id IS NOT NULL`,
  `CREATE INDEX conversations_of_key ON conversations (api_key_id, id) WHERE api_key_id IS NOT NULL`,
  `CREATE UNIQUE INDEX conversations_of_person ON conversations (person_id, agent_id, personal_id)
    WHERE person_id IS NOT NULL`,
  `CREATE UNIQUE INDEX conversations_shared ON conversations (share_id) WHERE share_id IS NOT NULL`,
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
     state text NOT NULL DEFAULT 'complete',
     heartbeat_at timestamptz,
     stop_requested boolean NOT NULL DEFAULT false,
     error jsonb,
     finish_reason text,
     sentences jsonb,
     CONSTRAINT "PK_18325f38ae6de43878487eff986" PRIMARY KEY (id),
     CONSTRAINT "FK_c3757e0c0574eb3c7fa2fd5fb5f" FOREIGN KEY (organization_id, conversation_id)
       REFERENCES conversations(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_d1964bee92585267bc2a9eb916" ON messages (organization_id, conversation_id, id)`,
  `CREATE INDEX messages_abstained ON messages (organization_id, conversation_id) WHERE abstained`,
  `CREATE INDEX messages_rated ON messages (organization_id, rating, conversation_id) WHERE rating IS NOT NULL`,
  `CREATE TABLE model_settings (
     kind text NOT NULL,
     name text NOT NULL,
     updated_at timestamptz NOT NULL DEFAULT now(),
     base_url text,
     sealed_key text,
     id uuid NOT NULL,
     organization_id uuid,
     CONSTRAINT model_settings_pkey PRIMARY KEY (id),
     CONSTRAINT "FK_852233f4beb646e13d6421bba39" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE UNIQUE INDEX model_settings_installation ON model_settings (kind) WHERE organization_id IS NULL`,
  `CREATE UNIQUE INDEX model_settings_organization ON model_settings (organization_id, kind)`,
  `CREATE TABLE provider_pauses (
     account text NOT NULL,
     until timestamptz NOT NULL,
     CONSTRAINT "PK_9bb8f239a044231daa64a457b6a" PRIMARY KEY (account)
   )`,
  `CREATE TABLE evaluations (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     state text NOT NULL DEFAULT 'waiting',
     configuration jsonb NOT NULL,
     baseline jsonb,
     questions jsonb NOT NULL,
     due_at timestamptz NOT NULL DEFAULT now(),
     attempts integer NOT NULL DEFAULT 0,
     result jsonb,
     error jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     person_id uuid,
     datastore_ids uuid[] NOT NULL DEFAULT '{}',
     CONSTRAINT "PK_f683b433eba0e6dae7e19b29e29" PRIMARY KEY (id),
     CONSTRAINT "UQ_aceb5cb9dd7d9736f41564a003d" UNIQUE (organization_id, id),
     CONSTRAINT "FK_ef05f3da7ff0ec019d52c5f41f5" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX evaluations_to_do ON evaluations (due_at) WHERE state IN ('waiting', 'running')`,
  `CREATE TABLE evaluation_outcomes (
     evaluation_id uuid NOT NULL,
     side text NOT NULL,
     position integer NOT NULL,
     organization_id uuid NOT NULL,
     outcome jsonb NOT NULL,
     CONSTRAINT "PK_6b24d956220c6e4cd5672040dd0" PRIMARY KEY (evaluation_id, side, position),
     CONSTRAINT "FK_9a2324a37f105315461dab9d465" FOREIGN KEY (organization_id, evaluation_id)
       REFERENCES evaluations(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_9a2324a37f105315461dab9d46" ON evaluation_outcomes (organization_id, evaluation_id)`,
  `CREATE TABLE workers (
     id text NOT NULL,
     queue text NOT NULL,
     slots integer NOT NULL,
     seen_at timestamptz NOT NULL,
     CONSTRAINT "PK_34e75004cae7c1d8d03a71a0214" PRIMARY KEY (id, queue)
   )`,
  `CREATE INDEX "IDX_e4d779ebb96d8cacf1b446f56e" ON workers (queue, seen_at)`,
  `CREATE TABLE event_loop_blocks (
     id uuid NOT NULL,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     app text NOT NULL,
     run_id uuid,
     request_id text,
     stack text NOT NULL,
     CONSTRAINT event_loop_blocks_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX "IDX_434a1a138b8999134ee46a03f0" ON event_loop_blocks (at)`,
  `CREATE TABLE idempotency_keys (
     organization_id uuid NOT NULL,
     route text NOT NULL,
     key text NOT NULL,
     request_hash text,
     status integer,
     response jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_5ddc18f235c631416d91ba68245" PRIMARY KEY (organization_id, route, key),
     CONSTRAINT "FK_12d9576ef013c5bd4eead32afd0" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_5e72f040fdc5efc8eef52a388c" ON idempotency_keys (created_at)`,
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
     CONSTRAINT "PK_9e8795cfc899ab7bdaa831e8527" PRIMARY KEY (id),
     CONSTRAINT "UQ_cf455c94758b3a55f84de84b07d" UNIQUE (organization_id, id),
     CONSTRAINT "FK_1263da9f2a66fe09006bd86130e" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE webhook_deliveries (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     webhook_id uuid NOT NULL,
     type text NOT NULL,
     data jsonb NOT NULL,
     state text NOT NULL DEFAULT 'pending',
     attempts integer NOT NULL DEFAULT 0,
     due_at timestamptz NOT NULL DEFAULT now(),
     leased_until timestamptz,
     last_attempt_at timestamptz,
     response_status integer,
     error text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_535dd409947fb6d8fc6dfc0112a" PRIMARY KEY (id),
     CONSTRAINT "FK_30202c2a9cf469e1eec92ba0534" FOREIGN KEY (organization_id, webhook_id)
       REFERENCES webhooks(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_34df11e89e315c2abf6e259140" ON webhook_deliveries (organization_id, webhook_id, id)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE state = 'pending'`,
  `CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook_id) WHERE leased_until IS NOT NULL`,
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
