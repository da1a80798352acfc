import {
  type CreateIdentityProvider,
  createIdentityProviderSchema,
  type IdentityProvider,
  type IdentityProviderTest,
  type UpdateIdentityProvider,
} from '@citewell/contracts/schemas';
import {
  type IdentityProviderEntity,
  IdentityProviderRepository,
  newId,
  type TenantScope,
} from '@citewell/database';
import { requirePermittedAddress, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, invalid, unwrap } from '../../http/api-error.js';
import { ProviderClient } from './provider-client.service.js';
import { isOpenToEverybody } from './provider-claims.js';
import { problemOf } from './provider-errors.js';
import { ProviderSecrets } from './provider-secrets.js';

const MAX_PROVIDERS = 20;

type Stored = Omit<IdentityProvider, 'redirectUri'>;

/** The identity providers of an organization. */
@Injectable()
export class IdentityProvidersService {
  constructor(
    @Inject(IdentityProviderRepository) private readonly providers: IdentityProviderRepository,
    @Inject(ProviderClient) private readonly client: ProviderClient,
    @Inject(ProviderSecrets) private readonly secrets: ProviderSecrets,
  ) {}

  /** @throws {@link ApiError} `INVALID_REQUEST` for an issuer that is not permitted, `CONFLICT` for too many providers */
  async create(tenant: TenantScope, body: CreateIdentityProvider): Promise<Stored> {
    const { clientSecret, ...fields } = createIdentityProviderSchema.parse(body);
    assertClosed(fields);
    await this.requirePermitted(tenant, fields.issuer);
    const { organizationId } = tenant;
    const id = newId();
    const sealedClientSecret =
      clientSecret === null
        ? null
        : await this.secrets.sealClientSecret({ id, organizationId }, clientSecret);
    const created = await this.providers.create(tenant, { id, ...fields, sealedClientSecret }, MAX_PROVIDERS);
    const provider = unwrap(created, {
      'too-many': () =>
        new ApiError(
          'CONFLICT',
          `An organization has at most ${MAX_PROVIDERS} identity providers. Delete one first.`,
        ),
    });
    return toProvider(provider);
  }

  async list(tenant: TenantScope): Promise<Stored[]> {
    return (await this.providers.list(tenant)).map(toProvider);
  }

  async get(tenant: TenantScope, id: string): Promise<Stored> {
    return toProvider(await this.find(tenant, id));
  }

  /**
   * Another issuer is another directory, whose subjects are other people: that needs another provider.
   *
   * @throws {@link ApiError} `NOT_FOUND`; `CONFLICT` for another issuer, and for removing the client id, after which the
   * secret and the people of the provider would be those of another issuer
   */
  async update(
    tenant: TenantScope,
    id: string,
    { clientSecret, ...fields }: UpdateIdentityProvider,
  ): Promise<Stored> {
    const provider = await this.find(tenant, id);
    if (fields.clientId === null && provider.clientId !== null)
      throw new ApiError(
        'CONFLICT',
        'The client id of an identity provider can be replaced, and not removed. Remove the provider instead.',
      );
    if (fields.issuer !== undefined && fields.issuer !== provider.issuer) {
      if (provider.clientId !== null)
        throw new ApiError(
          'CONFLICT',
          'The issuer of an identity provider stays, because its people would be others. Add another provider.',
        );
      await this.requirePermitted(tenant, fields.issuer);
    }
    const { issuer = provider.issuer, emailDomains = provider.emailDomains } = fields;
    const { defaultRole = provider.defaultRole } = fields;
    assertClosed({ issuer, emailDomains, defaultRole });
    const sealedClientSecret = clientSecret && (await this.secrets.sealClientSecret(provider, clientSecret));
    const updated = await this.providers.update(tenant, id, { ...fields, sealedClientSecret });
    return toProvider(found(updated, 'identity provider'));
  }

  /** Ends the sessions that began there. */
  async remove(tenant: TenantScope, id: string): Promise<Stored> {
    const provider = await this.find(tenant, id);
    await this.providers.remove(tenant, id);
    return toProvider(provider);
  }

  /** Reads the discovery document and the keys. Client id and secret are known to be right at the first sign-in only. */
  async test(tenant: TenantScope, id: string): Promise<IdentityProviderTest> {
    const provider = await this.find(tenant, id);
    const { variable } = await this.client.networksFor(tenant.organizationId);
    try {
      const configuration = await this.client.discover(provider);
      const message = problemOfMetadata(configuration.serverMetadata());
      return { ok: message === null, message };
    } catch (error) {
      return { ok: false, message: problemOf(error, await this.client.library, variable) };
    }
  }

  private async find(tenant: TenantScope, id: string): Promise<IdentityProviderEntity> {
    return found(await this.providers.find(tenant, id), 'identity provider');
  }

  private async requirePermitted({ organizationId }: TenantScope, issuer: string): Promise<void> {
    const { networks, variable } = await this.client.networksFor(organizationId);
    try {
      await requirePermittedAddress(issuer, networks);
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      throw invalid('issuer', addressProblem(error, variable));
    }
  }
}

/** Completes a sentence that begins with the name of the field. */
function addressProblem({ code, userMessage }: WebFetchError, variable: string): string {
  if (code === 'PORT_BLOCKED') return 'has a port that belongs to another service';
  if (code !== 'ADDRESS_BLOCKED') return `cannot be used: ${userMessage.replace(/\.$/, '')}`;
  return `leads to a private network. The operator can allow the network with the variable ${variable}`;
}

/** Everybody can have an account at some providers. There, an organization is its domain. */
function assertClosed({
  issuer,
  emailDomains,
  defaultRole,
}: Pick<IdentityProviderEntity, 'issuer' | 'emailDomains' | 'defaultRole'>): void {
  if (isOpenToEverybody(issuer) === 'tenants')
    throw invalid(
      'issuer',
      'lets people of every organization in. Use the one with the id of your directory',
    );
  if (isOpenToEverybody(issuer) === 'accounts' && emailDomains.length === 0 && defaultRole !== null)
    throw invalid(
      'emailDomains',
      'is required with defaultRole, because everybody can have an account there',
    );
}

/** @returns null if people can sign in with these endpoints */
function problemOfMetadata(metadata: Readonly<Record<string, unknown>>): string | null {
  const { code_challenge_methods_supported: methods, response_types_supported: types } = metadata;
  for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    if (typeof metadata[endpoint] !== 'string')
      return `The discovery document of the provider has no ${endpoint}.`;
  if (Array.isArray(types) && !types.includes('code'))
    return 'The provider does not support the authorization code flow.';
  if (Array.isArray(methods) && !methods.includes('S256'))
    return 'The provider does not support PKCE with S256.';
  return null;
}

function toProvider(provider: IdentityProviderEntity): Stored {
  const { id, name, issuer, clientId, sealedClientSecret, createdAt } = provider;
  const { scopes, emailDomains, defaultRole, groupsClaim, groupRoles } = provider;
  return {
    id,
    name,
    issuer,
    clientId,
    hasClientSecret: sealedClientSecret !== null,
    scopes,
    emailDomains,
    defaultRole,
    groupsClaim,
    groupRoles,
    createdAt: createdAt.toISOString(),
  };
}
