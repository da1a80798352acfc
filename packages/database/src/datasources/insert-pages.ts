import { type Executor, queryRows, sql } from '../connection/sql.js';
import type { DatasourceEntity } from './datasource.entity.js';

/** Inserts pages of a web site as datasources without a run. */
export async function insertPages(
  manager: Executor,
  site: DatasourceEntity,
  pages: readonly { readonly id: string; readonly url: string }[],
): Promise<void> {
  if (pages.length === 0) return;
  await queryRows(
    manager,
    sql`INSERT INTO datasources (id, organization_id, datastore_id, type, name, group_id, config)
        SELECT id, ${site.organizationId}, ${site.datastoreId}, 'web_page', left(url, 255), ${site.id},
               jsonb_build_object('source_url', url)
          FROM unnest(
                 ${pages.map(({ id }) => id)}::uuid[],
                 ${pages.map(({ url }) => url)}::text[]
               ) AS page (id, url)`,
  );
}
