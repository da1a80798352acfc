import { TenantScope } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { BudgetGuard } from './budget-guard.service.js';

const TENANT = new TenantScope('o');
const FULL = Object.assign(new Error('disk full'), { code: '53100' });

describe('BudgetGuard', () => {
  it.each([
    ['without budgets', async () => null, null, null],
    ['within all', async () => ({ id: 'r' }), null, 'r'],
    [
      'of the organization',
      async () => ({ reached: 'organization' as const }),
      null,
      /^The organization has/,
    ],
    ['of the person', async () => ({ reached: 'person' as const }), null, /^You have/],
    ['of the agent', async () => ({ reached: 'agent' as const }), null, /^The agent has/],
    ['with a full disk, within all', () => Promise.reject(FULL), null, null],
    ['with a full disk, of the agent', () => Promise.reject(FULL), 'agent' as const, /^The agent has/],
    ['without a database', () => Promise.reject(new Error('unavailable')), null, /^unavailable/],
  ])('%s', async (_, reserve, reached, expected) => {
    const guard = new BudgetGuard({ reserve, reached: async () => reached, release: async () => undefined });
    const reserved = guard.reserve(TENANT, 'a');
    if (expected instanceof RegExp) await expect(reserved).rejects.toThrow(expected);
    else expect(await reserved).toBe(expected);
  });

  it('releases what was reserved', async () => {
    const released: string[] = [];
    const release = async (_: TenantScope, id: string) => void released.push(id);
    const guard = new BudgetGuard({ reserve: async () => null, reached: async () => null, release });
    await guard.release(TENANT, null);
    await guard.release(TENANT, 'r');
    expect(released).toEqual(['r']);
  });
});
