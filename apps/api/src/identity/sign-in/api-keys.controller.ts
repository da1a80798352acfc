import {
  type ApiKey,
  apiKeySchema,
  type ApiKeyWithSecret,
  apiKeyWithSecretSchema,
  type CreateApiKey,
  createApiKeySchema,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { ApiKeysService } from './api-keys.service.js';

/** The API keys of the caller's organization. */
@Controller('api-keys')
export class ApiKeysController {
  constructor(@Inject(ApiKeysService) private readonly keys: ApiKeysService) {}

  @Operation('Create an API key', apiKeyWithSecretSchema, {
    description:
      'A key with the scope `publishable` may be part of web pages: it asks one public agent, from pages of the allowed origins. It does nothing else.',
    errors: ['NOT_FOUND'],
  })
  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createApiKeySchema) body: CreateApiKey,
  ): Promise<ApiKeyWithSecret> {
    return this.keys.create(tenant, body);
  }

  @Operation('List API keys, and the personal access tokens of people', listOf(apiKeySchema))
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

  @Operation('Revoke an API key, or the token of a person', apiKeySchema)
  @Delete(':id')
  @RequireScope('admin')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<ApiKey> {
    return this.keys.remove(tenant, id);
  }
}
