import {
  type CreateDatastore,
  createDatastoreSchema,
  type Datastore,
  type DatastoreProgress,
  type DatastoreQuery,
  type DatastoreQueryItem,
  datastoreQuerySchema,
  type ListedDatastore,
  type PageQuery,
  pageQuerySchema,
  type SearchExplanation,
  type UpdateDatastore,
  updateDatastoreSchema,
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
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody, LenientJsonBody, QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { DatastoresService } from './datastores.service.js';

@Controller('datastores')
export class DatastoresController {
  constructor(@Inject(DatastoresService) private readonly datastores: DatastoresService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('write')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createDatastoreSchema) body: CreateDatastore,
    @Headers('idempotency-key') key?: string,
  ): Promise<Datastore> {
    return this.datastores.create(tenant, body, key);
  }

  @Get()
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListedDatastore[]> {
    const datastores = await this.datastores.list(tenant, page);
    linkNextPage(request, reply, datastores, page.limit);
    return this.datastores.withCounts(tenant, datastores);
  }

  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datastore> {
    return this.datastores.get(tenant, id);
  }

  @Get(':id/progress')
  @RequireScope('read')
  progress(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<DatastoreProgress> {
    return this.datastores.progress(tenant, id);
  }

  @Patch(':id')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(updateDatastoreSchema) body: UpdateDatastore,
  ): Promise<Datastore> {
    return this.datastores.update(tenant, id, body);
  }

  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datastore> {
    return this.datastores.remove(tenant, id);
  }

  @Post(':id/query')
  @HttpCode(200)
  @RequireScope('datastores:query')
  query(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(datastoreQuerySchema) body: DatastoreQuery,
  ): Promise<DatastoreQueryItem[]> {
    return this.datastores.query(tenant, id, body);
  }

  @Post(':id/explain')
  @HttpCode(200)
  @RequireScope('datastores:query')
  explain(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(datastoreQuerySchema) body: DatastoreQuery,
  ): Promise<SearchExplanation> {
    return this.datastores.explain(tenant, id, body);
  }
}
