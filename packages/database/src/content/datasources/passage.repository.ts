import type { DatasourceType } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { queryRows, type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { IS_GROUP } from '../../ingestion/runs/site-and-archive-runs.js';
import { accessible, readable } from '../readers/readable.js';

/** What turns a hit of the vector store into a source: everything that may change without re-indexing. */
export interface VisibleRun {
  runId: string;
  datastoreId: string;
  revision: number;
  datasourceId: string;
  datasourceName: string;
  /** Of a web page whose name is its address. */
  title: string | null;
  datasourceType: DatasourceType;
  customId: string | null;
  mimeType: string | null;
  config: Record<string, unknown>;
  /** Of a web page: the URL of its text, after redirects. */
  sourceUrl: string | null;
  /** Of the bytes that the run has parsed. */
  contentType: string | null;
  metadata: Record<string, unknown> | null;
}

interface VisibleRow {
  run_id: string;
  datastore_id: string;
  revision: number;
  id: string;
  name: string;
  type: DatasourceType;
  custom_id: string | null;
  mime_type: string | null;
  config: Record<string, unknown>;
  content_name: string | null;
  title: string | null;
  content_type: string | null;
  metadata: Record<string, unknown> | null;
  last_synch: Date | null;
}

/**
 * Decides what may be seen. The vector store finds passages; only these statements tell whether their runs
 * serve.
 */
export class PassageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The runs of these datasources that serve now, by datasource id. Deleted datasources and datastores have none. */
  async visible(
    scope: TenantScope,
    datastoreIds: readonly string[],
    datasourceIds: readonly string[],
  ): Promise<Map<string, VisibleRun>> {
    if (datasourceIds.length === 0) return new Map();
    const rows = await queryRows<VisibleRow>(
      this.dataSource,
      sql`${selectVisible(scope, datastoreIds)} AND d.id = ANY(${datasourceIds})`,
    );
    return new Map(rows.map((row) => [row.id, toVisibleRun(row)]));
  }

  /**
   * The datasources that {@link visible} would return, without groups.
   *
   * @param datasourceIds only these datasources, and the members of those that are groups
   */
  async visibleIds(
    scope: TenantScope,
    datastoreIds: readonly string[],
    datasourceIds?: readonly string[],
  ): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT id FROM (${selectVisible(scope, datastoreIds)} AND NOT ${IS_GROUP} AND ${isAmong(datasourceIds)}) documents`,
    );
    return rows.map(({ id }) => id);
  }

  /** The spaces of the serving runs of these datastores. */
  async spaces(scope: TenantScope, datastoreIds: readonly string[]): Promise<string[]> {
    const rows = await queryRows<{ space: string }>(
      this.dataSource,
      sql`SELECT DISTINCT unnest(s.spaces) AS space FROM datastores s
           WHERE s.organization_id = ${scope.organizationId} AND s.id = ANY(${datastoreIds})
             AND ${readable(scope, sql`s`)}`,
    );
    return rows.map(({ space }) => space);
  }

  /**
   * The serving runs of the datasources that were synched last. Groups have no text and do not count.
   *
   * @param datasourceIds only of these datasources, and of the pages of those that are web sites
   */
  async newest(
    scope: TenantScope,
    datastoreIds: readonly string[],
    datasourceIds: readonly string[] | undefined,
    limit: number,
  ): Promise<VisibleRun[]> {
    const rows = await queryRows<VisibleRow>(
      this.dataSource,
      sql`${selectVisible(scope, datastoreIds)} AND NOT ${IS_GROUP} AND ${isAmong(datasourceIds)}
           ORDER BY d.last_synch DESC, d.id DESC LIMIT ${limit}`,
    );
    return rows.map(toVisibleRun);
  }

  /**
   * The documents of these datastores that can be searched, by datastore, the largest first. Groups have no text and do not
   * count. Kinds are the endings of names, in upper case; `HTML` of web pages, and `TXT` of texts.
   */
  async counts(scope: TenantScope, datastoreIds: readonly string[]): Promise<DocumentCounts[]> {
    const rows = await queryRows<{ datastore_id: string; kind: string | null; count: number; newest: Date }>(
      this.dataSource,
      sql`SELECT datastore_id,
                 CASE type WHEN 'web_page' THEN 'HTML' WHEN 'text' THEN 'TXT'
                           -- A regular expression takes longer than all the rest.
                           ELSE CASE WHEN strpos(${ENDING}, '.') > 0 THEN split_part(${ENDING}, '.', -1) END END AS kind,
                 count(*)::int AS count, max(last_synch) AS newest
            FROM (${selectVisible(scope, datastoreIds)} AND NOT ${IS_GROUP}) documents
           GROUP BY 1, 2`,
    );
    const counts = new Map<string, DocumentCounts>();
    for (const { datastore_id: datastoreId, kind: ending, count, newest } of rows) {
      const known = counts.get(datastoreId) ?? { datastoreId, documents: 0, kinds: new Map(), newest };
      const kind = ending?.toUpperCase() ?? '';
      if (/^[\p{L}\p{N}]+$/u.test(kind)) known.kinds.set(kind, (known.kinds.get(kind) ?? 0) + count);
      known.documents += count;
      if (newest > known.newest) known.newest = newest;
      counts.set(datastoreId, known);
    }
    return [...counts.values()].toSorted((a, b) => b.documents - a.documents);
  }
}

/** The last characters of a name: kinds have at most five. */
const ENDING = sql`right(name, 6)`;

/** The documents of a datastore that can be searched. */
export interface DocumentCounts {
  datastoreId: string;
  documents: number;
  kinds: Map<string, number>;
  /** When one was synched last. */
  newest: Date;
}

/**
 * A query that ends in its WHERE clause: the serving runs of datasources and datastores that are not deleted, and that the
 * reader may read.
 */
function selectVisible(scope: TenantScope, datastoreIds: readonly string[]): Sql {
  return sql`
    SELECT r.id AS run_id, r.revision, d.datastore_id, d.id, d.name, d.type, d.custom_id, d.mime_type, d.config,
           d.metadata, d.last_synch, r.content_name, r.content_type, r.counts ->> 'title' AS title
      FROM datasources d
      JOIN runs r ON r.id = d.serving_run_id
      JOIN datastores s ON s.id = d.datastore_id
     WHERE d.organization_id = ${scope.organizationId} AND d.datastore_id = ANY(${datastoreIds})
       AND d.deleted_at IS NULL AND d.hidden_at IS NULL AND s.deleted_at IS NULL
       AND ${readable(scope, sql`s`)} AND ${accessible(scope, sql`d`)}`;
}

function isAmong(datasourceIds: readonly string[] | undefined): Sql {
  return datasourceIds === undefined
    ? sql`true`
    : sql`(d.id = ANY(${datasourceIds}) OR d.group_id = ANY(${datasourceIds}))`;
}

function toVisibleRun(row: VisibleRow): VisibleRun {
  return {
    runId: row.run_id,
    datastoreId: row.datastore_id,
    revision: row.revision,
    datasourceId: row.id,
    datasourceName: row.name,
    title: row.type === 'web_page' && URL.canParse(row.name) ? row.title : null,
    datasourceType: row.type,
    customId: row.custom_id,
    mimeType: row.mime_type,
    config: row.config,
    sourceUrl: row.type === 'web_page' ? (row.content_name ?? addressOf(row.config)) : null,
    contentType: row.content_type,
    metadata: row.metadata,
  };
}

function addressOf(config: Record<string, unknown>): string | null {
  const { source_url: address } = config;
  return typeof address === 'string' ? address : null;
}
