/** Organizations, what is counted and recorded for them, and who signs in. */
export const ORGANIZATIONS_AND_PEOPLE = [
  `CREATE TABLE organizations (
     id uuid NOT NULL,
     name text NOT NULL,
     limit_agent_queries bigint,
     limit_stored_characters bigint,
     stored_characters bigint NOT NULL DEFAULT '0',
     is_first boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     deleted_at timestamptz,
     owners_read_conversations_since timestamptz,
     audit_retention_days integer NOT NULL DEFAULT 365,
     has_chosen_readers boolean NOT NULL DEFAULT false,
     CONSTRAINT "PK_6b031fcd0863e3f6b44230163f9" PRIMARY KEY (id)
   )`,
  `CREATE INDEX organizations_deleted ON organizations (deleted_at) WHERE deleted_at IS NOT NULL`,
  `CREATE UNIQUE INDEX organizations_first ON organizations (is_first) WHERE is_first`,
  `CREATE TABLE usage_counters (
     organization_id uuid NOT NULL,
     month text NOT NULL,
     agent_queries integer NOT NULL DEFAULT 0,
     input_tokens bigint NOT NULL DEFAULT 0,
     output_tokens bigint NOT NULL DEFAULT 0,
     stored_characters bigint,
     reached_limit bigint,
     CONSTRAINT "PK_24be5c17f91fa4372f756676550" PRIMARY KEY (organization_id, month),
     CONSTRAINT "FK_77beb529493148e94d370a00262" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE usage_days (
     organization_id uuid NOT NULL,
     day date NOT NULL,
     actor_kind text NOT NULL,
     actor_id uuid NOT NULL,
     agent_id uuid NOT NULL,
     model text NOT NULL,
     currency text NOT NULL,
     questions integer NOT NULL,
     input_tokens bigint NOT NULL,
     output_tokens bigint NOT NULL,
     estimated_tokens bigint NOT NULL,
     cost numeric NOT NULL,
     CONSTRAINT "PK_f850f1d30748783d7d32188c428" PRIMARY KEY (organization_id, day, actor_kind, actor_id, agent_id, model, currency),
     CONSTRAINT "FK_5f9a3ac08316694a633c0a3642c" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE usage_reservations (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     person_id uuid,
     agent_id uuid NOT NULL,
     expires_at timestamptz NOT NULL,
     CONSTRAINT "PK_11d6b9b34ec31afc3a6513ca39c" PRIMARY KEY (id),
     CONSTRAINT "FK_1aec42964c18340d4b6c2924679" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_1aec42964c18340d4b6c292467" ON usage_reservations (organization_id)`,
  `CREATE TABLE model_prices (
     organization_id uuid NOT NULL,
     model text NOT NULL,
     currency text NOT NULL,
     input_price numeric NOT NULL,
     output_price numeric NOT NULL,
     CONSTRAINT "PK_a8067c525216532c45fbf192eec" PRIMARY KEY (organization_id, model),
     CONSTRAINT "FK_c927cca7562f870e4c5bff14f98" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE budgets (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     subject_kind text NOT NULL,
     subject_id uuid,
     measure text NOT NULL,
     amount numeric NOT NULL,
     warn_percent integer NOT NULL,
     CONSTRAINT "PK_9c8a51748f82387644b773da482" PRIMARY KEY (id),
     CONSTRAINT "FK_3d28fa6e3ea783e261d6d2240f1" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_3d28fa6e3ea783e261d6d2240f" ON budgets (organization_id)`,
  `CREATE TABLE audit_events (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     actor_kind text NOT NULL,
     actor_id uuid,
     actor_name text,
     action text NOT NULL,
     target_kind text,
     target_id text,
     target_name text,
     address text,
     user_agent text,
     outcome text NOT NULL,
     details jsonb NOT NULL DEFAULT '{}',
     CONSTRAINT "PK_910f64d901a5c3e9878f0d4a407" PRIMARY KEY (id),
     CONSTRAINT "FK_6510e4bf7423cd3d750e8c2ae81" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_4153fd8d3a470436a6541b492b" ON audit_events (organization_id, at, id)`,
  `CREATE TABLE erasures (
     id uuid NOT NULL,
     found jsonb NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     completed_at timestamptz,
     CONSTRAINT erasures_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX erasures_in_progress ON erasures (id) WHERE completed_at IS NULL`,
  // Audit events are added, and removed when they are old or with their organization.
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'Audit events never change'; END $$`,
  `CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON "audit_events"
     FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TABLE accounts (
     id uuid NOT NULL,
     email text,
     password_hash text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_5a7a02c20412299d198e097a8fe" PRIMARY KEY (id),
     CONSTRAINT "UQ_ee66de6cdc53993296d1ceb8aa0" UNIQUE (email)
   )`,
  `CREATE TABLE people (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     role text NOT NULL,
     email text,
     name text,
     language text,
     password_hash text,
     link_hash text,
     link_expires_at timestamptz,
     signed_in_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     account_id uuid,
     disabled_at timestamptz,
     email_claimed boolean NOT NULL DEFAULT false,
     next_email text,
     next_email_hash text,
     next_email_expires_at timestamptz,
     CONSTRAINT "PK_aa866e71353ee94c6cc51059c5b" PRIMARY KEY (id),
     CONSTRAINT "UQ_516886b1745c3072ee978116b77" UNIQUE (organization_id, id),
     CONSTRAINT "UQ_5c17d0e13eec793caf1fa2373fb" UNIQUE (link_hash),
     CONSTRAINT "UQ_da25d194347e8deae14edec91c4" UNIQUE (organization_id, email),
     CONSTRAINT "FK_3b02373ca22a7c9d1adcbb8b0fe" FOREIGN KEY (account_id) REFERENCES accounts(id),
     CONSTRAINT "FK_cf52f7332103f758b27bd99c5ef" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_3b02373ca22a7c9d1adcbb8b0f" ON people (account_id)`,
  `CREATE INDEX "IDX_c77e8752faa45901af2b245dff" ON people (email)`,
  `CREATE INDEX "IDX_cf52f7332103f758b27bd99c5e" ON people (organization_id)`,
  `CREATE TABLE groups (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     name_key text NOT NULL,
     external_id text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_659d1483316afb28afd3a90646e" PRIMARY KEY (id),
     CONSTRAINT "UQ_57c11bc5cf8cd5db7b8842e593b" UNIQUE (organization_id, name_key),
     CONSTRAINT "UQ_b4e91962596b463d59926f7a2f5" UNIQUE (organization_id, external_id),
     CONSTRAINT "UQ_eb0d906156885b1b3e716d09fad" UNIQUE (organization_id, id),
     CONSTRAINT "FK_f7f1b335edff519132aa2163fef" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE TABLE group_members (
     organization_id uuid NOT NULL,
     group_id uuid NOT NULL,
     person_id uuid NOT NULL,
     CONSTRAINT "PK_79032b6af5104e25d805b0ab3ec" PRIMARY KEY (organization_id, group_id, person_id),
     CONSTRAINT "FK_52b6f73416c1834a825c396c4f8" FOREIGN KEY (organization_id, person_id)
       REFERENCES people(organization_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_8595337fe0432b53c3208329853" FOREIGN KEY (organization_id, group_id)
       REFERENCES groups(organization_id, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_52b6f73416c1834a825c396c4f" ON group_members (organization_id, person_id)`,
  `CREATE TABLE api_keys (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     prefix text NOT NULL,
     hash text NOT NULL,
     scopes text[] NOT NULL,
     expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     agent_id uuid,
     allowed_origins text[],
     daily_limit integer,
     messages_on date,
     messages integer,
     person_id uuid,
     CONSTRAINT "PK_5c8a79801b44bd27b79228e1dad" PRIMARY KEY (id),
     CONSTRAINT "UQ_598a14447f592c12d1fe22ba918" UNIQUE (hash),
     CONSTRAINT "FK_5e19943c81194a4e9c8bdbd297d" FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
     CONSTRAINT "FK_a283bdef18876e525aefaec042f" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_a283bdef18876e525aefaec042" ON api_keys (organization_id)`,
  `CREATE INDEX api_keys_of_person ON api_keys (person_id) WHERE person_id IS NOT NULL`,
  `CREATE TABLE sessions (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     api_key_id uuid,
     hash text NOT NULL,
     expires_at timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     user_agent text,
     person_id uuid,
     account_id uuid,
     CONSTRAINT "PK_3238ef96f18b355b671619111bc" PRIMARY KEY (id),
     CONSTRAINT "UQ_31be0a69981767c841026c309ed" UNIQUE (hash),
     CONSTRAINT "FK_1a82f723bb94976311f5fcc4505" FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
     CONSTRAINT "FK_a9e3486bb3e8509466d4c9d6c93" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE,
     CONSTRAINT "FK_c3942eab830cae599a763e11557" FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
     CONSTRAINT "FK_da0cf19646ff5c6e3c0284468e5" FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_1a82f723bb94976311f5fcc450" ON sessions (api_key_id)`,
  `CREATE INDEX "IDX_9cfe37d28c3b229a350e086d94" ON sessions (expires_at)`,
  `CREATE INDEX "IDX_a9e3486bb3e8509466d4c9d6c9" ON sessions (organization_id)`,
  `CREATE INDEX "IDX_c3942eab830cae599a763e1155" ON sessions (person_id)`,
  `CREATE INDEX "IDX_da0cf19646ff5c6e3c0284468e" ON sessions (account_id)`,
  `CREATE TABLE passkeys (
     id uuid NOT NULL,
     account_id uuid NOT NULL,
     credential_id text NOT NULL,
     public_key bytea NOT NULL,
     counter bigint NOT NULL,
     transports text[] NOT NULL,
     name text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     last_used_at timestamptz,
     CONSTRAINT "PK_db928e6fd79e7098911268a74c3" PRIMARY KEY (id),
     CONSTRAINT "UQ_81b80835fab9dcadaebc6d168ab" UNIQUE (credential_id),
     CONSTRAINT "FK_9ffdc168cb3a548b62f48ea79e5" FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_9ffdc168cb3a548b62f48ea79e" ON passkeys (account_id)`,
  `CREATE TABLE passkey_challenges (
     hash text NOT NULL,
     challenge text NOT NULL,
     account_id uuid,
     expires_at timestamptz NOT NULL,
     CONSTRAINT "PK_a95b0ec8677e89dc1cda4715f05" PRIMARY KEY (hash),
     CONSTRAINT "FK_da88cb8c7f818a35fa2b894fb5f" FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_86f256b798ad789a88ec37744b" ON passkey_challenges (expires_at)`,
  `CREATE INDEX "IDX_da88cb8c7f818a35fa2b894fb5" ON passkey_challenges (account_id)`,
  `CREATE TABLE password_resets (
     id uuid NOT NULL,
     account_id uuid NOT NULL,
     hash text NOT NULL,
     expires_at timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_4816377aa98211c1de34469e742" PRIMARY KEY (id),
     CONSTRAINT "UQ_d3588698a427ed900cef7a01f7f" UNIQUE (hash),
     CONSTRAINT "FK_d4ecc40c8f2d961355273539c09" FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_49f39bd47382585468191d33b5" ON password_resets (expires_at)`,
  `CREATE INDEX "IDX_d4ecc40c8f2d961355273539c0" ON password_resets (account_id)`,
  `CREATE TABLE identity_providers (
     id uuid NOT NULL,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     issuer text NOT NULL,
     client_id text,
     sealed_client_secret text,
     scopes text NOT NULL,
     email_domains text[] NOT NULL,
     default_role text,
     groups_claim text NOT NULL,
     group_roles jsonb NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_3ac9e77e3690c03f7f25579c8e0" PRIMARY KEY (id),
     CONSTRAINT "FK_3739c8f28b4116fc8e84f0ce845" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_3739c8f28b4116fc8e84f0ce84" ON identity_providers (organization_id)`,
  `CREATE TABLE identities (
     provider_id uuid NOT NULL,
     subject text NOT NULL,
     organization_id uuid NOT NULL,
     person_id uuid NOT NULL,
     group_role text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT "PK_965652454d27c0e7ccd82aacbde" PRIMARY KEY (provider_id, subject),
     CONSTRAINT "FK_a0c1afad8e0cd3ce01d06204ef3" FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
     CONSTRAINT "FK_d6e0200469873a082cd1c5e14b1" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE,
     CONSTRAINT "FK_d78bd4c86b2e5ca3f6bbb3c1586" FOREIGN KEY (provider_id)
       REFERENCES identity_providers(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_a0c1afad8e0cd3ce01d06204ef" ON identities (person_id)`,
  `CREATE INDEX "IDX_d6e0200469873a082cd1c5e14b" ON identities (organization_id)`,
  `CREATE TABLE provider_sign_ins (
     state_hash text NOT NULL,
     organization_id uuid NOT NULL,
     provider_id uuid NOT NULL,
     browser_hash text NOT NULL,
     nonce text NOT NULL,
     code_verifier text NOT NULL,
     return_path text NOT NULL,
     previous_session_hash text,
     expires_at timestamptz NOT NULL,
     CONSTRAINT "PK_098187512edfbfbf394917aa70a" PRIMARY KEY (state_hash),
     CONSTRAINT "FK_7cfb5435f3a78896a0ed3e2b1f8" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE,
     CONSTRAINT "FK_ac6146ce869d422e1320f13dfa6" FOREIGN KEY (provider_id)
       REFERENCES identity_providers(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_0f38705f9df2eeced642ca91ce" ON provider_sign_ins (expires_at)`,
  `CREATE INDEX "IDX_7cfb5435f3a78896a0ed3e2b1f" ON provider_sign_ins (organization_id)`,
  `CREATE INDEX "IDX_ac6146ce869d422e1320f13dfa" ON provider_sign_ins (provider_id)`,
  `CREATE TABLE provider_sessions (
     session_id uuid NOT NULL,
     organization_id uuid NOT NULL,
     provider_id uuid NOT NULL,
     subject text NOT NULL,
     sealed_tokens text NOT NULL,
     check_at timestamptz,
     CONSTRAINT "PK_446952663d64522001ebb81c22f" PRIMARY KEY (session_id),
     CONSTRAINT "FK_446952663d64522001ebb81c22f" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
     CONSTRAINT "FK_ee6e2a3b0ec425072923d84d305" FOREIGN KEY (provider_id)
       REFERENCES identity_providers(id) ON DELETE CASCADE,
     CONSTRAINT "FK_fc8234d59e84ba78541da792f3c" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE
   )`,
  `CREATE INDEX "IDX_1dacdfd67e2fae5354f45c42d7" ON provider_sessions (provider_id, subject)`,
  `CREATE INDEX "IDX_fc8234d59e84ba78541da792f3" ON provider_sessions (organization_id)`,
  `CREATE INDEX provider_sessions_due ON provider_sessions (check_at) WHERE check_at IS NOT NULL`,
  `CREATE TABLE scim_users (
     person_id uuid NOT NULL,
     organization_id uuid NOT NULL,
     user_name text NOT NULL,
     user_name_key text NOT NULL,
     external_id text,
     given_name text,
     family_name text,
     CONSTRAINT "PK_a4161f22714186acc6ae769a91d" PRIMARY KEY (person_id),
     CONSTRAINT "UQ_65f6ece412b2f0064574992b410" UNIQUE (organization_id, user_name_key),
     CONSTRAINT "UQ_7e781f91cbf87d1f6928bd17272" UNIQUE (organization_id, external_id),
     CONSTRAINT "FK_876458955bd345b8dff5ff21ef5" FOREIGN KEY (organization_id)
       REFERENCES organizations(id) ON DELETE CASCADE,
     CONSTRAINT "FK_a4161f22714186acc6ae769a91d" FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
   )`,
  // An account without people is unreachable, however its last person was removed. The lock makes two last people of
  // different organizations wait for each other.
  `CREATE FUNCTION remove_account_without_people() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM 1 FROM accounts WHERE id = OLD.account_id FOR UPDATE;
       DELETE FROM accounts a WHERE a.id = OLD.account_id
          AND NOT EXISTS (SELECT 1 FROM people p WHERE p.account_id = a.id);
       RETURN NULL;
     END $$`,
  `CREATE TRIGGER people_removed AFTER DELETE ON people FOR EACH ROW
     WHEN (OLD.account_id IS NOT NULL) EXECUTE FUNCTION remove_account_without_people()`,
  `CREATE TRIGGER people_account AFTER UPDATE OF account_id ON people FOR EACH ROW
     WHEN (OLD.account_id IS NOT NULL AND OLD.account_id IS DISTINCT FROM NEW.account_id)
     EXECUTE FUNCTION remove_account_without_people()`,
];
