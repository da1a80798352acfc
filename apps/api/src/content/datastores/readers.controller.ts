import {
  type PossibleReaders,
  type Readers,
  type SearchReaders,
  searchReadersSchema,
  type SetReaders,
  setReadersSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param, Put } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { ReadersService } from './readers.service.js';

/** Who may read datastores. */
@Controller()
export class ReadersController {
  constructor(@Inject(ReadersService) private readonly readers: ReadersService) {}

  /** People and groups that can become readers. */
  @Get('readers')
  @RequireScope('write')
  search(
    @Tenant() tenant: TenantScope,
    @QueryString(searchReadersSchema) { search }: SearchReaders,
  ): Promise<PossibleReaders> {
    return this.readers.search(tenant, search);
  }

  @Get('datastores/:id/readers')
  @RequireScope('write')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Readers> {
    return this.readers.get(tenant, id);
  }

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
