import type { DatasourceType } from '@citewell/contracts/http';
import type { DataSource } from 'typeorm';
import type { TenantScope } from '../tenant-scope.js';

/** What a hit of the vector store needs to become a source: everything that may change without re-indexing. */
export interface VisibleRun {
  runId: string;
  revision: number;
  datasourceId: string;
  datasourceName: string;
  datasourceType: DatasourceType;
  customId: string | null;
  mimeType: string | null;
  config: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
}

interface VisibleRow {
  run_id: string;
  revision: number;
  id: string;
  name: string;
  type: DatasourceType;
  custom_id: string | null;
  mime_type: string | null;
  config: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
}

/** Decides what may be seen. The vector store finds; only this says whether the finding still holds. */
export class PassageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Those of the runs that serve now, in datastores and datasources that are not deleted, by run id. */
  async visible(
    scope: TenantScope,
    datastoreIds: readonly string[],
    runIds: readonly string[],
  ): Promise<Map<string, VisibleRun>> {
    if (runIds.length === 0) return new Map();
    const rows = await this.dataSource.query<VisibleRow[]>(
      `SELECT r.id AS run_id, r.revision, d.id, d.name, d.type, d.custom_id, d.mime_type, d.config, d.metadata
         FROM datasources d
         JOIN runs r ON r.id = d.serving_run_id
         JOIN datastores s ON s.id = d.datastore_id
        WHERE d.serving_run_id = ANY($3) AND d.organization_id = $1 AND d.datastore_id = ANY($2)
          AND d.deleted_at IS NULL AND s.deleted_at IS NULL`,
      [scope.organizationId, datastoreIds, runIds],
    );
    return new Map(
      rows.map((row) => [
        row.run_id,
        {
          runId: row.run_id,
          revision: row.revision,
          datasourceId: row.id,
          datasourceName: row.name,
          datasourceType: row.type,
          customId: row.custom_id,
          mimeType: row.mime_type,
          config: row.config,
          metadata: row.metadata,
        },
      ]),
    );
  }
}
