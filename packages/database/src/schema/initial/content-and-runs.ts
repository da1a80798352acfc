/** Datastores, datasources and their runs. Triggers refuse changes that `transitions.ts` does not have. */
export const CONTENT_AND_RUNS = [
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
     readers text NOT NULL DEFAULT 'everyone',
     CONSTRAINT "PK_2d13eda1be1a72250f8bf02e6c2" PRIMARY KEY (id),
     CONSTRAINT "UQ_44356406360cb1489ff91ca622a" UNIQUE (organization_id, id),
     CONSTRAINT "FK_0d537a8e9abec07d297c48132a2" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE datastore_readers (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     datastore_id uuid NOT NULL,
     person_id uuid,
     group_id uuid,
     CONSTRAINT "PK_1ce000adad6a8ee9b9c7877f0dc" PRIMARY KEY (id),
     CONSTRAINT "UQ_a55b5164d5e240e06237258fd4b" UNIQUE (datastore_id, person_id),
     CONSTRAINT "UQ_eacdeb69bb277d3c65781dcfe5b" UNIQUE (datastore_id, group_id),
     CONSTRAINT datastore_readers_one CHECK (num_nonnulls(person_id, group_id) = 1),
     CONSTRAINT "FK_6daa18dfff006b9cf0c241dc038" FOREIGN KEY (organization_id, group_id)
       REFERENCES groups(organization_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_93f43f8e8c4796745dade6d7644" FOREIGN KEY (organization_id, person_id)
       REFERENCES people(organization_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_e469765e4cd6618d349f3df3d3c" FOREIGN KEY (organization_id, datastore_id)
       REFERENCES datastores(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_0fd81348ffd5551c07f1e3d028" ON datastore_readers (organization_id, person_id, datastore_id)`,
  `CREATE INDEX "IDX_7e94d171575fa3331474d8b69c" ON datastore_readers (organization_id, group_id, datastore_id)`,
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
     reindexed_run_id uuid,
     CONSTRAINT "PK_58956946c51ef1259c83ac28afa" PRIMARY KEY (id),
     CONSTRAINT "UQ_a46b0774abcecfaec655a85edcf" UNIQUE (organization_id, id),
     CONSTRAINT "FK_368ce0becee4cfb135304f41e2c" FOREIGN KEY (organization_id, datastore_id)
       REFERENCES datastores(organization_id, id)
   )`,
  `CREATE INDEX "IDX_b6c267c44074108d78067f21bc" ON datasources (serving_run_id) WHERE serving_run_id IS NOT NULL`,
  `CREATE INDEX "IDX_b6f1ddb13c4fc4968696e3e304" ON datasources (organization_id, datastore_id, custom_id)
    WHERE custom_id IS NOT NULL`,
  `CREATE INDEX "IDX_fabfbd2211fbfc9e8ddfb3c3ea" ON datasources (organization_id, datastore_id, id)
    WHERE deleted_at IS NULL`,
  `CREATE INDEX "IDX_ff8e5a7aed48790f5bb6ff22fb" ON datasources (organization_id, group_id)
    WHERE group_id IS NOT NULL`,
  `CREATE INDEX datasources_by_status ON datasources (organization_id, datastore_id, status, last_synch)
    WHERE deleted_at IS NULL`,
  `CREATE INDEX datasources_requested_to_sync ON datasources (id)
    WHERE requested_sync IS NOT NULL AND deleted_at IS NULL`,
  `CREATE INDEX datasources_to_sync ON datasources (next_sync_at)
    WHERE next_sync_at IS NOT NULL AND deleted_at IS NULL`,
  `CREATE INDEX files_by_name ON datasources (organization_id, datastore_id, name)
    WHERE type = 'file' AND group_id IS NULL AND deleted_at IS NULL`,
  `CREATE TABLE blobs (
     key text NOT NULL,
     organization_id uuid NOT NULL,
     datasource_id uuid NOT NULL,
     run_id uuid,
     bytes bigint NOT NULL DEFAULT '0',
     "sha256" text,
     committed boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     timed_out text,
     CONSTRAINT "PK_c4f1b1851cdf6d548a0ee9ac723" PRIMARY KEY (key)
   )`,
  `CREATE INDEX "IDX_936bc41772b1647ec921115cb3" ON blobs (organization_id, datasource_id)`,
  `CREATE INDEX blobs_of_timeouts ON blobs (organization_id, sha256) WHERE timed_out IS NOT NULL`,
  `CREATE INDEX blobs_of_uploads ON blobs (organization_id, sha256) WHERE run_id IS NULL AND sha256 IS NOT NULL`,
  `CREATE INDEX blobs_uncommitted ON blobs (created_at) WHERE NOT committed`,
  `CREATE TABLE small_blobs (
     key text COLLATE "C" NOT NULL,
     content bytea NOT NULL,
     modified_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_786f3dcba11dcc2246e4eb5eb15" PRIMARY KEY (key)
   )`,
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
     delivery integer NOT NULL DEFAULT 0,
     queued_at timestamptz,
     lease_owner text,
     lease_until timestamptz,
     not_before timestamptz NOT NULL DEFAULT now(),
     failures integer NOT NULL DEFAULT 0,
     crashes integer NOT NULL DEFAULT 0,
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
     created_at timestamptz NOT NULL DEFAULT now(),
     started_at timestamptz,
     finished_at timestamptz,
     warning jsonb,
     batch_id uuid,
     CONSTRAINT "PK_46d6a1e257c38ba58f1a3c30836" PRIMARY KEY (id),
     CONSTRAINT "FK_7a4ed4a74a38b56e91b288fc83a" FOREIGN KEY (organization_id, datasource_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX runs_in_flight ON runs (stage, organization_id) WHERE state IN ('queued', 'active')`,
  `CREATE INDEX runs_of_a_datasource ON runs (organization_id, datasource_id, created_at)`,
  `CREATE INDEX runs_of_a_group ON runs (group_id)
    WHERE group_id IS NOT NULL AND state IN ('pending', 'queued', 'active', 'waiting')`,
  // 19: one less than CRASH_LIMIT.
  `CREATE INDEX runs_on_last_try ON runs (stage, not_before) WHERE state = 'pending' AND crashes >= 19`,
  `CREATE UNIQUE INDEX runs_one_reindex ON runs (datasource_id)
    WHERE state IN ('pending', 'queued', 'active', 'waiting') AND trigger = 'reindex'`,
  `CREATE UNIQUE INDEX runs_one_unfinished ON runs (datasource_id)
    WHERE state IN ('pending', 'queued', 'active', 'waiting') AND trigger <> 'reindex'`,
  `CREATE INDEX runs_to_dispatch ON runs (stage, organization_id, not_before) WHERE state = 'pending'`,
  `CREATE INDEX runs_waiting ON runs (created_at) WHERE state = 'waiting'`,
  `CREATE TABLE crawls (
     run_id uuid NOT NULL,
     organization_id uuid NOT NULL,
     site_id uuid NOT NULL,
     config jsonb NOT NULL,
     urls integer NOT NULL DEFAULT 0,
     found integer NOT NULL DEFAULT 0,
     processed integer NOT NULL DEFAULT 0,
     pages integer NOT NULL DEFAULT 0,
     failed integer NOT NULL DEFAULT 0,
     truncated text,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     CONSTRAINT crawls_pkey PRIMARY KEY (run_id),
     CONSTRAINT "FK_284393e0009d8691be92ec94871" FOREIGN KEY (organization_id, site_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX crawls_of_a_site ON crawls (site_id)`,
  `CREATE TABLE crawl_urls (
     site_id uuid NOT NULL,
     url text COLLATE "C" NOT NULL,
     kind text NOT NULL,
     organization_id uuid NOT NULL,
     origin text NOT NULL,
     depth integer NOT NULL,
     position bigserial NOT NULL,
     hops integer NOT NULL DEFAULT 0,
     found_in uuid NOT NULL,
     processed_in uuid,
     outcome text,
     reason text,
     target text COLLATE "C",
     page_id uuid,
     has_outlinks boolean NOT NULL DEFAULT false,
     text_hash text,
     attempts integer NOT NULL DEFAULT 0,
     not_before timestamptz,
     content_type text,
     CONSTRAINT crawl_urls_pkey PRIMARY KEY (site_id, url, kind),
     CONSTRAINT "FK_1b1f5c15b511bfd4d97ac8ab0b5" FOREIGN KEY (organization_id, site_id)
       REFERENCES datasources(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX crawl_urls_by_text ON crawl_urls (site_id, text_hash) WHERE text_hash IS NOT NULL`,
  `CREATE INDEX crawl_urls_frontier ON crawl_urls (site_id, found_in, kind DESC, depth, (page_id IS NULL), position)
    WHERE processed_in IS DISTINCT FROM found_in`,
  `CREATE INDEX crawl_urls_of_a_page ON crawl_urls (page_id) WHERE page_id IS NOT NULL`,
  `CREATE TABLE host_paces (
     host text NOT NULL,
     next_start timestamptz NOT NULL,
     CONSTRAINT host_paces_pkey PRIMARY KEY (host)
   )`,
  `CREATE TABLE purges (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     kind text NOT NULL,
     target_id uuid NOT NULL,
     round integer NOT NULL DEFAULT 1,
     not_before timestamptz NOT NULL DEFAULT now(),
     created_at timestamptz NOT NULL DEFAULT now(),
     batch_id uuid,
     CONSTRAINT "PK_7f542a5194e42668dde2b665a40" PRIMARY KEY (id),
     CONSTRAINT "FK_451c949abacd48c3f6944b2513d" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX purges_due ON purges (not_before)`,
  `CREATE INDEX purges_in_flight ON purges (batch_id) WHERE batch_id IS NOT NULL`,
  `CREATE INDEX purges_of_a_target ON purges (target_id)`,
  `CREATE INDEX purges_of_datastores ON purges (not_before) WHERE kind = 'datastore'`,
  `CREATE TABLE site_previews (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     config jsonb NOT NULL,
     claimed_at timestamptz,
     result jsonb,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_71a7c276a19b7b1713157a31982" PRIMARY KEY (id),
     CONSTRAINT "FK_3a1adf9cf130bebbf7513de5c4d" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_3a1adf9cf130bebbf7513de5c4" ON site_previews (organization_id)`,
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
