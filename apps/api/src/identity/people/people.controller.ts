import {
  type ChangePerson,
  changePersonSchema,
  type CreatePersonLink,
  createPersonLinkSchema,
  type InvitePerson,
  invitePersonSchema,
  type PageQuery,
  pageQuerySchema,
  type Person,
  type PersonWithToken,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { PeopleService } from './people.service.js';

/** The people of the caller's organization. */
@Controller('people')
export class PeopleController {
  constructor(@Inject(PeopleService) private readonly people: PeopleService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  invite(
    @Tenant() tenant: TenantScope,
    @JsonBody(invitePersonSchema) body: InvitePerson,
  ): Promise<PersonWithToken> {
    return this.people.invite(tenant, body);
  }

  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Person[]> {
    const people = await this.people.list(tenant, page);
    linkNextPage(request, reply, people, page.limit);
    return people;
  }

  @Post(':id/link')
  @HttpCode(200)
  @RequireScope('admin')
  createLink(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(createPersonLinkSchema) body: CreatePersonLink,
  ): Promise<PersonWithToken> {
    return this.people.createLink(tenant, id, body);
  }

  @Patch(':id')
  @RequireScope('admin')
  change(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(changePersonSchema) body: ChangePerson,
  ): Promise<Person> {
    return this.people.change(tenant, id, body);
  }

  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Person> {
    return this.people.remove(tenant, id);
  }
}
