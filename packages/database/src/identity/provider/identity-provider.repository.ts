import type { DataSource } from 'typeorm';
import { isId } from '../../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { valuesOf } from '../../schema/columns.js';
import { IdentityProviderEntity } from '../../schema/identity.entities.js';

export type NewIdentityProvider = Omit<IdentityProviderEntity, 'organizationId' | 'createdAt'>;

/** What the sign-in page shows. */
export interface OfferedProvider {
  id: string;
  name: string;
}

/** The identity providers of organizations. */
export class IdentityProviderRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Refuses more than `max` providers. */
  async create(
    { organizationId }: TenantScope,
    provider: NewIdentityProvider,
    max: number,
  ): Promise<Result<IdentityProviderEntity, 'too-many'>> {
    return attempt(this.dataSource, async (manager) => {
      // Two requests at once must not both see the last free place.
      await queryRow(manager, sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR UPDATE`);
      if ((await manager.countBy(IdentityProviderEntity, { organizationId })) >= max)
        return refuse('too-many');
      await manager.insert(
        IdentityProviderEntity,
        valuesOf<IdentityProviderEntity>({ ...provider, organizationId }),
      );
      return done(await manager.findOneByOrFail(IdentityProviderEntity, { id: provider.id }));
    });
  }

  /** Oldest first. */
  async list({ organizationId }: TenantScope): Promise<IdentityProviderEntity[]> {
    return this.dataSource.manager.find(IdentityProviderEntity, {
      where: { organizationId },
      order: { id: 'ASC' },
    });
  }

  async find({ organizationId }: TenantScope, id: string): Promise<IdentityProviderEntity | null> {
    return isId(id)
      ? this.dataSource.manager.findOneBy(IdentityProviderEntity, { id, organizationId })
      : null;
  }

  /** What is undefined stays. */
  async update(
    scope: TenantScope,
    id: string,
    fields: { [Field in keyof NewIdentityProvider]?: NewIdentityProvider[Field] | undefined },
  ): Promise<IdentityProviderEntity | null> {
    if (!isId(id)) return null;
    const { organizationId } = scope;
    await this.dataSource.manager.update(
      IdentityProviderEntity,
      { id, organizationId },
      // TypeORM refuses an update of nothing.
      valuesOf<IdentityProviderEntity>({ ...fields, organizationId }),
    );
    return this.find(scope, id);
  }

  /** Ends the sessions that began at the provider. People stay, and cannot sign in there any more. */
  async remove({ organizationId }: TenantScope, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await execute(
        manager,
        sql`DELETE FROM sessions WHERE organization_id = ${organizationId}
               AND id IN (SELECT session_id FROM provider_sessions WHERE provider_id = ${id})`,
      );
      await manager.delete(IdentityProviderEntity, { id, organizationId });
    });
  }

  /** A provider at which people can sign in, of any organization that is not deleted. */
  async usable(id: string): Promise<IdentityProviderEntity | null> {
    if (!isId(id)) return null;
    const provider = await this.dataSource.manager.findOneBy(IdentityProviderEntity, { id });
    return provider?.clientId === null ? null : provider;
  }

  /** All providers of the installation if it has one organization. Null if there are several, and providers. */
  async offeredToAll(): Promise<OfferedProvider[] | null> {
    const rows = await queryRows<OfferedProvider & { organizations: number }>(
      this.dataSource,
      sql`SELECT p.id, p.name, (SELECT count(*)::int FROM organizations WHERE deleted_at IS NULL) AS organizations
            FROM identity_providers p WHERE p.client_id IS NOT NULL ORDER BY p.id LIMIT 100`,
    );
    if (rows.some(({ organizations }) => organizations > 1)) return null;
    return rows.map(({ id, name }) => ({ id, name }));
  }

  /** The providers for a domain of e-mail addresses, of all organizations. */
  async withDomain(domain: string): Promise<OfferedProvider[]> {
    return queryRows<OfferedProvider>(
      this.dataSource,
      sql`SELECT id, name FROM identity_providers
           WHERE client_id IS NOT NULL AND ${domain} = ANY (email_domains) ORDER BY id LIMIT 100`,
    );
  }

  /** Whether an organization has a provider with an encrypted secret. */
  async hasSecrets(): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      sql`SELECT 1 FROM identity_providers WHERE sealed_client_secret IS NOT NULL LIMIT 1`,
    );
    return rows.length > 0;
  }
}
