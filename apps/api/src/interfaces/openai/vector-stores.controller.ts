import {
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
import { toDatastoreQueries, toSearchPage } from './vector-search.js';
import { toVectorStore } from './vector-store.mapper.js';

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
