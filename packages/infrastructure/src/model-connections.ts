import { type Config, modelNetworks } from '@citewell/config';
import type {
  ModelSetting,
  ModelSettingRepository,
  OrganizationRepository,
  TenantScope,
} from '@citewell/database';
import { ModelNetworks, type OnModelCall, type ProviderConnection } from '@citewell/models';
import { type Metrics, recordCall } from '@citewell/observability';
import { networksOf } from './organization-networks.js';
import { SecretError, type Secrets } from './secrets/secrets.js';
import type { SettingsPoll } from './settings-poll.js';

/** Error messages say what to check. */
const NAMES = { urlVariable: 'the address in the settings', keyVariable: 'the key in the settings' };

/** What a setting is about. */
export type ModelKind = 'chat' | 'embedding' | 'rerank' | 'pictures';

/** A model of a server, with the key in clear. It stays in the memory of the process. */
export interface ModelConnection {
  provider: string;
  /** The name at the provider. */
  model: string;
  /** Null for the address of the provider. */
  baseUrl: string | null;
  apiKey: string | null;
}

/** A stored choice, as this process can use it. */
export interface StoredConnection extends ModelConnection {
  /** Whether a key is stored, also one that cannot be decrypted. */
  hasKey: boolean;
  /** Why the key cannot be decrypted. */
  problem: string | null;
}

type ConfigText = { [K in keyof Config]: Config[K] extends string | undefined ? K : never }[keyof Config];

/** The variables with the address and the key of a provider. */
export interface ConnectionOfVariables {
  readonly urlVariable: ConfigText;
  readonly keyVariable: ConfigText;
}

/** Where the choices of an owner are stored. */
export type SettingStore = Pick<ModelSettingRepository, 'store' | 'remove'>;

/** The rules for the models of an owner: the installation, or an organization. */
export interface ConnectionRules {
  readonly networks: ModelNetworks;
  /** Whether variables win over settings. */
  readonly hasVariables: boolean;
  /** A key is encrypted for its owner, too. Null for the installation. */
  readonly organizationId: string | null;
}

/** The connections of an owner to model servers: of the environment, and of the settings, whose keys are encrypted. */
export class ModelConnections {
  constructor(
    private readonly settings: SettingStore,
    private readonly secrets: Secrets,
    private readonly poll: Pick<SettingsPoll, 'read'>,
    private readonly config: Config,
    private readonly rules: ConnectionRules = {
      networks: new ModelNetworks(modelNetworks(config)),
      hasVariables: true,
      organizationId: null,
    },
  ) {}

  /**
   * Stores a choice for all processes. Those that follow it in this process have received it when this resolves.
   *
   * @throws SecretError if a key cannot be stored
   */
  async store(kind: ModelKind, { provider, model, baseUrl, apiKey }: ModelConnection): Promise<void> {
    const purpose = this.purposeOf(kind, { provider, baseUrl });
    const sealedKey = apiKey === null ? null : await this.secrets.seal(apiKey, purpose);
    await this.settings.store(kind, { name: `${provider}:${model}`, baseUrl, sealedKey });
    await this.poll.read();
  }

  async remove(kind: ModelKind): Promise<void> {
    await this.settings.remove(kind);
    await this.poll.read();
  }

  /** Reads a stored choice of a server. */
  async read(kind: ModelKind, { name, baseUrl, sealedKey }: ModelSetting): Promise<StoredConnection> {
    const colon = name.indexOf(':');
    const provider = name.slice(0, Math.max(colon, 0));
    const choice = { provider, model: name.slice(colon + 1), baseUrl };
    const hasKey = sealedKey !== null;
    try {
      const apiKey = hasKey ? await this.secrets.open(sealedKey, this.purposeOf(kind, choice)) : null;
      return { ...choice, apiKey, hasKey, problem: null };
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      return { ...choice, apiKey: null, hasKey, problem: error.message };
    }
  }

  /** The set variables with address or key of a provider. They win over the settings. */
  fixedBy({ urlVariable, keyVariable }: ConnectionOfVariables): string[] {
    return [urlVariable, keyVariable].filter((name) => this.variable(name) !== undefined);
  }

