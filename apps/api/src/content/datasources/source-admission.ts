import type { Config } from '@citewell/config';
import type { SourceConfig } from '@citewell/contracts/schemas';
import { type TenantScope, UsageRepository } from '@citewell/database';
import { CONFIG, SourceConnections } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';
import { requireProgram, sealSecrets } from './source-secrets.js';

interface NewSource {
  readonly config: SourceConfig;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly datastoreId: string;
  /** A source with this custom id may exist there: it is replaced. */
  readonly customId: string | null;
  /** Sources that the same request connects before this one. */
  readonly earlier: number;
}

/** Decides whether a source may be connected, and encrypts its secrets. */
@Injectable()
export class SourceAdmission {
  constructor(
    @Inject(SourceConnections) private readonly connections: SourceConnections,
    @Inject(UsageRepository) private readonly usage: Pick<UsageRepository, 'countSources'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MAX_SOURCES'>,
  ) {}

  /**
   * @returns the encrypted secrets, if there are any
   * @throws {@link ApiError} `USAGE_LIMIT` if the organization has as many sources as it may have, `INVALID_REQUEST` for a
   * program that the operator does not allow, `CONFLICT` if secrets cannot be stored
   */
  async admit(
    tenant: TenantScope,
    { config, secrets, datastoreId, customId, earlier }: NewSource,
  ): Promise<{ sealedSecrets?: Record<string, string> }> {
    requireProgram(config, this.connections.contextWith({}).programs);
    const limit = this.config.MAX_SOURCES;
    const isOpen =
      limit === 0 || (await this.usage.countSources(tenant, { datastoreId, customId })) + earlier < limit;
    if (!isOpen)
      throw new ApiError('USAGE_LIMIT', `The organization has ${limit} sources, and may have no more.`);
    if (secrets === undefined) return {};
    return { sealedSecrets: await sealSecrets(this.connections, tenant.organizationId, config, secrets) };
  }
}
