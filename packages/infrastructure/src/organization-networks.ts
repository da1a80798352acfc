import { type Config, modelNetworks } from '@citewell/config';
import type { OrganizationRepository } from '@citewell/database';

/** The private networks that addresses of an organization may lead to, and the variable that allows them. */
export interface AllowedNetworks {
  readonly networks: readonly string[];
  readonly variable: 'MODEL_NETWORKS' | 'ORGANIZATION_MODEL_NETWORKS';
}

/**
 * The first organization is that of the operator. Its models, webhooks and identity providers may be in the same networks, but
 * webhooks on this machine only if the operator says so.
 */
export async function networksOf(
  organizationId: string,
  organizations: Pick<OrganizationRepository, 'first'>,
  config: Pick<Config, AllowedNetworks['variable']>,
  { isWebhook = false } = {},
): Promise<AllowedNetworks> {
  const isFirst = (await organizations.first())?.id === organizationId;
  if (!isFirst)
    return { networks: config.ORGANIZATION_MODEL_NETWORKS, variable: 'ORGANIZATION_MODEL_NETWORKS' };
  const networks = isWebhook ? (config.MODEL_NETWORKS ?? []) : modelNetworks(config);
  return { networks, variable: 'MODEL_NETWORKS' };
}
