import type { DatasourceStatus } from '@citewell/contracts/schemas';
import { type DataSource, Any, IsNull } from 'typeorm';
import { AgentDatastoreEntity } from '../agents/agent.entity.js';
import { DatastoreEntity } from './datastore.entity.js';
import { isId, newId } from '../connection/new-id.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { IS_GROUP } from '../runs/groups.js';
import { deleteDatastores } from './delete-datastores.js';
import { afterCursor, type Page } from '../connection/page.js';
import { queryRows, sql } from '../connection/sql.js';

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

  private get rows() {
    return this.dataSource.getRepository(DatastoreEntity);
  }

  async create(scope: TenantScope, fields: DatastoreFields & { name: string }): Promise<DatastoreEntity> {
    const id = newId();
    await this.rows.insert({ id, organizationId: scope.organizationId, ...fields });
    return this.rows.findOneByOrFail({ id });
  }

  async find(scope: TenantScope, id: string): Promise<DatastoreEntity | null> {
    if (!isId(id)) return null;
    return this.rows.findOneBy({ id, organizationId: scope.organizationId, deletedAt: IsNull() });
  }

  /** The datastores with these ids, in no particular order. Unknown ids are left out. */
  async findMany(scope: TenantScope, ids: readonly string[]): Promise<DatastoreEntity[]> {
    const known = ids.filter(isId);
    if (known.length === 0) return [];
    return this.rows.findBy({ id: Any(known), organizationId: scope.organizationId, deletedAt: IsNull() });
  }

  /** The datastores that an agent searches, in their order; none for an unknown agent. */
  async ofAgent({ organizationId }: TenantScope, agentId: string): Promise<DatastoreEntity[]> {
    if (!isId(agentId)) return [];
    return this.rows
      .createQueryBuilder('datastore')
      .innerJoin(
        AgentDatastoreEntity,
        'link',
        'link.organizationId = datastore.organizationId AND link.datastoreId = datastore.id',
      )
      .where({ organizationId, deletedAt: IsNull() })
      .andWhere('link.agentId = :agentId', { agentId })
      .orderBy('link.position')
      .getMany();
  }

  /** Datastores with this name, at most `limit`. */
  async findByName(scope: TenantScope, name: string, limit: number): Promise<DatastoreEntity[]> {
    const { organizationId } = scope;
    return this.rows.find({ where: { organizationId, name, deletedAt: IsNull() }, take: limit });
  }

  async list(scope: TenantScope, page: Page): Promise<DatastoreEntity[]> {
    return this.rows.find({
      where: {
        organizationId: scope.organizationId,
        deletedAt: IsNull(),
        ...afterCursor(page),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  /** The counts of these datastores, by id. An empty datastore is absent. */
  async countDatasources(
    { organizationId }: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, DatasourceCounts>> {
    const rows = await queryRows<{ id: string; status: DatasourceStatus; count: number }>(
      this.dataSource,
      sql`SELECT d.datastore_id AS id, d.status, count(*)::int AS count
            FROM datasources d LEFT JOIN runs r ON r.id = d.serving_run_id
           WHERE d.organization_id = ${organizationId} AND d.datastore_id = ANY(${ids.filter(isId)}::uuid[])
             AND d.deleted_at IS NULL AND (NOT ${IS_GROUP} OR d.status IN ('error', 'usage_limit_reached'))
           GROUP BY d.datastore_id, d.status`,
    );
    const counts = new Map<string, DatasourceCounts>();
    for (const { id, status, count } of rows) counts.set(id, { ...counts.get(id), [status]: count });
    return counts;
  }

  /** Counts all datasources of a datastore, also groups, and those that were synched recently. */
  async progress({ organizationId }: TenantScope, id: string): Promise<ProgressCounts> {
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
           WHERE organization_id = ${organizationId} AND datastore_id = ${id} AND deleted_at IS NULL
           GROUP BY status`,
    );
    return {
      counts: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
      recent: rows.reduce((sum, { recent }) => sum + recent, 0),
      recentSeconds: Math.max(0, ...rows.map(({ seconds }) => seconds ?? 0)),
    };
  }

  async update(scope: TenantScope, id: string, fields: DatastoreFields): Promise<DatastoreEntity | null> {
    if (Object.keys(fields).length > 0 && isId(id)) {
      await this.rows.update({ id, organizationId: scope.organizationId, deletedAt: IsNull() }, fields);
    }
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
}
