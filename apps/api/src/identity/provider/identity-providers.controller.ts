import type { Config } from '@citewell/config';
import {
  type CreateIdentityProvider,
  createIdentityProviderSchema,
  type IdentityProvider,
  identityProviderSchema,
  type IdentityProviderTest,
  identityProviderTestSchema,
  type UpdateIdentityProvider,
  updateIdentityProviderSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { redirectUriOf } from './provider-client.service.js';

@Controller('identity-providers')
export class IdentityProvidersController {
  constructor(
    @Inject(IdentityProvidersService) private readonly providers: IdentityProvidersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Operation('Add an identity provider', identityProviderSchema, {
    description:
      'People of the organization sign in there with OpenID Connect. The response has the `redirectUri`, which the provider needs to know. The issuer may be on the Internet, and in the networks of the variable MODEL_NETWORKS for the first organization, or ORGANIZATION_MODEL_NETWORKS for others.',
    errors: ['CONFLICT'],
  })
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
  @Operation('List the identity providers of the organization', listOf(identityProviderSchema))
  @Get()
  @RequireScope('admin')
  async list(@Tenant() tenant: TenantScope, @Req() request: FastifyRequest): Promise<IdentityProvider[]> {
    const providers = await this.providers.list(tenant);
    return providers.map((provider) => this.toProvider(provider, request));
  }

  @Operation('Read an identity provider', identityProviderSchema)
  @Get(':id')
  @RequireScope('admin')
  async get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<IdentityProvider> {
    return this.toProvider(await this.providers.get(tenant, id), request);
  }

  @Operation('Change an identity provider', identityProviderSchema, {
    description:
      'What is left out stays. Fails with `CONFLICT` for another issuer, once the provider has a `clientId`: its people would be others.',
    errors: ['CONFLICT'],
  })
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

  @Operation('Remove an identity provider', identityProviderSchema, {
    description:
      'The sessions that began there end within five seconds. Its people stay, without a way to sign in.',
  })
  @Delete(':id')
  @RequireScope('admin')
  async remove(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<IdentityProvider> {
    return this.toProvider(await this.providers.remove(tenant, id), request);
  }

  @Operation('Test an identity provider', identityProviderTestSchema, {
    description:
      'Reads its discovery document. A provider that does not work is not an error of this request: `ok` is false, and `message` says why.',
  })
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
