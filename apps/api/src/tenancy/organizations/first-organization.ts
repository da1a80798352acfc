import type { Config } from '@citewell/config';
import { SCOPES } from '@citewell/contracts/schemas';
import { describeKey, generateKey, type OrganizationRepository } from '@citewell/database';

/**
 * Creates the first organization of an installation when there is none. Otherwise applies the configured
 * limits and key to it.
 *
 * @returns the generated key, which can be shown only now; null when the key is configured or the
 * organization exists
 */
export async function ensureFirstOrganization(
  organizations: OrganizationRepository,
  config: Pick<Config, 'CITEWELL_API_KEY' | 'LIMIT_AGENT_QUERIES_PER_MONTH' | 'LIMIT_STORED_CHARACTERS'>,
): Promise<string | null> {
  const limits = {
    limitAgentQueries: config.LIMIT_AGENT_QUERIES_PER_MONTH ?? null,
    limitStoredCharacters: config.LIMIT_STORED_CHARACTERS ?? null,
  };
  const existing = await organizations.first();
  const configured = config.CITEWELL_API_KEY;
  if (existing) {
    await organizations.setLimits(existing.id, limits);
    if (configured) await organizations.ensureKey(existing.id, firstKey(configured, 'CITEWELL_API_KEY'));
    return null;
  }
  // The operator has deleted the first organization. No other organization replaces it.
  if ((await organizations.list({ limit: 1 })).length > 0) return null;
  const key = configured ?? generateKey();
  const isCreated = await organizations.createFirst(
    // With this name, the first invitation asks for another one: `UNNAMED` of the dashboard.
    { name: 'default', ...limits },
    firstKey(key, configured ? 'CITEWELL_API_KEY' : 'First key'),
  );
  // Another process may have created it at the same time; then the generated key is not stored.
  return isCreated && !configured ? key : null;
}

function firstKey(key: string, name: string) {
  return { name, ...describeKey(key), scopes: SCOPES };
}
