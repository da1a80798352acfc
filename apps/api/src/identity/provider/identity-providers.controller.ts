import type { Config } from '@citewell/config';
import {
  type CreateIdentityProvider,
  createIdentityProviderSchema,
  type IdentityProvider,
  type IdentityProviderTest,
  type UpdateIdentityProvider,
  updateIdentityProviderSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody } from '../../http/request-input.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { redirectUriOf } from './provider-client.service.js';

@Controller('identity-providers')
export class IdentityProvidersController {
  constructor(
    @Inject(IdentityProvidersService) private readonly providers: IdentityProvidersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('admin')
  async create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createIdentityProviderSchema) body: CreateIdentityProvider,
    @Req() request: FastifyRequest,
  ): Promise<IdentityProvider> {
    return this.toProvider(await this.providers.create(tenant, body), request);
  }

  /** All of them: an organization has few. */
  @Get()
  @RequireScope('admin')
  async list(@Tenant() tenant: TenantScope, @Req() request: FastifyRequest): Promise<IdentityProvider[]> {
    const providers = await this.providers.list(tenant);
    return providers.map((provider) => this.toProvider(provider, request));
  }

  @Get(':id')
  @RequireScope('admin')
  async get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<IdentityProvider> {
    return this.toProvider(await this.providers.get(tenant, id), request);
  }

  @Patch(':id')
  @RequireScope('admin')
  async update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateIdentityProviderSchema) body: UpdateIdentityProvider,
    @Req() request: FastifyRequest,
  ): Promise<IdentityProvider> {
    return this.toProvider(await this.providers.update(tenant, id, body), request);
  }

  @Delete(':id')
  @RequireScope('admin')
  async remove(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<IdentityProvider> {
    return this.toProvider(await this.providers.remove(tenant, id), request);
  }

  @Post(':id/test')
  @HttpCode(200)
  @RequireScope('admin')
  test(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<IdentityProviderTest> {
    return this.providers.test(tenant, id);
  }

  private toProvider(
    provider: Omit<IdentityProvider, 'redirectUri'>,
    request: FastifyRequest,
  ): IdentityProvider {
    return { ...provider, redirectUri: redirectUriOf(provider.id, request, this.config) };
  }
}
