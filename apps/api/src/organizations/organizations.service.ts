import {
  type CreateOrganization,
  type Organization,
  type OrganizationWithKey,
  type PageQuery,
  SCOPES,
} from '@citewell/contracts/http';
import {
  DatastoreRepository,
  type OrganizationEntity,
  OrganizationRepository,
  TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { found } from '../http/api-error.js';
import { Authenticator, describeKey, generateKey } from '../http/authenticator.js';

const DELETE_PAGE = 100;

/** Tenants, as the operator manages them. */
@Injectable()
export class OrganizationsService {
  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  async create({ name }: CreateOrganization): Promise<OrganizationWithKey> {
    const key = generateKey();
    const first = { name: 'First key', ...describeKey(key), scopes: SCOPES };
    return { ...toOrganization(await this.organizations.create({ name }, first)), key };
  }

  async list(page: PageQuery): Promise<Organization[]> {
    return (await this.organizations.list(page)).map(toOrganization);
  }

  async get(id: string): Promise<Organization> {
    return toOrganization(found(await this.organizations.find(id), 'organization'));
  }

  /** Ends its keys at once; what it stored is purged in the background. */
  async remove(id: string): Promise<Organization> {
    const organization = found(await this.organizations.find(id), 'organization');
    await this.organizations.markDeleted(id);
    this.authenticator.forget();
    const tenant = new TenantScope(id);
    for (;;) {
      const datastores = await this.datastores.list(tenant, { limit: DELETE_PAGE });
      if (datastores.length === 0) break;
      for (const datastore of datastores) await this.datastores.markDeleted(tenant, datastore.id);
    }
    return toOrganization(organization);
  }
}

function toOrganization({ id, name, createdAt }: OrganizationEntity): Organization {
  return { id, name, createdAt: createdAt.toISOString() };
}
