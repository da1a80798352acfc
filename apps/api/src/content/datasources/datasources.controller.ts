import {
  createDatasourceBatchSchema,
  createDatasourceSchema,
  type Datasource,
  type DatasourceBatch,
  type ListDatasources,
  listDatasourcesSchema,
  MAX_BATCH_ITEMS,
  type PageQuery,
  pageQuerySchema,
  type RunItem,
  syncDatasourceSchema,
  type TextQuery,
  textQuerySchema,
  type UpdateDatasource,
  updateDatasourceSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
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
import { JsonBody, QueryString, parseLeniently, parseStrictly } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { DatasourceContentService } from './datasource-content.service.js';
import { DatasourceCreationService } from './datasource-creation.service.js';
import { DatasourcesService } from './datasources.service.js';

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

  /** Accepts multipart for files, and JSON for everything else. */
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

  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datasource> {
    return this.datasources.get(tenant, id);
  }

  @Patch(':id')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateDatasourceSchema) body: UpdateDatasource,
  ): Promise<Datasource> {
    return this.datasources.update(tenant, id, body);
  }

  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datasource> {
    return this.datasources.remove(tenant, id);
  }

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

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('write')
  cancel(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datasource> {
    return this.datasources.cancel(tenant, id);
  }

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
}
