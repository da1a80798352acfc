import type { DataSource, EntityManager } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import { afterCursor, type Page } from '../connection/page.js';
import { queryRow, queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { isLimited, readable } from '../content/readers/readable.js';
import { AgentDatastoreEntity, AgentEntity } from '../schema/answering.entities.js';

/** An agent with the ids of the datastores that it searches for the reader, in order. */
export interface AgentWithDatastores {
  agent: AgentEntity;
  datastoreIds: string[];
}

/** The name of the agent that answers from all datastores. */
const ALL_DOCUMENTS = 'All documents';

export type AgentFields = Partial<
  Omit<AgentEntity, 'id' | 'organizationId' | 'allDatastores' | 'createdAt' | 'updatedAt'>
>;

/** Agents of one organization. */
export class AgentRepository {
  constructor(private readonly dataSource: DataSource) {}

  async create(
    scope: TenantScope,
    fields: AgentFields & { name: string },
    datastoreIds: readonly string[],
  ): Promise<AgentWithDatastores> {
    const id = newId();
    await this.dataSource.transaction(async (manager) => {
      await manager.insert(AgentEntity, { id, organizationId: scope.organizationId, ...fields });
      await this.setDatastores(manager, scope, id, datastoreIds);
    });
    return this.load(scope, id);
  }

  async find(scope: TenantScope, id: string): Promise<AgentWithDatastores | null> {
    if (!isId(id)) return null;
    const [found] = await this.withDatastores(
      scope,
      await this.dataSource.getRepository(AgentEntity).findBy({ id, organizationId: scope.organizationId }),
    );
    return found ?? null;
  }

  /** The agent without its datastores, for callers that do not need their ids. */
  async findAlone({ organizationId }: TenantScope, id: string): Promise<AgentEntity | null> {
    if (!isId(id)) return null;
    return this.dataSource.getRepository(AgentEntity).findOneBy({ id, organizationId });
  }

  async list(scope: TenantScope, page: Page): Promise<AgentWithDatastores[]> {
    const agents = await this.dataSource.getRepository(AgentEntity).find({
      where: {
        organizationId: scope.organizationId,
        ...afterCursor(page),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
    return this.withDatastores(scope, agents);
  }

  /** The agent that answers from every datastore that the reader may read. It is created if there is none. */
  async ofAll(scope: TenantScope): Promise<AgentWithDatastores> {
    const { organizationId } = scope;
    const agents = this.dataSource.getRepository(AgentEntity);
    const where = { organizationId, allDatastores: true };
    const known = await agents.findOneBy(where);
    if (known === null) {
      const created = { id: newId(), organizationId, name: ALL_DOCUMENTS, allDatastores: true };
      // Two calls at the same time create one agent: an index is unique.
      await agents.createQueryBuilder().insert().values(created).orIgnore().execute();
    }
    const { id } = known ?? (await agents.findOneByOrFail(where));
    return this.load(scope, id);
  }

  /** Agents with this name, at most `limit`. */
  async findByName(scope: TenantScope, name: string, limit: number): Promise<AgentWithDatastores[]> {
    const { organizationId } = scope;
    const agents = this.dataSource.getRepository(AgentEntity);
    return this.withDatastores(scope, await agents.find({ where: { organizationId, name }, take: limit }));
  }

  /** Changes the fields that are given. @returns null when there is no such agent */
  async update(
    scope: TenantScope,
    id: string,
    fields: AgentFields,
    datastoreIds: readonly string[] | undefined,
  ): Promise<AgentWithDatastores | null> {
    if (!(await this.find(scope, id))) return null;
    await this.dataSource.transaction(async (manager) => {
      if (Object.keys(fields).length > 0) {
        await manager.update(AgentEntity, { id, organizationId: scope.organizationId }, fields);
      }
      if (datastoreIds) await this.setDatastores(manager, scope, id, datastoreIds);
    });
    return this.find(scope, id);
  }

  /** Removes an agent with its conversations. @returns null when there is no such agent */
  async remove(scope: TenantScope, id: string): Promise<AgentWithDatastores | null> {
    const found = await this.find(scope, id);
    if (found)
      await this.dataSource.getRepository(AgentEntity).delete({ id, organizationId: scope.organizationId });
    return found;
  }

  private async load(scope: TenantScope, id: string): Promise<AgentWithDatastores> {
    const found = await this.find(scope, id);
    if (!found) throw new Error(`Agent ${id} was removed while it was created`);
    return found;
  }

  /** Whether the agent searches datastores that the reader may not read. */
  async hasUnreadable(scope: TenantScope, id: string): Promise<boolean> {
    if (!isId(id) || !isLimited(scope)) return false;
    const { organizationId } = scope;
    const row = await queryRow(
      this.dataSource,
      sql`SELECT 1 FROM agent_datastores l JOIN datastores s ON s.id = l.datastore_id
           WHERE l.organization_id = ${organizationId} AND l.agent_id = ${id} AND s.deleted_at IS NULL
             AND NOT ${readable(scope, sql`s`)} LIMIT 1`,
    );
    return row !== null;
  }

  /** Those that the reader may not read stay, after the given ones. */
  private async setDatastores(
    manager: EntityManager,
    scope: TenantScope,
    agentId: string,
    datastoreIds: readonly string[],
  ): Promise<void> {
    const { organizationId } = scope;
    const kept = await queryRows<{ id: string }>(
      manager,
      sql`SELECT l.datastore_id AS id FROM agent_datastores l JOIN datastores s ON s.id = l.datastore_id
           WHERE l.organization_id = ${organizationId} AND l.agent_id = ${agentId} AND NOT ${readable(scope, sql`s`)}
           ORDER BY l.position FOR UPDATE OF l`,
    );
    await manager.delete(AgentDatastoreEntity, { organizationId, agentId });
    const ids = new Set([...datastoreIds, ...kept.map(({ id }) => id)]);
    const rows = [...ids].map((datastoreId, position) => ({
      organizationId,
      agentId,
      datastoreId,
      position,
    }));
    if (rows.length > 0) await manager.insert(AgentDatastoreEntity, rows);
  }

  private async withDatastores(scope: TenantScope, agents: AgentEntity[]): Promise<AgentWithDatastores[]> {
    if (agents.length === 0) return [];
    const all = agents.some(({ allDatastores }) => allDatastores)
      ? await readableIds(this.dataSource, scope)
      : [];
    const links = await queryRows<{ agent_id: string; ids: string[] }>(
      this.dataSource,
      sql`SELECT l.agent_id, array_agg(l.datastore_id ORDER BY l.position) AS ids
            FROM agent_datastores l JOIN datastores s ON s.id = l.datastore_id
           WHERE l.organization_id = ${scope.organizationId} AND l.agent_id = ANY(${agents.map(({ id }) => id)})
             AND ${readable(scope, sql`s`)}
           GROUP BY l.agent_id`,
    );
    const byAgent = new Map(links.map((link) => [link.agent_id, link.ids]));
    return agents.map((agent) => ({
      agent,
      datastoreIds: agent.allDatastores ? all : (byAgent.get(agent.id) ?? []),
    }));
  }
}

/** All datastores that the reader may read, oldest first. */
async function readableIds(dataSource: DataSource, scope: TenantScope): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    dataSource,
    sql`SELECT s.id FROM datastores s
         WHERE s.organization_id = ${scope.organizationId} AND s.deleted_at IS NULL AND ${readable(scope, sql`s`)}
         ORDER BY s.id`,
  );
  return rows.map(({ id }) => id);
}
