import type { Executor } from '../../connection/sql.js';
import { insertDatasources } from '../runs/datasource-rows.js';
import type { DatasourceEntity } from '../../schema/content.entities.js';

const MAX_NAME_LENGTH = 255;

/** Inserts pages of a web site as datasources without a run. */
export async function insertPages(
  manager: Executor,
  { id: groupId, organizationId, datastoreId }: DatasourceEntity,
  pages: readonly { readonly id: string; readonly url: string }[],
): Promise<void> {
  await insertDatasources(
    manager,
    pages.map(({ id, url }) => {
      const page = {
        type: 'web_page',
        name: url.slice(0, MAX_NAME_LENGTH),
        config: { source_url: url },
      } as const;
      return { ...page, id, organizationId, datastoreId, groupId };
    }),
  );
}
