import type { DatasourceStatus } from '@citewell/contracts/schemas';
import { Any, type DataSource, type EntityManager, IsNull } from 'typeorm';
import { isId, newId } from '../../connection/new-id.js';
import type { Page } from '../../connection/page.js';
import { attempt, done, type Result } from '../../connection/result.js';
import { execute, hydrate, queryRows, type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { requestPurges } from '../../ingestion/runs/out-of-service.js';
import { IS_GROUP } from '../../ingestion/runs/site-and-archive-runs.js';
import { AgentDatastoreEntity } from '../../schema/answering.entities.js';
import { DatastoreEntity } from '../../schema/content.entities.js';
import {
  type ReadersRefusal,
  type WantedReaders,
  writeReaders,
} from '../readers/datastore-reader.repository.js';
import { readable, visibleDatasource } from '../readers/readable.js';

/**
 * Datasources of a datastore by their status. A group counts only if it failed, because its pages or files count. A
 * status without datasources is absent.
 */
export type DatasourceCounts = Partial<Record<DatasourceStatus, number>>;

/** What has been done of a datastore, and what has not. */
export interface ProgressCounts {
  /** A status without datasources is absent. */
  readonly counts: DatasourceCounts;
  /** How many were synched in the last five minutes. */
  readonly recent: number;
  /** Seconds since the first of them; 0 if there is none. */
  readonly recentSeconds: number;
}

/** An expression: how long a sync counts for the current speed. */
const RECENT = sql`interval '5 minutes'`;

export type DatastoreFields = Partial<Pick<DatastoreEntity, 'name' | 'description' | 'type' | 'visibility'>>;

/** Searchable collections of one organization. Deleted ones do not exist here. */
export class DatastoreRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param readers default: everyone of the organization */
  async create(
    scope: TenantScope,
    fields: DatastoreFields & { name: string },
    readers?: WantedReaders,
  ): Promise<Result<DatastoreEntity, ReadersRefusal>> {
    const id = newId();
    return attempt<DatastoreEntity, ReadersRefusal>(this.dataSource, async (manager) => {
      await manager.insert(DatastoreEntity, { id, organizationId: scope.organizationId, ...fields });
      // In the same transaction: nobody else sees the datastore before its readers are chosen.
      const written = readers ? await writeReaders(manager, scope, id, readers) : done();
      return written.ok ? done(await manager.findOneByOrFail(DatastoreEntity, { id })) : written;
    });
  }

  async find(scope: TenantScope, id: string): Promise<DatastoreEntity | null> {
    if (!isId(id)) return null;
    const [found] = await this.select(scope, sql`s.id = ${id}`);
    return found ?? null;
  }

  /** The datastores with these ids, in no particular order. Unknown ids are left out. */
  async findMany(scope: TenantScope, ids: readonly string[]): Promise<DatastoreEntity[]> {
    const known = ids.filter(isId);
    return known.length === 0 ? [] : this.select(scope, sql`s.id = ANY(${known}::uuid[])`);
  }

  /** The datastores that an agent searches for the reader, in their order; none for an unknown agent. */
  async ofAgent(scope: TenantScope, agentId: string): Promise<DatastoreEntity[]> {
    if (!isId(agentId)) return [];
    const isLinked = sql`l.organization_id = ${scope.organizationId} AND l.agent_id = ${agentId}`;
    // A join makes the planner read all datastores, because it counts the cost of the rule for each row.
    const all = sql`SELECT d.id FROM agents a JOIN datastores d ON d.organization_id = a.organization_id
                     WHERE a.organization_id = ${scope.organizationId} AND a.id = ${agentId} AND a.all_datastores AND d.deleted_at IS NULL`;
    return this.select(
      scope,
      sql`s.id = ANY(ARRAY(SELECT l.datastore_id FROM agent_datastores l WHERE ${isLinked} UNION ALL ${all}))
           ORDER BY (SELECT l.position FROM agent_datastores l WHERE ${isLinked} AND l.datastore_id = s.id), s.id`,
    );
  }

  /** Datastores with this name, at most `limit`. */
  async findByName(scope: TenantScope, name: string, limit: number): Promise<DatastoreEntity[]> {
    return this.select(scope, sql`s.name = ${name} LIMIT ${limit}`);
  }

  async list(scope: TenantScope, { limit, cursor }: Page): Promise<DatastoreEntity[]> {
    const isAfter = cursor !== undefined && isId(cursor) ? sql`s.id < ${cursor}` : sql`true`;
    return this.select(scope, sql`${isAfter} ORDER BY s.id DESC LIMIT ${limit}`);
  }

  /** The counts of these datastores, by id. An empty datastore is absent. */
  async countDatasources(scope: TenantScope, ids: readonly string[]): Promise<Map<string, DatasourceCounts>> {
    const rows = await queryRows<{ id: string; status: DatasourceStatus; count: number }>(
      this.dataSource,
      sql`SELECT d.datastore_id AS id, d.status, count(*)::int AS count
            FROM datasources d LEFT JOIN runs r ON r.id = d.serving_run_id
           WHERE d.datastore_id = ANY(${ids.filter(isId)}::uuid[]) AND ${visibleDatasource(scope, sql`d`)} AND (NOT ${IS_GROUP} OR d.status IN ('error', 'usage_limit_reached'))
           GROUP BY d.datastore_id, d.status`,
    );
    const counts = new Map<string, DatasourceCounts>();
    for (const { id, status, count } of rows) counts.set(id, { ...counts.get(id), [status]: count });
    return counts;
  }

  /** Counts all datasources of a datastore, also groups, and those that were synched recently. */
  async progress(scope: TenantScope, id: string): Promise<ProgressCounts> {
    const isRecent = sql`last_synch > now() - ${RECENT}`;
    const rows = await queryRows<{
      status: DatasourceStatus;
      count: number;
      recent: number;
      seconds: number | null;
    }>(
      this.dataSource,
      sql`SELECT status, count(*)::int AS count, count(*) FILTER (WHERE ${isRecent})::int AS recent,
                 extract(epoch FROM now() - min(last_synch) FILTER (WHERE ${isRecent}))::float AS seconds
            FROM datasources
           WHERE datastore_id = ${id} AND ${visibleDatasource(scope)}
           GROUP BY status`,
    );
    return {
      counts: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
      recent: rows.reduce((sum, { recent }) => sum + recent, 0),
      recentSeconds: Math.max(0, ...rows.map(({ seconds }) => seconds ?? 0)),
    };
  }

  async update(scope: TenantScope, id: string, fields: DatastoreFields): Promise<DatastoreEntity | null> {
    const found = await this.find(scope, id);
    if (found === null || Object.keys(fields).length === 0) return found;
    const { organizationId } = scope;
    await this.dataSource.manager.update(
      DatastoreEntity,
      { id, organizationId, deletedAt: IsNull() },
      fields,
    );
    return this.find(scope, id);
  }

  /**
   * Hides a datastore and its content at once, and has the rest purged.
   *
   * @returns null when there is no such datastore
   */
  async markDeleted(scope: TenantScope, id: string): Promise<DatastoreEntity | null> {
    const datastore = await this.find(scope, id);
    if (!datastore) return null;
    await this.dataSource.transaction((manager) => deleteDatastores(manager, scope.organizationId, id));
    return datastore;
  }

  /** @param condition on rows `s`, with an order and a limit perhaps */
  private async select(scope: TenantScope, condition: Sql): Promise<DatastoreEntity[]> {
    const rows = await queryRows<Record<string, unknown>>(
      this.dataSource,
      sql`SELECT s.* FROM datastores s
           WHERE s.organization_id = ${scope.organizationId} AND s.deleted_at IS NULL
             AND ${readable(scope, sql`s`)} AND ${condition}`,
    );
    return hydrate(this.dataSource, DatastoreEntity, rows);
  }
}

/**
 * Marks datastores as deleted: queries no longer see their content after this transaction, no agent searches
 * them, and a purge for each removes the rest.
 *
 * @param id of one datastore; null for all of the organization
 * @returns how many were deleted
 */
export async function deleteDatastores(
  manager: EntityManager,
  organizationId: string,
  id: string | null = null,
): Promise<number> {
  // Locked in the order of their ids, so that overlapping deletions wait for each other and do not deadlock.
  const found = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM datastores
         WHERE organization_id = ${organizationId} AND deleted_at IS NULL
           AND ${id === null ? sql`true` : sql`id = ${id}`}
         ORDER BY id FOR NO KEY UPDATE`,
  );
  if (found.length === 0) return 0;
  const ids = found.map((row) => row.id);
  await execute(manager, sql`UPDATE datastores SET deleted_at = now() WHERE id = ANY(${ids})`);
  await manager.delete(AgentDatastoreEntity, { organizationId, datastoreId: Any(ids) });
  await requestPurges(manager, organizationId, 'datastore', ids);
  return ids.length;
}
