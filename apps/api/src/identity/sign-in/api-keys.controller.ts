import {
  type ApiKey,
  type ApiKeyWithSecret,
  type CreateApiKey,
  createApiKeySchema,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { ApiKeysService } from './api-keys.service.js';

/** The API keys of the caller's organization. */
@Controller('api-keys')
export class ApiKeysController {
  constructor(@Inject(ApiKeysService) private readonly keys: ApiKeysService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createApiKeySchema) body: CreateApiKey,
  ): Promise<ApiKeyWithSecret> {
    return this.keys.create(tenant, body);
  }

  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiKey[]> {
    const keys = await this.keys.list(tenant, page);
    linkNextPage(request, reply, keys, page.limit);
    return keys;
  }

  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<ApiKey> {
    return this.keys.remove(tenant, id);
  }
}
