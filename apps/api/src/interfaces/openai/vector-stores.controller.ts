import {
  type ListedDatastore,
  type ListVectorStores,
  listVectorStoresSchema,
  type VectorStoreSearch,
  vectorStoreSearchSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { DatastoresService } from '../../content/datastores/datastores.service.js';
import { found } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { LenientJsonBody, LenientQueryString } from '../../http/request-input.js';
import { unixTime } from './models.controller.js';
import { toDatastoreQueries, toSearchPage } from './vector-search.js';

/** Datastores as vector stores, in the format of OpenAI. */
@Controller('v1/vector_stores')
export class VectorStoresController {
  constructor(@Inject(DatastoresService) private readonly datastores: DatastoresService) {}

  @Get()
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @LenientQueryString(listVectorStoresSchema) { limit, after }: ListVectorStores,
  ): Promise<object> {
    const datastores = await this.datastores.list(tenant, { limit: limit + 1, cursor: after });
    const page = datastores.slice(0, limit);
    return {
      object: 'list',
      data: (await this.datastores.withCounts(tenant, page)).map(toVectorStore),
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: datastores.length > limit,
    };
  }

  @Get(':id')
  @RequireScope('read')
  async get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<object> {
    const datastore = await this.datastores.get(tenant, id);
    const [store] = (await this.datastores.withCounts(tenant, [datastore])).map(toVectorStore);
    return found(store, 'datastore');
  }

  @Post(':id/search')
  @HttpCode(200)
  @RequireScope('datastores:query')
  async search(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(vectorStoreSearchSchema) search: VectorStoreSearch,
  ): Promise<object> {
    const queries = toDatastoreQueries(search);
    return toSearchPage(
      search,
      await Promise.all(queries.map((query) => this.datastores.query(tenant, id, query))),
    );
  }
}

interface VectorStore {
  id: string;
  object: 'vector_store';
  created_at: number;
  last_active_at: number;
  name: string;
  /** Not counted. */
  usage_bytes: 0;
  file_counts: { in_progress: number; completed: number; failed: number; cancelled: 0; total: number };
  status: 'in_progress' | 'completed';
  metadata: null;
}

/** A datastore as a vector store. */
export function toVectorStore({ id, name, timestamps, documents }: ListedDatastore): VectorStore {
  const { total, inProgress, failed } = documents;
  return {
    id,
    object: 'vector_store',
    created_at: unixTime(new Date(timestamps.createdAt)),
    last_active_at: unixTime(new Date(timestamps.updatedAt)),
    name,
    usage_bytes: 0,
    file_counts: {
      in_progress: inProgress,
      completed: total - inProgress - failed,
      failed,
      cancelled: 0,
      total,
    },
    status: inProgress > 0 ? 'in_progress' : 'completed',
    metadata: null,
  };
}
