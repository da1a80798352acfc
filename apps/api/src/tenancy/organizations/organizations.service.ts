import {
  type CreateOrganization,
  type ErasureReport,
  type Organization,
  type OrganizationWithKey,
  type PageQuery,
  SCOPES,
} from '@citewell/contracts/schemas';
import {
  describeKey,
  ErasureRepository,
  generateKey,
  type OrganizationEntity,
  OrganizationRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { found } from '../../http/api-error.js';
import { OrganizationRemover } from './organization-remover.service.js';

/** Creates, reads and deletes organizations. */
@Injectable()
export class OrganizationsService {
  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(ErasureRepository) private readonly erasures: ErasureRepository,
    @Inject(OrganizationRemover) private readonly remover: OrganizationRemover,
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

  /** What was deleted of an organization, and what is still to be deleted. */
  async erasure(id: string): Promise<ErasureReport> {
    const {
      createdAt,
      completedAt,
      found: before,
      left,
    } = found(await this.erasures.find(id), 'deleted organization');
    return {
      id,
      requestedAt: createdAt.toISOString(),
      completedAt: completedAt?.toISOString() ?? null,
      complete: completedAt !== null,
      found: before,
      left,
    };
  }

  /** Revokes the keys at once. The data is purged in the background. */
  async remove(id: string): Promise<Organization> {
    const organization = found(await this.organizations.find(id), 'organization');
    await this.organizations.markDeleted(id);
    this.remover.wake();
    return toOrganization(organization);
  }
}

function toOrganization({ id, name, createdAt }: OrganizationEntity): Organization {
  return { id, name, createdAt: createdAt.toISOString() };
}
