import {
  type ChunkItem,
  chunkSchema,
  type DocumentPage,
  documentPageSchema,
  type ListChunks,
  listChunksSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { ChunksService, DatasourceContentService } from './datasource-content.service.js';

@Controller('datasources')
export class ChunksController {
  constructor(
    @Inject(ChunksService) private readonly chunks: ChunksService,
    @Inject(DatasourceContentService) private readonly content: DatasourceContentService,
  ) {}

  @Operation('Read the words of a recognized page', documentPageSchema, {
    description:
      'Where the words of a scan or picture are on its page. A page that text recognition (OCR) has not read has none.',
    errors: ['CONTENT_DAMAGED'],
  })
  @Get(':id/pages/:page')
  @RequireScope('read')
  page(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Param('page') page: string,
  ): Promise<DocumentPage> {
    return this.content.page(tenant, id, Number(page));
  }

  @Operation('List the chunks of a datasource', listOf(chunkSchema), {
    description: 'Chunks are in text order. The cursor is the ordinal of a chunk.',
    errors: ['CONTENT_DAMAGED'],
  })
  @Get(':id/chunks')
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(listChunksSchema) query: ListChunks,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChunkItem[]> {
    const chunks = await this.chunks.list(tenant, id, query);
    linkNextPage(
      request,
      reply,
      chunks.map(({ ordinal }) => ({ id: String(ordinal) })),
      query.limit,
    );
    return chunks;
  }
}
