import type { OrganizationRepository, TenantScope } from '@citewell/database';
import { ApiError } from '../http/api-error.js';

/**
 * The models belong to the server, which all organizations share. Administrators of its first organization choose them.
 *
 * @throws {@link ApiError} `FORBIDDEN`
 */
export async function assertOperator(
  organizations: OrganizationRepository,
  { organizationId }: TenantScope,
): Promise<void> {
  if ((await organizations.first())?.id === organizationId) return;
  throw new ApiError('FORBIDDEN', 'Only the first organization of the server chooses its models.');
}
