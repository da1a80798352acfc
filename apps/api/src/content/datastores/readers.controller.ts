import {
  type PossibleReaders,
  possibleReadersSchema,
  type Readers,
  readersSchema,
  type SearchReaders,
  searchReadersSchema,
  type SetReaders,
  setReadersSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param, Put } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { ReadersService } from './readers.service.js';

/** Who may read datastores. */
@Controller()
export class ReadersController {
  constructor(@Inject(ReadersService) private readonly readers: ReadersService) {}

  @Operation('Search people and groups that can become readers', possibleReadersSchema, {
    description: 'At most 20 of each, by name.',
  })
  @Get('readers')
  @RequireScope('write')
  search(
    @Tenant() tenant: TenantScope,
    @QueryString(searchReadersSchema) { search }: SearchReaders,
  ): Promise<PossibleReaders> {
    return this.readers.search(tenant, search);
  }

  @Operation('Read who may read a datastore', readersSchema)
  @Get('datastores/:id/readers')
  @RequireScope('write')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Readers> {
    return this.readers.get(tenant, id);
  }

  @Operation('Choose who may read a datastore', readersSchema, {
    description:
      'Replaces all readers, with effect on the next request. For everybody else who is not an owner, the datastore and its documents do not exist, and agents answer without them. A person who is not an owner must stay one of the readers.',
  })
  @Put('datastores/:id/readers')
  @RequireScope('write')
  set(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(setReadersSchema) body: SetReaders,
  ): Promise<Readers> {
    return this.readers.set(tenant, id, body);
  }
}
