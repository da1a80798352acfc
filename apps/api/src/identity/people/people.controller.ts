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
  personSchema,
  type PersonWithToken,
  personWithTokenSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { PeopleService } from './people.service.js';

/** The people of the caller's organization. */
@Controller('people')
export class PeopleController {
  constructor(@Inject(PeopleService) private readonly people: PeopleService) {}

  @Operation('Invite a person', personWithTokenSchema, {
    description:
      'The person is listed at once, and signs in after choosing a password with `token`. With `sendMail`, the link is sent to the e-mail, too, if the server sends mails; an organization sends 100 an hour. Fails with `CONFLICT` if another person of the organization has this e-mail.',
    errors: ['CONFLICT'],
  })
  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  invite(
    @Tenant() tenant: TenantScope,
    @JsonBody(invitePersonSchema) body: InvitePerson,
  ): Promise<PersonWithToken> {
    return this.people.invite(tenant, body);
  }

  @Operation('List the people of the organization', listOf(personSchema))
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

  @Operation('Create a new link for a person', personWithTokenSchema, {
    description:
      'For an invitation that has expired, or a forgotten password. The link before stops working. The password of before works until the new one is set, which ends all sessions of the person. Fails with `CONFLICT` for an account that is in several organizations.',
    errors: ['CONFLICT'],
  })
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

  @Operation('Change the role of a person', personSchema, {
    description: 'Takes effect within five seconds. Fails with `CONFLICT` for the last owner.',
    errors: ['CONFLICT'],
  })
  @Patch(':id')
  @RequireScope('admin')
  change(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(changePersonSchema) body: ChangePerson,
  ): Promise<Person> {
    return this.people.change(tenant, id, body);
  }

  @Operation('Remove a person, or an invitation', personSchema, {
    description:
      'The sessions of the person end within five seconds. Fails with `CONFLICT` for the last owner.',
    errors: ['CONFLICT'],
  })
  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Person> {
    return this.people.remove(tenant, id);
  }
}
