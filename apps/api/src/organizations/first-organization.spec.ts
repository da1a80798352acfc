import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationEntity, OrganizationRepository } from '@citewell/database';
import { ensureFirstOrganization } from './first-organization.js';

/** Starts on a database with this first organization and these others. @returns the key shown, and what was called */
async function start(
  {
    first = null,
    others = 0,
    isFaster = false,
  }: { first?: string | null; others?: number; isFaster?: boolean },
  config: { CITEWELL_API_KEY?: string } = {},
): Promise<{ shown: string | null; calls: string[] }> {
  const calls: string[] = [];
  const organizations = {
    first: async () => (first === null ? null : ({ id: first } as OrganizationEntity)),
    list: async () => Array.from({ length: others }, () => ({})),
    createFirst: async (_fields: unknown, { hash }: { hash: string }) => {
      calls.push(`createFirst ${hash.length}`);
      return !isFaster;
    },
    setLimits: async (id: string) => void calls.push(`setLimits ${id}`),
    ensureKey: async (id: string) => void calls.push(`ensureKey ${id}`),
  };
  // Nothing else of the repository is used.
  const shown = await ensureFirstOrganization(organizations as unknown as OrganizationRepository, {
    LIMIT_AGENT_QUERIES_PER_MONTH: undefined,
    LIMIT_STORED_CHARACTERS: undefined,
    CITEWELL_API_KEY: undefined,
    ...config,
  });
  return { shown, calls };
}

describe('the first organization', () => {
  it('is made where there is none, and its key is shown unless the operator knows it', async () => {
    const generated = await start({});
    assert.match(generated.shown ?? '', /^cw_/);
    assert.deepEqual(generated.calls, ['createFirst 64']);
    assert.deepEqual(await start({}, { CITEWELL_API_KEY: 'cw_given' }), {
      shown: null,
      calls: ['createFirst 64'],
    });
  });

  it('shows no key that is nobody’s, when another process was faster', async () => {
    assert.equal((await start({ isFaster: true })).shown, null);
  });

  it('gets the configured limits and key at every start', async () => {
    assert.deepEqual(await start({ first: 'o', others: 1 }, { CITEWELL_API_KEY: 'cw_given' }), {
      shown: null,
      calls: ['setLimits o', 'ensureKey o'],
    });
  });

  it('that was deleted is replaced by no other tenant', async () => {
    assert.deepEqual(await start({ others: 2 }, { CITEWELL_API_KEY: 'cw_given' }), {
      shown: null,
      calls: [],
    });
  });
});
