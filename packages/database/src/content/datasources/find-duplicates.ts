import type { EntityManager } from 'typeorm';
import { queryRow, sql } from '../../connection/sql.js';
import type { NewDatasource, WriteResult } from './new-datasource.js';

/**
 * The results of items that are not written because a file of their datastore has the same name or the same bytes. A file
 * with the same name is preferred, then one with the same bytes, then the newest.
 */
export async function findDuplicates(
  manager: EntityManager,
  organizationId: string,
  items: readonly NewDatasource[],
): Promise<Map<NewDatasource, WriteResult>> {
  const results = new Map<NewDatasource, WriteResult>();
  for (const item of items) {
    const { datastoreId, name, content, refusesDuplicate } = item;
    if (refusesDuplicate !== true || content === null) continue;
    const { sha256 } = content;
    const isFile = sql`d.organization_id = ${organizationId} AND d.datastore_id = ${datastoreId}
                       AND d.type = 'file' AND d.group_id IS NULL AND d.deleted_at IS NULL`;
    const row = await queryRow<{ id: string; isEqual: boolean }>(
      manager,
      sql`SELECT d.id, coalesce(b.sha256 = ${sha256}, false) AS "isEqual"
            FROM datasources d LEFT JOIN blobs b ON b.key = d.content_key
           WHERE d.id IN (
                   SELECT d.id FROM datasources d WHERE ${isFile} AND d.name = ${name}
                   UNION
                   SELECT d.id FROM blobs u JOIN datasources d ON d.id = u.datasource_id AND d.content_key = u.key
                    WHERE u.organization_id = ${organizationId} AND u.sha256 = ${sha256} AND u.run_id IS NULL
                      AND ${isFile})
           ORDER BY d.name = ${name} DESC, 2 DESC, d.id DESC
           LIMIT 1`,
    );
    if (row) results.set(item, { outcome: row.isEqual ? 'same-content' : 'same-name', id: row.id });
  }
  return results;
}
