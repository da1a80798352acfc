import {
  createDatasourceBatchSchema,
  createDatasourceSchema,
  type Datasource,
  type DatasourceBatch,
  datasourceBatchSchema,
  datasourceSchema,
  datasourceTextSchema,
  type ListDatasources,
  listDatasourcesSchema,
  MAX_BATCH_ITEMS,
  type PageQuery,
  pageQuerySchema,
  type RunItem,
  runSchema,
  syncDatasourceSchema,
  type TextQuery,
  textQuerySchema,
  type UpdateDatasource,
  updateDatasourceSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { FILE_TYPES } from '@citewell/documents/file-type';
import {
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody, QueryString, parseLeniently, parseStrictly } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { DatasourceContentService } from './datasource-content.service.js';
import { DatasourceCreationService } from './datasource-creation.service.js';
import { DatasourcesService } from './datasources.service.js';
import { uploadSchema } from './upload.js';

const batchSchema = createDatasourceBatchSchema.extend({
  items: z.array(z.unknown()).min(1).max(MAX_BATCH_ITEMS),
});

@Controller('datasources')
export class DatasourcesController {
  constructor(
    @Inject(DatasourcesService) private readonly datasources: DatasourcesService,
    @Inject(DatasourceCreationService) private readonly creation: DatasourceCreationService,
    @Inject(DatasourceContentService) private readonly content: DatasourceContentService,
  ) {}

  @Operation(
    'Create a datasource from a file, a web page, a web site, a text or a source',
    datasourceSchema,
    {
      description: `Send files as \`multipart/form-data\` with parts in any order, and everything else as JSON. The response has the status \`unsynched\`. Indexing runs in the background. Types of files: ${FILE_TYPES.join(', ')}; other files of text are read as plain text. The files of a ZIP archive become datasources: their \`groupId\` is the id of the archive, and their \`customId\` is their path in it.`,
      body: {
        'application/json': createDatasourceSchema,
        'multipart/form-data': uploadSchema.required({ datastoreId: true }).meta({
          examples: [
            {
              datastoreId: '0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12',
              fileName: 'p200.pdf',
              custom_id: 'manuals/p200.pdf',
            },
          ],
        }),
      },
      errors: ['NOT_FOUND', 'STORAGE_FULL'],
      idempotent: true,
    },
  )
  @Post()
  @HttpCode(200)
  @RequireScope('write')
  create(
    @Tenant() tenant: TenantScope,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Datasource> {
    const header = request.headers['idempotency-key'];
    const idempotencyKey = typeof header === 'string' ? header : undefined;
    const exchange = { request, reply };
    if (request.isMultipart()) return this.creation.upload(tenant, exchange, { idempotencyKey });
    const body = parseLeniently(createDatasourceSchema, request.body, exchange);
    return this.creation.create(tenant, body, idempotencyKey);
  }

  /** The items are parsed one by one, so that one that is invalid is refused alone. */
  @Operation('Create many datasources from web pages, web sites and texts', datasourceBatchSchema, {
    description:
      'Up to 1,000 items in one request of at most 20 MB. An item that is refused is refused alone, so check each result for an `error`. If the request fails as a whole, nothing is created. The items of a batch are written in one transaction; of items with the same `custom_id`, a later one finds the earlier one. A batch counts as one request of the rate limit, and its bytes as an upload.',
    body: createDatasourceBatchSchema,
    errors: ['NOT_FOUND', 'STORAGE_FULL'],
  })
  @Post('batch')
  @HttpCode(200)
  @RequireScope('write')
  createBatch(
    @Tenant() tenant: TenantScope,
    @Req() request: FastifyRequest,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<DatasourceBatch> {
    return this.creation.createBatch(tenant, parseStrictly(batchSchema, request.body), idempotencyKey);
  }

  @Operation('List datasources', listOf(datasourceSchema), {
    description:
      'Pages of a web site and files of an archive are listed only when `groupId` is the id of the site or archive.',
  })
  @Get()
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(listDatasourcesSchema) query: ListDatasources,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Datasource[]> {
    const datasources = await this.datasources.list(tenant, query);
    linkNextPage(request, reply, datasources, query.limit);
    return datasources;
  }

  @Operation('Read a datasource', datasourceSchema)
  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datasource> {
    return this.datasources.get(tenant, id);
  }

  @Operation('Change a datasource', datasourceSchema, {
    description:
      'A changed configuration takes effect with the next sync. If a sync is in progress, another one follows it. Another `encoding` of a file starts a sync, which reads the stored file again.',
  })
  @Patch(':id')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateDatasourceSchema) body: UpdateDatasource,
  ): Promise<Datasource> {
    return this.datasources.update(tenant, id, body);
  }

  @Operation('Delete a datasource', datasourceSchema)
  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datasource> {
    return this.datasources.remove(tenant, id);
  }

  @Operation('Sync a datasource', datasourceSchema, {
    description:
      'Starts a run that brings the datasource up to date. If a run is in progress, another one follows it. With `removeMissing`, the sync of a web site removes pages that were not found or are gone, even if they are so many that the safety check would keep them.',
    body: syncDatasourceSchema,
    isBodyOptional: true,
  })
  @Post(':id/sync')
  @HttpCode(200)
  @RequireScope('write')
  sync(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<Datasource> {
    return this.datasources.sync(tenant, id, parseStrictly(syncDatasourceSchema, request.body ?? {}));
  }

  @Operation('Cancel the unfinished run', datasourceSchema)
  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('write')
  cancel(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datasource> {
    return this.datasources.cancel(tenant, id);
  }

  @Operation('Read the canonical text of a datasource', datasourceTextSchema, {
    description: 'The offsets of citations refer to this text. They count UTF-16 code units.',
    errors: ['CONTENT_DAMAGED', 'GONE'],
  })
  @Get(':id/text')
  @RequireScope('read')
  async text(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(textQuerySchema) query: TextQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const json = await this.content.text(tenant, id, query);
    await reply.header('Content-Type', 'application/json; charset=utf-8').send(json);
  }

  @Operation('List the runs of a datasource', listOf(runSchema))
  @Get(':id/runs')
  @RequireScope('read')
  async runs(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunItem[]> {
    const runs = await this.datasources.runs(tenant, id, page);
    linkNextPage(request, reply, runs, page.limit);
    return runs;
  }

  @Operation('Download the original file', 'application/octet-stream', { errors: ['CONTENT_DAMAGED'] })
  @Get(':id/file')
  @RequireScope('read')
  async file(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { stream, name, mimeType } = await this.content.file(tenant, id);
    // Uploaded content is untrusted. As a download, it cannot run as a page of this origin.
    await reply
      .header('Content-Type', mimeType)
      .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('X-Content-Type-Options', 'nosniff')
      .send(stream);
  }

  @Operation('Replace a file', datasourceSchema, {
    description:
      'The datasource keeps its id, its `custom_id` and its metadata, and takes the name of the new file. Its old content is searched until the new content has been indexed. Equal bytes are not processed again. A file of an archive cannot be replaced.',
    body: {
      'multipart/form-data': uploadSchema
        .pick({ fileName: true, file: true })
        .meta({ examples: [{ fileName: 'p200.pdf' }] }),
    },
    errors: ['CONFLICT', 'STORAGE_FULL'],
  })
  @Put(':id/file')
  @RequireScope('write')
  replaceFile(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Datasource> {
    return this.creation.replaceFile(tenant, id, { request, reply });
  }
}
