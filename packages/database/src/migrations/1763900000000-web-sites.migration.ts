import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The frontier of crawls, runs that know their site, and syncs at times of their own. */
export class WebSites1763900000000 implements MigrationInterface {
  name = 'WebSites1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations go forward only: a release that has to be taken back is restored from a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}

const STATEMENTS = [
  `ALTER TABLE runs ADD COLUMN group_id uuid`,
  `ALTER TABLE runs ADD COLUMN discovered_at timestamptz`,
  `ALTER TABLE runs ADD COLUMN validators jsonb`,
  `ALTER TABLE runs ADD COLUMN text_hash text`,
  `CREATE INDEX runs_of_a_group ON runs (group_id) WHERE group_id IS NOT NULL AND state IN ('pending', 'queued', 'active')`,
  `CREATE INDEX runs_discovered ON runs (discovered_at) WHERE state = 'pending' AND discovered_at IS NOT NULL`,
  `ALTER TABLE datasources ADD COLUMN next_sync_at timestamptz`,
  `CREATE INDEX datasources_to_sync ON datasources (next_sync_at) WHERE next_sync_at IS NOT NULL AND deleted_at IS NULL`,
  `CREATE TABLE crawl_urls (
     site_id uuid NOT NULL,
     url text NOT NULL,
     organization_id uuid NOT NULL,
     kind text NOT NULL,
     origin text NOT NULL,
     depth integer NOT NULL,
     lastmod timestamptz,
     found_in uuid NOT NULL,
     settled_in uuid,
     outcome text,
     reason text,
     page_id uuid,
     content_hash text,
     attempts integer NOT NULL DEFAULT '0',
     not_before timestamptz,
     CONSTRAINT "PK_6d8070843c5ae3f4d45f7092ce2" PRIMARY KEY (site_id, url)
   )`,
  `CREATE INDEX crawl_urls_frontier ON crawl_urls (site_id, found_in, kind, depth, url) WHERE settled_in IS DISTINCT FROM found_in`,
  `CREATE INDEX crawl_urls_of_a_page ON crawl_urls (page_id) WHERE page_id IS NOT NULL`,
  `CREATE INDEX crawl_urls_by_content ON crawl_urls (site_id, content_hash) WHERE content_hash IS NOT NULL`,
  `ALTER TABLE crawl_urls ADD CONSTRAINT "FK_1b1f5c15b511bfd4d97ac8ab0b5" FOREIGN KEY (organization_id, site_id) REFERENCES datasources(organization_id,id) ON DELETE CASCADE`,
];
