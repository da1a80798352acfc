import type { Config } from '@citewell/config';
import type { ModelSetting, ModelSettingRepository, TenantScope } from '@citewell/database';
import { ModelNetworks } from '@citewell/models';
import { ModelConnections, type ModelKind } from './model-connections.js';
import type { Secrets } from './secrets/secrets.js';

/** Choices of organizations are read for each question. No process follows them. */
const NO_POLL = { read: async () => undefined };

/**
 * The connections of organizations to model servers of their own. Variables of the environment belong to the operator:
 * neither their keys nor their addresses are used.
 */
export class OwnConnections {
  private readonly networks: ModelNetworks;

  constructor(
    private readonly settings: Pick<ModelSettingRepository, 'findOwn' | 'storeOwn' | 'removeOwn'>,
    private readonly secrets: Secrets,
    private readonly config: Config,
  ) {
    this.networks = new ModelNetworks(config.ORGANIZATION_MODEL_NETWORKS, 'ORGANIZATION_MODEL_NETWORKS');
  }

  of(tenant: TenantScope): ModelConnections {
    const { settings, networks } = this;
    const store = {
      store: (kind: string, setting: ModelSetting) => settings.storeOwn(tenant, kind, setting),
      remove: (kind: string) => settings.removeOwn(tenant, kind),
    };
    const { organizationId } = tenant;
    const rules = { networks, hasVariables: false, organizationId };
    return new ModelConnections(store, this.secrets, NO_POLL, this.config, rules);
  }

  /** The stored choice of an organization. Null if it has none. */
  find(tenant: TenantScope, kind: ModelKind): Promise<ModelSetting | null> {
    return this.settings.findOwn(tenant, kind);
  }
}
