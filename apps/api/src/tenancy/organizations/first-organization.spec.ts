import type { OrganizationEntity, OrganizationRepository } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { ensureFirstOrganization } from './first-organization.js';

/**
 * Runs `ensureFirstOrganization`.
 *
 * @param options.first id of the existing first organization
 * @param options.organizationCount number of organizations that exist
 * @param options.isCreatedElsewhere whether another process creates the first organization at the same time
 * @returns the shown key, and the calls that were made
 */
async function start(
  {
    first = null,
    organizationCount = 0,
    isCreatedElsewhere = false,
  }: { first?: string | null; organizationCount?: number; isCreatedElsewhere?: boolean },
  config: { CITEWELL_API_KEY?: string } = {},
): Promise<{ shown: string | null; calls: string[] }> {
  const calls: string[] = [];
  const organizations = {
    first: async () => (first === null ? null : ({ id: first } as OrganizationEntity)),
    list: async () => Array.from({ length: organizationCount }, () => ({})),
    createFirst: async (_fields: unknown, { hash }: { hash: string }) => {
      calls.push(`createFirst ${hash.length}`);
      return !isCreatedElsewhere;
    },
    setLimits: async (id: string) => void calls.push(`setLimits ${id}`),
    ensureKey: async (id: string) => void calls.push(`ensureKey ${id}`),
  };
  // The function calls no other method of the repository.
  const shown = await ensureFirstOrganization(organizations as unknown as OrganizationRepository, {
    LIMIT_AGENT_QUERIES_PER_MONTH: undefined,
    LIMIT_STORED_CHARACTERS: undefined,
    CITEWELL_API_KEY: undefined,
    ...config,
  });
  return { shown, calls };
}

describe('ensureFirstOrganization', () => {
  it('creates the organization when there is none, and returns a generated key only', async () => {
    const generated = await start({});
    expect(generated.shown ?? '').toMatch(/^cw_/);
    expect(generated.calls).toEqual(['createFirst 64']);
    expect(await start({}, { CITEWELL_API_KEY: 'cw_given' })).toEqual({
      shown: null,
      calls: ['createFirst 64'],
    });
  });

  it('returns no key when another process has created the organization', async () => {
    expect((await start({ isCreatedElsewhere: true })).shown).toBeNull();
  });

  it('applies the configured limits and key at every start', async () => {
    expect(await start({ first: 'o', organizationCount: 1 }, { CITEWELL_API_KEY: 'cw_given' })).toEqual({
      shown: null,
      calls: ['setLimits o', 'ensureKey o'],
    });
  });

  it('does not replace a deleted first organization', async () => {
    expect(await start({ organizationCount: 2 }, { CITEWELL_API_KEY: 'cw_given' })).toEqual({
      shown: null,
      calls: [],
    });
  });
});
