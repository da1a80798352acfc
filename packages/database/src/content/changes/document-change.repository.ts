import type { DataSource } from 'typeorm';
import { isId } from '../../connection/new-id.js';
import type { Page } from '../../connection/page.js';
import { execute, queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import type { DocumentChangeKind, DocumentSentences } from '../../schema/content.entities.js';
import { readable } from '../readers/readable.js';

const RETENTION_DAYS = 90;
/** For so long, an answer says that a document that it cites has changed. */
const RECENT_DAYS = 7;

export interface DocumentChangeRow {
  readonly id: string;
  readonly kind: DocumentChangeKind;
  readonly datasourceId: string;
  readonly name: string;
  readonly at: Date;
  readonly sentences: DocumentSentences | null;
}

/**
 * What was added, changed and removed in datastores. Runs and deletions record it: see `record-changes.ts`. Documents whose source
 * names readers are not in it.
 */
export class DocumentChangeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(
    scope: TenantScope,
    datastoreId: string,
    { limit, cursor, since }: Page & { since?: Date | undefined },
  ): Promise<DocumentChangeRow[]> {
    if (!isId(datastoreId)) return [];
    const isAfter = cursor !== undefined && isId(cursor) ? sql`c.id < ${cursor}` : sql`true`;
    const isRecent = since === undefined ? sql`true` : sql`c.created_at >= ${since}`;
    return queryRows<DocumentChangeRow>(
      this.dataSource,
      sql`SELECT c.id, c.kind, c.datasource_id AS "datasourceId", c.name, c.created_at AS at, c.sentences
            FROM document_changes c JOIN datastores s ON s.id = c.datastore_id
           WHERE c.organization_id = ${scope.organizationId} AND c.datastore_id = ${datastoreId}
             AND s.deleted_at IS NULL AND ${readable(scope, sql`s`)} AND ${isAfter} AND ${isRecent}
           ORDER BY c.id DESC LIMIT ${limit}`,
    );
  }

  /**
   * When the texts of documents last changed, by datasource, if within the last seven days. Documents that were only added
   * have no change. The caller must be allowed to read the documents.
   */
  async recent(organizationId: string, datasourceIds: readonly string[]): Promise<Map<string, Date>> {
    if (datasourceIds.length === 0) return new Map();
    const rows = await queryRows<{ id: string; at: Date }>(
      this.dataSource,
      sql`SELECT datasource_id AS id, max(created_at) AS at FROM document_changes
           WHERE organization_id = ${organizationId} AND datasource_id = ANY(${datasourceIds}) AND kind = 'changed'
             AND created_at > now() - make_interval(days => ${RECENT_DAYS})
           GROUP BY 1`,
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** Removes changes that are older than 90 days. @returns how many were removed, at most `limit` */
  async removeExpired(limit: number): Promise<number> {
    return execute(
      this.dataSource,
      sql`DELETE FROM document_changes WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM document_changes
             WHERE created_at < now() - make_interval(days => ${RETENTION_DAYS}) LIMIT ${limit}))`,
    );
  }
}
