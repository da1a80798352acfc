import {
  type CreateGroup,
  createGroupSchema,
  type Group,
  type GroupMember,
  groupMemberSchema,
  groupSchema,
  type PageQuery,
  pageQuerySchema,
  type UpdateGroup,
  updateGroupSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { GroupsService } from './groups.service.js';

/** Groups of people of the caller's organization. */
@Controller('groups')
export class GroupsController {
  constructor(@Inject(GroupsService) private readonly groups: GroupsService) {}

  @Operation('Create a group', groupSchema, {
    description:
      'Fails with `CONFLICT` if the organization has a group with this name, without regard to case, or with this external id.',
    errors: ['CONFLICT'],
  })
  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  create(@Tenant() tenant: TenantScope, @JsonBody(createGroupSchema) body: CreateGroup): Promise<Group> {
    return this.groups.create(tenant, body);
  }

  @Operation('List groups', listOf(groupSchema))
  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Group[]> {
    const groups = await this.groups.list(tenant, page);
    linkNextPage(request, reply, groups, page.limit);
    return groups;
  }

  @Operation('Read a group', groupSchema)
  @Get(':id')
  @RequireScope('admin')
  find(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Group> {
    return this.groups.find(tenant, id);
  }

  @Operation('Change a group', groupSchema, {
    description: 'Fails with `CONFLICT` as creating does.',
    errors: ['CONFLICT'],
  })
  @Patch(':id')
  @RequireScope('admin')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateGroupSchema) body: UpdateGroup,
  ): Promise<Group> {
    return this.groups.update(tenant, id, body);
  }

  @Operation('Delete a group', groupSchema, {
    description: 'Its members stay, and lose what they could read as members.',
  })
  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Group> {
    return this.groups.remove(tenant, id);
  }

  @Operation('List the members of a group', listOf(groupMemberSchema), {
    description: 'Newest person first.',
  })
  @Get(':id/members')
  @RequireScope('admin')
  async members(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GroupMember[]> {
    const members = await this.groups.members(tenant, id, page);
    linkNextPage(request, reply, members, page.limit);
    return members;
  }

  @Operation('Add a person to a group', groupMemberSchema, {
    description: 'A person who is a member stays one.',
  })
  @Put(':id/members/:personId')
  @RequireScope('admin')
  addMember(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Param('personId') personId: string,
  ): Promise<GroupMember> {
    return this.groups.addMember(tenant, id, personId);
  }

  @Operation('Remove a person from a group', groupMemberSchema)
  @Delete(':id/members/:personId')
  @RequireScope('admin')
  removeMember(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Param('personId') personId: string,
  ): Promise<GroupMember> {
    return this.groups.removeMember(tenant, id, personId);
  }
}
