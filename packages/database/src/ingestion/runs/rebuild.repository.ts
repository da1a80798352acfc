import type { DataSource } from 'typeorm';
import { execute, queryRow, queryRows, type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { announceRun } from './dispatch.js';
import { startReindexing } from './start-run.js';
import { UNFINISHED_STATES } from './transitions.js';

/** Datasources per transaction. */
const BATCH = 500;

/**
 * Rebuilds what the vector store has lost. A serving run without points has no space, and a reindex writes its points
 * again. If the reindex fails, the rest of the datastore is searched without the datasource.
 */
export class RebuildRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Records that serving runs have lost their points, and starts their reindex. */
  async start(lost: readonly { readonly runId: string; readonly datasourceId: string }[]): Promise<void> {
    for (let from = 0; from < lost.length; from += BATCH) {
      const batch = lost.slice(from, from + BATCH);
      await this.dataSource.transaction(async (manager) => {
        const rows = await queryRows<{ id: string; run_id: string }>(
          manager,
          sql`SELECT id, serving_run_id AS run_id FROM datasources
               WHERE id = ANY(${batch.map(({ datasourceId }) => datasourceId)}) AND deleted_at IS NULL
                 AND serving_run_id = ANY(${batch.map(({ runId }) => runId)})
               ORDER BY id FOR UPDATE`,
        );
        await execute(
          manager,
          sql`UPDATE runs SET space = NULL WHERE id = ANY(${rows.map((row) => row.run_id)})`,
        );
        // Without the vectors of the embedding model first: these follow, as for a new document.
        await startReindexing(
          manager,
          rows.map(({ id }) => id),
          'indexing',
        );
        await announceRun(manager);
      });
    }
  }

  /** The number of datasources that are being rebuilt, of all organizations. */
  async count(): Promise<number> {
    const row = await queryRow<{ datasources: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS datasources ${rebuilding(sql`true`)}`,
    );
    return row?.datasources ?? 0;
  }

  /** Whether a datasource of these datastores is being rebuilt. */
  async isRebuilding({ organizationId }: TenantScope, datastoreIds: readonly string[]): Promise<boolean> {
    const isSearched = sql`d.organization_id = ${organizationId} AND d.datastore_id = ANY(${datastoreIds})`;
    return (await queryRow(this.dataSource, sql`SELECT 1 ${rebuilding(isSearched)} LIMIT 1`)) !== null;
  }

  /** Whether a datasource of these datastores serves from a vector space. */
  async isServedFrom(
    { organizationId }: TenantScope,
    datastoreIds: readonly string[],
    space: string,
  ): Promise<boolean> {
    const row = await queryRow(
      this.dataSource,
      sql`SELECT 1 FROM datasources d JOIN runs r ON r.id = d.serving_run_id
           WHERE d.organization_id = ${organizationId} AND d.datastore_id = ANY(${datastoreIds})
             AND d.deleted_at IS NULL AND r.space = ${space} LIMIT 1`,
    );
    return row !== null;
  }
}

function rebuilding(isWanted: Sql): Sql {
  return sql`FROM runs u JOIN datasources d ON d.id = u.datasource_id JOIN runs r ON r.id = d.serving_run_id
              WHERE u.trigger = 'reindex' AND u.state IN ${UNFINISHED_STATES} AND d.deleted_at IS NULL
                AND r.space IS NULL AND ${isWanted}`;
}
