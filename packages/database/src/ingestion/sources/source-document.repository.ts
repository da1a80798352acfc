import type { DataSource } from 'typeorm';
import { isId } from '../../connection/new-id.js';
import { queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { accessible, visibleDatasource } from '../../content/readers/readable.js';
import type { SourceDocumentEntity } from '../../schema/ingestion.entities.js';

/** A document of the latest sync of a source. `datasourceId` is null while it has no content. */
export type SourceDocumentView = Pick<
  SourceDocumentEntity,
  'path' | 'bytes' | 'modifiedAt' | 'url' | 'reason' | 'datasourceId'
>;

/** What sources list, for the users of a library. */
export class SourceDocumentRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Documents that a source lists, by path, without those that `include` and `exclude` leave out, and those that are for
   * other people.
   *
   * @param page.cursor path of the last document of the previous page
   * @returns empty for what is no source, or may not be read
   */
  async list(
    scope: TenantScope,
    sourceId: string,
    { isSkipped }: { isSkipped: boolean },
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ): Promise<SourceDocumentView[]> {
    if (!isId(sourceId)) return [];
    return queryRows<SourceDocumentView>(
      this.dataSource,
      sql`SELECT sd.path, sd.bytes::float8 AS bytes, sd.modified_at AS "modifiedAt", sd.url, sd.reason,
                 d.id AS "datasourceId"
            FROM source_documents sd
            LEFT JOIN datasources d ON d.id = sd.datasource_id AND d.deleted_at IS NULL AND d.hidden_at IS NULL
                                   AND ${accessible(scope, sql`d`)}
           WHERE sd.organization_id = ${scope.organizationId} AND sd.source_id = ${sourceId} AND sd.is_wanted
             AND ${accessible(scope, sql`sd`)}
             AND EXISTS (SELECT 1 FROM datasources WHERE id = ${sourceId} AND ${visibleDatasource(scope)})
             AND ${isSkipped ? sql`sd.reason IS NOT NULL` : sql`true`}
             AND sd.found_in = (SELECT run_id FROM source_syncs WHERE source_id = ${sourceId}
                                 ORDER BY created_at DESC LIMIT 1)
             AND ${cursor === undefined ? sql`true` : sql`sd.path > ${cursor}`}
           ORDER BY sd.path LIMIT ${limit}`,
    );
  }
}
