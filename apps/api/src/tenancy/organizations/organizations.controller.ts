import {
  type CreateOrganization,
  createOrganizationSchema,
  type ErasureReport,
  type Organization,
  type OrganizationWithKey,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/schemas';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { linkNextPage } from '../../http/page-link.js';
import { OrganizationsService } from './organizations.service.js';
import { RequireAdminKey } from '../../http/caller.js';
import { JsonBody, QueryString } from '../../http/request-input.js';

/** Organizations, managed by the operator with the admin key. */
@Controller('organizations')
export class OrganizationsController {
  constructor(@Inject(OrganizationsService) private readonly organizations: OrganizationsService) {}

  @Post()
  @HttpCode(200)
  @RequireAdminKey()
  create(@JsonBody(createOrganizationSchema) body: CreateOrganization): Promise<OrganizationWithKey> {
    return this.organizations.create(body);
  }

  @Get()
  @RequireAdminKey()
  async list(
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Organization[]> {
    const organizations = await this.organizations.list(page);
    linkNextPage(request, reply, organizations, page.limit);
    return organizations;
  }

  @Get(':id')
  @RequireAdminKey()
  get(@Param('id') id: string): Promise<Organization> {
    return this.organizations.get(id);
  }

  @Get(':id/erasure')
  @RequireAdminKey()
  erasure(@Param('id') id: string): Promise<ErasureReport> {
    return this.organizations.erasure(id);
  }

  @Delete(':id')
  @RequireAdminKey()
  remove(@Param('id') id: string): Promise<Organization> {
    return this.organizations.remove(id);
  }
}
