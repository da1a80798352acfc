import {
  type ListSourceDocuments,
  listSourceDocumentsSchema,
  type SourceDocument,
  sourceDocumentSchema,
} from '@citewell/contracts/schemas';
import { SourceDocumentRepository, type TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { QueryString } from '../../http/request-input.js';
import { DatasourcesService } from './datasources.service.js';

@Controller('datasources')
export class SourceDocumentsController {
  constructor(
    @Inject(DatasourcesService) private readonly datasources: DatasourcesService,
    @Inject(SourceDocumentRepository) private readonly documents: SourceDocumentRepository,
  ) {}

  /** What the latest sync of a source has listed; empty for other datasources. */
  @Operation('List the documents of a source', listOf(sourceDocumentSchema), {
    description:
      'What the latest sync has listed, by path: documents of the library, and documents that were skipped, with the reason.',
  })
  @Get(':id/documents')
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(listSourceDocumentsSchema) { skipped, limit, cursor }: ListSourceDocuments,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceDocument[]> {
    await this.datasources.get(tenant, id);
    const isSkipped = skipped === 'true';
    const listed = await this.documents.list(tenant, id, { isSkipped }, { limit, cursor });
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
