import type { Config } from '@citewell/config';
import type { OrganizationRepository, TenantScope } from '@citewell/database';
import { ApiError } from '../http/api-error.js';
import type { SettingRules } from './connection-settings.js';

/**
 * The models belong to the server, which all organizations share. Administrators of its first organization choose and test them.
 *
 * @throws {@link ApiError} `FORBIDDEN`
 */
export async function assertOperator(
  organizations: OrganizationRepository,
  { organizationId }: TenantScope,
): Promise<void> {
  if ((await organizations.first())?.id === organizationId) return;
  throw new ApiError('FORBIDDEN', 'Only the first organization of the server chooses and tests its models.');
}

/** @throws {@link ApiError} `CONFLICT` if a variable of the server names the model */
export function assertNotFixed(
  { kind, variable }: Pick<SettingRules, 'kind' | 'variable'>,
  config: Config,
): void {
  if (config[variable] !== undefined)
    throw new ApiError('CONFLICT', `The variable ${variable} of the server names the ${kind} model.`);
}
