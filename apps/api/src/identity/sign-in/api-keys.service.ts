import {
  type ApiKey,
  type ApiKeyWithSecret,
  type CreateApiKey,
  DEFAULT_DAILY_LIMIT,
  type PageQuery,
} from '@citewell/contracts/schemas';
import {
  AgentRepository,
  type ApiKeyEntity,
  describeKey,
  generateKey,
  OrganizationRepository,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, invalid, notFound, unwrap } from '../../http/api-error.js';

/** Creates, lists and revokes API keys. The list has the tokens of people, too, which can be revoked. */
@Injectable()
export class ApiKeysService {
  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(AgentRepository) private readonly agents: AgentRepository,
  ) {}

  /** @throws {@link ApiError} `NOT_FOUND` for an unknown agent, `INVALID_REQUEST` for a private one */
  async create(
    tenant: TenantScope,
    { name, scopes, expiresAt, agentId, allowedOrigins, dailyLimit }: CreateApiKey,
  ): Promise<ApiKeyWithSecret> {
    if (agentId) await this.assertPublic(tenant, agentId);
    const key = generateKey();
    const entity = await this.organizations.addKey(tenant, {
      name,
      scopes,
      expiresAt: expiresAt ? new Date(expiresAt) : null,
      ...(agentId
        ? {
            agentId,
            allowedOrigins: [...new Set(allowedOrigins)],
            dailyLimit: dailyLimit ?? DEFAULT_DAILY_LIMIT,
          }
        : {}),
      ...describeKey(key),
    });
    return { ...toApiKey(entity, new Map()), key };
  }

  async list(tenant: TenantScope, page: PageQuery): Promise<ApiKey[]> {
    const keys = await this.organizations.keys(tenant, page);
    const names = await this.organizations.namesOfPeople(tenant, keys);
    return keys.map((key) => toApiKey(key, names));
  }

  /** @throws {@link ApiError} `NOT_FOUND`, `CONFLICT` for the last key with the scope admin */
  async remove(tenant: TenantScope, id: string): Promise<ApiKey> {
    const key = unwrap(await this.organizations.removeKey(tenant, id), {
      'not-found': () => notFound('key'),
      'last-admin': () =>
        new ApiError(
          'CONFLICT',
          'This is the last key with the scope admin. Create another one first, so that keys can still be managed.',
        ),
    });
    return toApiKey(key, await this.organizations.namesOfPeople(tenant, [key]));
  }

  private async assertPublic(tenant: TenantScope, agentId: string): Promise<void> {
    const { agent } = found(await this.agents.find(tenant, agentId), 'agent');
    if (agent.visibility !== 'public')
      throw invalid(
        'agentId',
        'is a private agent; set its visibility to public before its key is put on a page',
      );
  }
}

function toApiKey(key: ApiKeyEntity, names: ReadonlyMap<string, string | null>): ApiKey {
  const { id, name, prefix, scopes, agentId, allowedOrigins, dailyLimit, personId } = key;
  return {
    id,
    name,
    prefix,
    scopes,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    agentId,
    allowedOrigins,
    dailyLimit,
    person: personId === null ? null : { id: personId, name: names.get(personId) ?? null },
    createdAt: key.createdAt.toISOString(),
  };
}