  /** The value of a variable that wins over the settings. Organizations have none. */
  variable(name: ConfigText): string | undefined {
    return this.rules.hasVariables ? this.config[name] : undefined;
  }

  /** Address and key in the variables of a provider. */
  ofVariables({ urlVariable, keyVariable }: ConnectionOfVariables): ProviderConnection {
    const { [urlVariable]: baseUrl, [keyVariable]: apiKey } = this.config;
    return { ...(baseUrl === undefined ? {} : { baseUrl }), ...(apiKey === undefined ? {} : { apiKey }) };
  }

  /** How a chosen model is reached. Variables win, and only addresses of settings are limited to networks. */
  resolve(
    variables: ConnectionOfVariables,
    { baseUrl, apiKey }: Pick<ModelConnection, 'baseUrl' | 'apiKey'>,
  ): ProviderConnection {
    if (this.fixedBy(variables).length > 0) return this.ofVariables(variables);
    return {
      ...(baseUrl === null ? {} : { baseUrl }),
      ...(apiKey === null ? {} : { apiKey }),
      fetcher: this.rules.networks.fetch,
      names: NAMES,
    };
  }

  /**
   * @param variables those that win over the address. Null if there are none
   * @throws ModelError (`permanent`) if an address of the settings is in a network that is not allowed
   */
  async requirePermitted(variables: ConnectionOfVariables | null, baseUrl: string | null): Promise<void> {
    const isFixed = variables !== null && this.fixedBy(variables).length > 0;
    if (baseUrl !== null && !isFixed) await this.rules.networks.requirePermitted(baseUrl);
  }

  /** A key is for one provider at one address. */
  private purposeOf(
    kind: ModelKind,
    { provider, baseUrl }: Pick<ModelConnection, 'provider' | 'baseUrl'>,
  ): string {
    const { organizationId } = this.rules;
    return JSON.stringify([kind, provider, baseUrl, ...(organizationId === null ? [] : [organizationId])]);
  }
}

/**
 * Counts the requests to model providers and their tokens, and adds them to the trace.
 *
 * @param onCall is called with each request, after it is counted
 */
export function countModelCalls(
  metrics: Pick<Metrics, 'modelCalls' | 'modelTokens'>,
  onCall?: OnModelCall,
): OnModelCall {
  return (call) => {
    const { kind, outcome, seconds, inputTokens, outputTokens } = call;
    metrics.modelCalls.observe({ kind, outcome }, seconds);
    metrics.modelTokens.inc({ kind, direction: 'input' }, inputTokens);
    if (kind === 'chat') metrics.modelTokens.inc({ kind, direction: 'output' }, outputTokens);
    recordCall(`${kind} model`, { outcome, inputTokens, outputTokens }, seconds, call.failure !== undefined);
    onCall?.(call);
  };
}

/** Choices of organizations are read for each question. No process follows them. */
const NO_POLL = { read: async () => undefined };

/**
 * The connections of organizations to model servers of their own. Variables of the environment belong to the operator:
 * neither their keys nor their addresses are used.
 */
export class OwnConnections {
  constructor(
    private readonly settings: Pick<ModelSettingRepository, 'findOwn' | 'storeOwn' | 'removeOwn'>,
    private readonly organizations: Pick<OrganizationRepository, 'first'>,
    private readonly secrets: Secrets,
    private readonly config: Config,
  ) {}

  async of(tenant: TenantScope): Promise<ModelConnections> {
    const { settings } = this;
    const store = {
      store: (kind: string, setting: ModelSetting) => settings.storeOwn(tenant, kind, setting),
      remove: (kind: string) => settings.removeOwn(tenant, kind),
    };
    const { organizationId } = tenant;
    const allowed = await networksOf(organizationId, this.organizations, this.config);
    const networks = new ModelNetworks(allowed.networks, allowed.variable);
    const rules = { networks, hasVariables: false, organizationId };
    return new ModelConnections(store, this.secrets, NO_POLL, this.config, rules);
  }

  /** The stored choice of an organization. Null if it has none. */
  find(tenant: TenantScope, kind: ModelKind): Promise<ModelSetting | null> {
    return this.settings.findOwn(tenant, kind);
  }
}
