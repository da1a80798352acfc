import type { Config } from '@citewell/config';
import { type SourceConfig, sourceConnection } from '@citewell/contracts/schemas';
import type { SourceSecretRepository } from '@citewell/database';
import type { ProxyOptions } from '@citewell/web';
import { SecretError, type Secrets } from './secrets/secrets.js';

type Values = Readonly<Record<string, string>>;

/** A source that is stored. */
export interface StoredSource {
  readonly id: string;
  readonly organizationId: string;
  readonly sealedSecrets: Values | null;
}

/**
 * What connectors need of this server, and the secrets of sources. Each secret is encrypted for one organization and one
 * connection: the address and the account.
 */
export class SourceConnections {
  constructor(
    private readonly secrets: Pick<Secrets, 'seal' | 'open'>,
    private readonly stored: Pick<SourceSecretRepository, 'replace'>,
    private readonly config: Config,
  ) {}

  /** @throws SecretError if they cannot be stored */
  async seal(organizationId: string, config: SourceConfig, values: Values): Promise<Record<string, string>> {
    return mapped(values, (value, name) => this.secrets.seal(value, purposeOf(organizationId, config, name)));
  }

  /**
   * The context of a stored source, with its secrets in clear. Those that the source renews are stored.
   *
   * @throws SecretError if they cannot be decrypted, or were stored for another connection
   */
  async contextOf({ id, organizationId, sealedSecrets }: StoredSource, config: SourceConfig) {
    const sealed = { ...sealedSecrets };
    const secrets = await mapped(sealed, (value, name) => this.open(organizationId, config, name, value));
    const saveSecret = async (name: string, value: string): Promise<void> => {
      const renewed = await this.seal(organizationId, config, { [name]: value });
      await this.stored.replace({ organizationId, id }, name, sealed[name] ?? '', renewed[name] ?? '');
      Object.assign(sealed, renewed);
    };
    return { ...this.contextWith(secrets), saveSecret };
  }

  private async open(
    organizationId: string,
    config: SourceConfig,
    name: string,
    sealed: string,
  ): Promise<string> {
    try {
      return await this.secrets.open(sealed, purposeOf(organizationId, config, name));
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw new SecretError(
        `The secret ${name} was stored for another address or account, or with another CITEWELL_SECRET or file \`secret\` of the data directory. Enter it again.`,
      );
    }
  }

  /** The context of a source that is not stored. */
  contextWith(secrets: Values) {
    const { config } = this;
    const proxy = pageProxyOf(config);
    return {
      secrets,
      folders: config.FOLDERS,
      programs: config.SOURCE_PROGRAMS ?? {},
      rclonePath: config.RCLONE_PATH,
      allowPrivateNetworks: config.ALLOW_PRIVATE_NETWORKS,
      userAgent: config.CRAWL_USER_AGENT,
      ...(proxy === null ? {} : { proxy }),
    };
  }
}

async function mapped(
  values: Values,
  change: (value: string, name: string) => Promise<string>,
): Promise<Record<string, string>> {
  const changed = Object.entries(values).map(
    async ([name, value]) => [name, await change(value, name)] as const,
  );
  return Object.fromEntries(await Promise.all(changed));
}

function purposeOf(organizationId: string, config: SourceConfig, name: string): string {
  return JSON.stringify(['source', organizationId, sourceConnection(config), name]);
}

/** The proxy for pages. One for one scheme serves the other one too. */
export function pageProxyOf({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY }: Config): ProxyOptions | null {
  const url = HTTPS_PROXY ?? HTTP_PROXY;
  return url === undefined ? null : { url, httpUrl: HTTP_PROXY ?? url, bypass: NO_PROXY };
}
