import type { CreateGroup, Group, GroupMember, PageQuery, UpdateGroup } from '@citewell/contracts/schemas';
import {
  type GroupChange,
  GroupRepository,
  type GroupWithSize,
  type PersonEntity,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound, unwrap } from '../../http/api-error.js';

/** Groups of an organization, and their members. */
@Injectable()
export class GroupsService {
  constructor(@Inject(GroupRepository) private readonly groups: GroupRepository) {}

  /** @throws {@link ApiError} `CONFLICT` if the organization has a group with this name or external id */
  async create(tenant: TenantScope, { name, externalId = null }: CreateGroup): Promise<Group> {
    return changed(await this.groups.create(tenant, { name, externalId }));
  }

  async list(tenant: TenantScope, page: PageQuery): Promise<Group[]> {
    return (await this.groups.list(tenant, page)).map(toGroup);
  }

  async find(tenant: TenantScope, id: string): Promise<Group> {
    return toGroup(found(await this.groups.find(tenant, id), 'group'));
  }

  /** @throws {@link ApiError} `NOT_FOUND`, `CONFLICT` as {@link create} */
  async update(tenant: TenantScope, id: string, fields: UpdateGroup): Promise<Group> {
    return changed(await this.groups.update(tenant, id, fields));
  }

  async remove(tenant: TenantScope, id: string): Promise<Group> {
    return toGroup(found(await this.groups.remove(tenant, id), 'group'));
  }

  async members(tenant: TenantScope, id: string, page: PageQuery): Promise<GroupMember[]> {
    await this.find(tenant, id);
    return (await this.groups.members(tenant, id, page)).map(toMember);
  }

  /** Adds a person, who may be a member already. */
  async addMember(tenant: TenantScope, id: string, personId: string): Promise<GroupMember> {
    return toMember(found(await this.groups.addMember(tenant, id, personId), 'group or person'));
  }

  async removeMember(tenant: TenantScope, id: string, personId: string): Promise<GroupMember> {
    return toMember(found(await this.groups.removeMember(tenant, id, personId), 'member'));
  }
}

function changed(change: GroupChange): Group {
  const group = unwrap(change, {
    'not-found': () => notFound('group'),
    'name-taken': () => new ApiError('CONFLICT', 'A group with this name or external id exists already.'),
  });
  return toGroup(group);
}

function toGroup({ group, memberCount }: GroupWithSize): Group {
  const { id, name, externalId, createdAt } = group;
  return { id, name, externalId, memberCount, createdAt: createdAt.toISOString() };
}

function toMember({ id, name, email, role }: PersonEntity): GroupMember {
  return { id, name, email, role };
}
