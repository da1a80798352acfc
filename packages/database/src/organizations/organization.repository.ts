import { type DataSource, type EntityManager, IsNull, LessThan } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';
import { OrganizationEntity } from './organization.entity.js';
import { isId, newId } from '../connection/new-id.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { deleteDatastores } from '../datastores/delete-datastores.js';
import type { Page } from '../connection/page.js';

/** A key that was presented and is good. */
export interface AuthenticatedKey {
  id: string;
  organizationId: string;
  scopes: string[];
}

export interface NewApiKey {
  name: string;
  prefix: string;
  hash: string;
  scopes: readonly string[];
  expiresAt?: Date | null;
}

type NewOrganization = Pick<OrganizationEntity, 'name'> &
  Partial<Pick<OrganizationEntity, 'limitAgentQueries' | 'limitStoredCharacters'>>;

/** Organizations and their keys. */
export class OrganizationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes an organization with its first key, both or neither. */
  async create(fields: NewOrganization, key: NewApiKey): Promise<OrganizationEntity> {
    return this.dataSource.transaction(async (manager) => {
      const id = newId();
      await manager.insert(OrganizationEntity, { id, ...fields });
      await insertKey(manager, id, key);
      return manager.findOneByOrFail(OrganizationEntity, { id });
    });
  }

  /**
   * Makes the organization of the first start, with its key.
   *
   * @returns whether it did: another process that starts at the same time may have been faster
   */
  async createFirst(fields: NewOrganization, key: NewApiKey): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const id = newId();
      const insert = manager.createQueryBuilder().insert().into(OrganizationEntity);
      await insert
        .values({ id, ...fields, isFirst: true })
        .orIgnore()
        .execute();
      if (!(await manager.existsBy(OrganizationEntity, { id }))) return false;
      await insertKey(manager, id, key);
      return true;
    });
  }

  async list(page: Page): Promise<OrganizationEntity[]> {
    return this.dataSource.getRepository(OrganizationEntity).find({
      where: {
        deletedAt: IsNull(),
        ...(page.cursor && isId(page.cursor) ? { id: LessThan(page.cursor) } : {}),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  async find(id: string): Promise<OrganizationEntity | null> {
    if (!isId(id)) return null;
    return this.dataSource.getRepository(OrganizationEntity).findOneBy({ id, deletedAt: IsNull() });
  }

  /** The organization of the first start, unless it was deleted. */
  async first(): Promise<OrganizationEntity | null> {
    return this.dataSource
      .getRepository(OrganizationEntity)
      .findOneBy({ isFirst: true, deletedAt: IsNull() });
  }

  async setLimits(
    id: string,
    limits: Pick<OrganizationEntity, 'limitAgentQueries' | 'limitStoredCharacters'>,
  ): Promise<void> {
    await this.dataSource.getRepository(OrganizationEntity).update({ id }, limits);
  }

  /**
   * Hides the organization, ends its keys, and has what is in its datastores purged; {@link removeDeleted} takes the
   * rest.
   */
  async markDeleted(id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await deleteDatastores(manager, id);
      await manager.delete(ApiKeyEntity, { organizationId: id });
      // Last, as whoever counts locks it: after the datastores.
      await manager.update(OrganizationEntity, { id }, { deletedAt: new Date(), isFirst: false });
    });
  }

  /**
   * Takes away the rows of deleted organizations: what holds content first, a bounded number at a time, and the
   * organization's own row once its datastores are purged.
   *
   * @returns whether more can go at once; datastores that are still being purged do not count
   */
  async removeDeleted({ batch = 5_000 }: { batch?: number } = {}): Promise<boolean> {
    const deleted = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM organizations WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 100',
    );
    let isMoreLeft = false;
    for (const { id } of deleted) {
      // Those that were made while the organization was being deleted, by somebody who was let in before.
      await this.dataSource.transaction((manager) => deleteDatastores(manager, id));
      const isDone = await this.dataSource.transaction((manager) => removeRows(manager, id, batch));
      isMoreLeft ||= !isDone;
    }
    return isMoreLeft;
  }

  /** The key with this hash, if it is good now. */
  async authenticate(hash: string): Promise<AuthenticatedKey | null> {
    const [row] = await this.dataSource.query<{ id: string; organization_id: string; scopes: string[] }[]>(
      `SELECT k.id, k.organization_id, k.scopes FROM api_keys k JOIN organizations o ON o.id = k.organization_id
        WHERE k.hash = $1 AND (k.expires_at IS NULL OR k.expires_at > now()) AND o.deleted_at IS NULL`,
      [hash],
    );
    return row ? { id: row.id, organizationId: row.organization_id, scopes: row.scopes } : null;
  }

  async addKey(scope: TenantScope, key: NewApiKey): Promise<ApiKeyEntity> {
    const keys = this.dataSource.getRepository(ApiKeyEntity);
    const id = await insertKey(this.dataSource.manager, scope.organizationId, key);
    return keys.findOneByOrFail({ id });
  }

  /** Gives the organization this key too, unless somebody has it already. */
  async ensureKey(organizationId: string, key: NewApiKey): Promise<void> {
    await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(ApiKeyEntity)
      .values({ id: newId(), organizationId, ...key, scopes: [...key.scopes] })
      .orIgnore()
      .execute();
  }

  async keys(scope: TenantScope, page: Page): Promise<ApiKeyEntity[]> {
    return this.dataSource.getRepository(ApiKeyEntity).find({
      where: {
        organizationId: scope.organizationId,
        ...(page.cursor && isId(page.cursor) ? { id: LessThan(page.cursor) } : {}),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  async removeKey(scope: TenantScope, id: string): Promise<ApiKeyEntity | null> {
    if (!isId(id)) return null;
    const keys = this.dataSource.getRepository(ApiKeyEntity);
    const key = await keys.findOneBy({ id, organizationId: scope.organizationId });
    if (key) await keys.delete({ id, organizationId: scope.organizationId });
    return key;
  }
}

async function insertKey(manager: EntityManager, organizationId: string, key: NewApiKey): Promise<string> {
  const id = newId();
  await manager.insert(ApiKeyEntity, { id, organizationId, ...key, scopes: [...key.scopes] });
  return id;
}

/** Tables that go with the organization, in the order in which they are emptied: what holds content first. */
const OWNED_TABLES = [
  'messages',
  'conversations',
  'idempotency_keys',
  'agents',
  'usage_counters',
  'api_keys',
] as const;

/** @returns whether all that can go now is gone */
async function removeRows(manager: EntityManager, organizationId: string, batch: number): Promise<boolean> {
  // One process at a time. The lock lets others refer to the row, so that nobody waits for this.
  const locked = await manager.query<unknown[]>(
    'SELECT 1 FROM organizations WHERE id = $1 AND deleted_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED',
    [organizationId],
  );
  if (locked.length === 0) return true;
  for (const table of OWNED_TABLES) {
    const [{ removed }] = await manager.query<[{ removed: number }]>(
      `WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE organization_id = $1 LIMIT $2)) RETURNING 1)
       SELECT count(*)::int AS removed FROM gone`,
      [organizationId, batch],
    );
    if (removed === batch) return false;
  }
  await manager.query(
    `DELETE FROM organizations o WHERE o.id = $1
        AND NOT EXISTS (SELECT 1 FROM datastores s WHERE s.organization_id = o.id)`,
    [organizationId],
  );
  return true;
}
