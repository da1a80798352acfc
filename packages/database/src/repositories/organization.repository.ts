import { type DataSource, IsNull, LessThan } from 'typeorm';
import { ApiKeyEntity } from '../entities/api-key.entity.js';
import { OrganizationEntity } from '../entities/organization.entity.js';
import { newId } from '../new-id.js';
import type { TenantScope } from '../tenant-scope.js';
import { isId } from '../new-id.js';
import type { Page } from './page.js';

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

/** Organizations and their keys. */
export class OrganizationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes an organization with its first key, both or neither. */
  async create(
    fields: Pick<OrganizationEntity, 'name'> &
      Partial<Pick<OrganizationEntity, 'limitAgentQueries' | 'limitStoredCharacters'>>,
    key: NewApiKey,
  ): Promise<OrganizationEntity> {
    return this.dataSource.transaction(async (manager) => {
      const organization = manager.create(OrganizationEntity, { id: newId(), ...fields });
      await manager.insert(OrganizationEntity, organization);
      await manager.insert(ApiKeyEntity, {
        id: newId(),
        organizationId: organization.id,
        ...key,
        scopes: [...key.scopes],
      });
      return manager.findOneByOrFail(OrganizationEntity, { id: organization.id });
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

  /** The oldest organization: the one that a self-hosted installation starts with. */
  async first(): Promise<OrganizationEntity | null> {
    const [organization] = await this.dataSource
      .getRepository(OrganizationEntity)
      .find({ order: { id: 'ASC' }, take: 1 });
    return organization ?? null;
  }

  async setLimits(
    id: string,
    limits: Pick<OrganizationEntity, 'limitAgentQueries' | 'limitStoredCharacters'>,
  ): Promise<void> {
    await this.dataSource.getRepository(OrganizationEntity).update({ id }, limits);
  }

  /** Hides the organization and ends its keys. Its content is purged with its datastores. */
  async markDeleted(id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.update(OrganizationEntity, { id }, { deletedAt: new Date() });
      await manager.delete(ApiKeyEntity, { organizationId: id });
    });
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
    const id = newId();
    await keys.insert({ id, organizationId: scope.organizationId, ...key, scopes: [...key.scopes] });
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
