import {
  type CreateOrganization,
  createOrganizationSchema,
  type ErasureReport,
  erasureReportSchema,
  type Organization,
  organizationSchema,
  type OrganizationWithKey,
  organizationWithKeySchema,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/schemas';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { linkNextPage } from '../../http/page-link.js';
import { OrganizationsService } from './organizations.service.js';
import { RequireAdminKey } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody, QueryString } from '../../http/request-input.js';

/** Organizations, managed by the operator with the admin key. */
@Controller('organizations')
export class OrganizationsController {
  constructor(@Inject(OrganizationsService) private readonly organizations: OrganizationsService) {}

  @Operation('Create an organization and its first API key', organizationWithKeySchema)
  @Post()
  @HttpCode(200)
  @RequireAdminKey()
  create(@JsonBody(createOrganizationSchema) body: CreateOrganization): Promise<OrganizationWithKey> {
    return this.organizations.create(body);
  }

  @Operation('List organizations', listOf(organizationSchema))
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

  @Operation('Read an organization', organizationSchema)
  @Get(':id')
  @RequireAdminKey()
  get(@Param('id') id: string): Promise<Organization> {
    return this.organizations.get(id);
  }

  @Operation('Read what was deleted with an organization', erasureReportSchema, {
    description: 'The report stays. It has figures, and nothing else of the organization.',
  })
  @Get(':id/erasure')
  @RequireAdminKey()
  erasure(@Param('id') id: string): Promise<ErasureReport> {
    return this.organizations.erasure(id);
  }

  @Operation('Delete an organization and all its data', organizationSchema, {
    description: 'Nothing of it answers from then on. Rows, vectors and files are deleted in the background.',
  })
  @Delete(':id')
  @RequireAdminKey()
  remove(@Param('id') id: string): Promise<Organization> {
    return this.organizations.remove(id);
  }
}
