import {
  type CreateDatastore,
  createDatastoreSchema,
  type Datastore,
  type DatastoreProgress,
  datastoreProgressSchema,
  type DatastoreQuery,
  type DatastoreQueryItem,
  datastoreQueryItemSchema,
  datastoreQuerySchema,
  datastoreSchema,
  type DocumentChange,
  documentChangeSchema,
  type ListChanges,
  listChangesSchema,
  type ListedDatastore,
  listedDatastoreSchema,
  type PageQuery,
  pageQuerySchema,
  type SearchExplanation,
  searchExplanationSchema,
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
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody, LenientJsonBody, QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { DatastoresService } from './datastores.service.js';

@Controller('datastores')
export class DatastoresController {
  constructor(@Inject(DatastoresService) private readonly datastores: DatastoresService) {}

  @Operation('Create a datastore', datastoreSchema)
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

  @Operation('List datastores', listOf(listedDatastoreSchema))
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

  @Operation('Read a datastore', datastoreSchema)
  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datastore> {
    return this.datastores.get(tenant, id);
  }

  @Operation('Read the progress of a datastore', datastoreProgressSchema, {
    description: 'How many datasources have which status, and when those that are in progress will be done.',
  })
  @Get(':id/progress')
  @RequireScope('read')
  progress(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<DatastoreProgress> {
    return this.datastores.progress(tenant, id);
  }

  @Operation('List what was added, changed and removed in a datastore', listOf(documentChangeSchema), {
    description: 'Newest first. A sync that finds the same text is not a change.',
  })
  @Get(':id/changes')
  @RequireScope('read')
  async changes(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(listChangesSchema) query: ListChanges,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DocumentChange[]> {
    const changes = await this.datastores.changes(tenant, id, query);
    linkNextPage(request, reply, changes, query.limit);
    return changes;
  }

  @Operation('Change a datastore', datastoreSchema)
  @Patch(':id')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(updateDatastoreSchema) body: UpdateDatastore,
  ): Promise<Datastore> {
    return this.datastores.update(tenant, id, body);
  }

  @Operation('Delete a datastore and its datasources', datastoreSchema)
  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Datastore> {
    return this.datastores.remove(tenant, id);
  }

  @Operation('Search a datastore', listOf(datastoreQueryItemSchema), {
    description:
      'Returns the best passages for the query, without a generated answer. `topK` is 5 by default.',
  })
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

  @Operation('Explain a search', searchExplanationSchema, {
    description:
      'Searches as `POST /datastores/{id}/query` does, and by words and by meaning alone. Each passage has its rank and score in all three. Limit the passages to one datasource with `filters.datasource_ids` to see why a search does not find it: ranks remain those among all passages of the datastore.',
  })
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
