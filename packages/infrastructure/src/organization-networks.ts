import type { Config } from '@citewell/config';
import type { OrganizationRepository } from '@citewell/database';

/** The private networks that addresses of an organization may lead to, and the variable that allows them. */
export interface AllowedNetworks {
  readonly networks: readonly string[];
  readonly variable: 'MODEL_NETWORKS' | 'ORGANIZATION_MODEL_NETWORKS';
}

/** The first organization is that of the operator. Its models, webhooks and identity providers may be in the same networks. */
export async function networksOf(
  organizationId: string,
  organizations: Pick<OrganizationRepository, 'first'>,
  config: Pick<Config, AllowedNetworks['variable']>,
): Promise<AllowedNetworks> {
  const isFirst = (await organizations.first())?.id === organizationId;
  const variable = isFirst ? 'MODEL_NETWORKS' : 'ORGANIZATION_MODEL_NETWORKS';
  return { networks: config[variable], variable };
}
