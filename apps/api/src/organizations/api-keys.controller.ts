import {
  type ApiKey,
  type ApiKeyWithSecret,
  type CreateApiKey,
  createApiKeySchema,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/http';
import {
  type ApiKeyEntity,
  describeKey,
  generateKey,
  OrganizationRepository,
  type TenantScope,
} from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '../http/api-error.js';
import { Authenticator } from '../http/authenticator.js';
import { RequireScope, Tenant } from '../http/caller.js';
import { JsonBody, QueryString } from '../http/request-input.js';
import { linkNextPage } from '../http/page-link.js';

/** The API keys of the caller's organization. */
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  async create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createApiKeySchema) { name, scopes, expiresAt }: CreateApiKey,
  ): Promise<ApiKeyWithSecret> {
    const key = generateKey();
    const expiry = expiresAt ? new Date(expiresAt) : null;
    const entity = await this.organizations.addKey(tenant, {
      name,
      scopes,
      expiresAt: expiry,
      ...describeKey(key),
    });
    return { ...toApiKey(entity), key };
  }

  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiKey[]> {
    const keys = await this.organizations.keys(tenant, page);
    linkNextPage(request, reply, keys, page.limit);
    return keys.map(toApiKey);
  }

  @Delete(':id')
  @RequireScope('admin')
  async remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<ApiKey> {
    const removal = await this.organizations.removeKey(tenant, id);
    switch (removal.kind) {
      case 'removed':
        this.authenticator.clearCache();
        return toApiKey(removal.key);
      case 'not-found':
        throw notFound('key');
      case 'last-admin':
        throw new ApiError(
          'CONFLICT',
          'This is the last key with the scope admin. Create another one first, so that keys can still be managed.',
        );
    }
  }
}

function toApiKey({ id, name, prefix, scopes, expiresAt, createdAt }: ApiKeyEntity): ApiKey {
  return {
    id,
    name,
    prefix,
    scopes,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
