import {
  type CheckSource,
  checkSourceSchema,
  type ListSourceDocuments,
  listSourceDocumentsSchema,
  type SourceCheck,
  sourceCheckSchema,
  type SourceDocument,
  sourceDocumentSchema,
} from '@citewell/contracts/schemas';
import { SourceDocumentRepository, type TenantScope } from '@citewell/database';
import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { found } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { SourceCheckService } from './source-check.service.js';

@Controller()
export class SourcesController {
  constructor(
    @Inject(SourceCheckService) private readonly checks: SourceCheckService,
    @Inject(SourceDocumentRepository) private readonly documents: SourceDocumentRepository,
  ) {}

  @Operation('Test a source', sourceCheckSchema, {
    description:
      'Opens the source with this configuration, and counts its documents for at most five seconds. Nothing is fetched or indexed.',
  })
  @Post('sources/check')
  @HttpCode(200)
  @RequireScope('write')
  check(
    @Tenant() tenant: TenantScope,
    @JsonBody(checkSourceSchema) { config }: CheckSource,
  ): Promise<SourceCheck> {
    return this.checks.check(tenant, config);
  }

  @Operation('List the documents of a source', listOf(sourceDocumentSchema), {
    description:
      'What the latest sync has listed, by path: documents of the library, and documents that were skipped, with the reason.',
  })
  @Get('datasources/:id/documents')
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(listSourceDocumentsSchema) { skipped, limit, cursor }: ListSourceDocuments,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceDocument[]> {
    const listed = found(
      await this.documents.list(tenant, id, { isSkipped: skipped === 'true' }, { limit, cursor }),
      'datasource',
    );
    linkNextPage(
      request,
      reply,
      listed.map(({ path }) => ({ id: path })),
      limit,
    );
    return listed.map(({ modifiedAt, ...document }) => ({
      ...document,
      modifiedAt: modifiedAt?.toISOString() ?? null,
    }));
  }
}
