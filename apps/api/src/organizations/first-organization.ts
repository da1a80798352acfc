import type { Config } from '@citewell/config';
import { SCOPES } from '@citewell/contracts/http';
import type { OrganizationRepository } from '@citewell/database';
import { describeKey, generateKey } from '../http/authenticator.js';

/**
 * Makes the organization that an installation starts with, unless there is any, and applies its limits and its
 * configured key.
 *
 * @returns the key, when one was generated: it is shown once and never again
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
    if (configured) await organizations.ensureKey(existing.id, firstKey(configured));
    return null;
  }
  // It was deleted, by whoever manages the others with the admin key: none of those takes its place.
  if ((await organizations.list({ limit: 1 })).length > 0) return null;
  const key = configured ?? generateKey();
  const isOurs = await organizations.createFirst({ name: 'default', ...limits }, firstKey(key));
  return isOurs && !configured ? key : null;
}

function firstKey(key: string) {
  return { name: 'First key', ...describeKey(key), scopes: SCOPES };
}
