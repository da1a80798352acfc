import type { Config } from '@citewell/config';
import { type GroupChange, GroupRepository, ScimRepository, type TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { found, notFound } from '../../http/api-error.js';
import { RequireScim, Tenant } from '../../http/caller.js';
import { SCIM_MEDIA_TYPE, ScimError } from '../../http/scim-format.js';
import { scimAddress } from './scim-address.js';
import { readFilter } from './scim-filter.js';
import { type GroupInput, readGroup, readGroupPatch } from './scim-group-input.js';
import { type ListQuery, listOf, type Resource, sliceOf, toGroup } from './scim-resources.js';

const ATTRIBUTES = {
  displayname: 'displayName',
  externalid: 'externalId',
  id: 'id',
  'members.value': 'member',
  members: 'member',
} as const;

/** Groups with their members in one response. */
const MAX_GROUPS = 20;

/** The groups of the organization, as an identity provider manages them: SCIM 2.0 (RFC 7644). */
@Controller('scim/v2/Groups')
export class ScimGroupsController {
  constructor(
    @Inject(ScimRepository) private readonly scim: ScimRepository,
    @Inject(GroupRepository) private readonly groups: GroupRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async list(
    @Tenant() tenant: TenantScope,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const slice = sliceOf(query, isWithoutMembers(query) ? undefined : MAX_GROUPS);
    const { total, ids } = await this.scim.groups(tenant, readFilter(query.filter, ATTRIBUTES), slice);
    const resources: Resource[] = [];
    for (const id of ids) resources.push(await this.resource(tenant, id, request, query));
    return listOf(resources, total, slice.offset);
  }

  @Get(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.resource(tenant, id, request, query);
  }

  @Post()
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  async create(
    @Tenant() tenant: TenantScope,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const { name, externalId = null, members } = readGroup(body);
    const id = idOf(await this.groups.create(tenant, { name, externalId }));
    try {
      await this.changeMembers(tenant, id, members);
    } catch (error) {
      // The provider creates the group again.
      await this.groups.remove(tenant, id);
      throw error;
    }
    return this.resource(tenant, id, request);
  }

  @Put(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  replace(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.update(tenant, id, readGroup(body), request);
  }

  @Patch(':id')
  @Header('Content-Type', SCIM_MEDIA_TYPE)
  @RequireScim()
  change(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.update(tenant, id, readGroupPatch(body), request);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScim()
  async remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<void> {
    found(await this.groups.remove(tenant, id), 'group');
  }

  private async update(
    tenant: TenantScope,
    id: string,
    { name, externalId, members }: GroupInput,
    request: FastifyRequest,
  ): Promise<Resource> {
    idOf(await this.groups.update(tenant, id, { name, externalId }));
    await this.changeMembers(tenant, id, members);
    return this.resource(tenant, id, request);
  }

  private async changeMembers(
    tenant: TenantScope,
    id: string,
    members: GroupInput['members'],
  ): Promise<void> {
    if (members.length === 0) return;
    const unknown = await this.scim.changeMembers(tenant, id, members);
    if (unknown !== null)
      throw new ScimError('invalidValue', `There is no user with the id ${unknown.slice(0, 100)}.`);
  }

  private async resource(
    tenant: TenantScope,
    id: string,
    request: FastifyRequest,
    query: ListQuery = {},
  ): Promise<Resource> {
    const { group } = found(await this.groups.find(tenant, id), 'group');
    const members = isWithoutMembers(query) ? null : await this.scim.members(tenant, id);
    return toGroup(group, members, scimAddress(request, this.config));
  }
}

function isWithoutMembers({ excludedAttributes = '' }: ListQuery): boolean {
  return String(excludedAttributes)
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('members');
}

function idOf(change: GroupChange): string {
  if (change.kind === 'changed') return change.group.group.id;
  if (change.kind === 'not-found') throw notFound('group');
  throw new ScimError('uniqueness', 'Another group has this displayName or externalId.');
}
