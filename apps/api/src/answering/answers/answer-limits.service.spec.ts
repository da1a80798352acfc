import type { Config } from '@citewell/config';
import { TenantScope, type UsageRepository } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { AnswerLimits, BudgetGuard, type Visitor } from './answer-limits.service.js';

const tenant = new TenantScope('one');
const FULL = { code: 'RATE_LIMIT', retryAfterSeconds: 5 };

function limitsOf(maxConcurrentAnswers: number, reserveAgentQuery = async () => true): AnswerLimits {
  // Only these are used.
  const usage = { reserveAgentQuery } as unknown as UsageRepository;
  return new AnswerLimits(usage, { MAX_CONCURRENT_ANSWERS: maxConcurrentAnswers } as Config);
}

/** How many slots a sequence of visitors gets. */
async function slotsOf(limits: AnswerLimits, visitors: readonly Visitor[]): Promise<number> {
  const results = await Promise.allSettled(visitors.map((visitor) => limits.acquire(tenant, visitor)));
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(FULL);
  return results.filter(({ status }) => status === 'fulfilled').length;
}

const visitors = (count: number, make: (index: number) => Visitor): Visitor[] =>
  Array.from({ length: count }, (_, index) => make(index));

it('AnswerLimits leaves half of the slots to callers that are no visitors', async () => {
  const limits = limitsOf(4);
  expect(
    await slotsOf(
      limits,
      visitors(4, (n) => ({ keyId: `k${n}`, network: `n${n}` })),
    ),
  ).toBe(2);
  const releases = [await limits.acquire(tenant, null), await limits.acquire(tenant, null)];
  await expect(limits.acquire(tenant, null)).rejects.toMatchObject(FULL);
  releases[0]?.();
  await limits.acquire(tenant, null);
});

it.each<[name: string, visitor: (index: number) => Visitor, slots: number]>([
  ['one address with one key', () => ({ keyId: 'k', network: 'n' }), 4],
  ['one address with many keys', (n) => ({ keyId: `k${n}`, network: 'n' }), 4],
  ['many addresses with one key', (n) => ({ keyId: 'k', network: `n${n}` }), 12],
  ['many addresses with many keys', (n) => ({ keyId: `k${n}`, network: `n${n}` }), 16],
])('AnswerLimits gives %s at most its share of the slots of visitors', async (_, visitor, slots) => {
  const limits = limitsOf(32);
  expect(await slotsOf(limits, visitors(20, visitor))).toBe(slots);
  if (slots < 16) expect(await slotsOf(limits, [{ keyId: 'other', network: 'other' }])).toBe(1);
});

it.each([1, 2, 3])('AnswerLimits gives a visitor a slot of %d', async (all) => {
  expect(await slotsOf(limitsOf(all), [{ keyId: 'k', network: 'n' }])).toBe(1);
});

it('AnswerLimits frees a slot once, and also when the query is refused', async () => {
  let isAllowed = false;
  const limits = limitsOf(8, async () => isAllowed);
  const visitor = { keyId: 'k', network: 'n' };
  await expect(limits.acquire(tenant, visitor)).rejects.toMatchObject({ code: 'USAGE_LIMIT' });
  isAllowed = true;
  const release = await limits.acquire(tenant, visitor);
  release();
  release();
  await limits.acquire(tenant, visitor);
  await expect(limits.acquire(tenant, visitor)).rejects.toMatchObject(FULL);
});

const DISK_FULL = Object.assign(new Error('disk full'), { code: '53100' });

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
    ['with a full disk, within all', () => Promise.reject(DISK_FULL), null, null],
    ['with a full disk, of the agent', () => Promise.reject(DISK_FULL), 'agent' as const, /^The agent has/],
    ['without a database', () => Promise.reject(new Error('unavailable')), null, /^unavailable/],
  ])('%s', async (_, reserve, reached, expected) => {
    const guard = new BudgetGuard({ reserve, reached: async () => reached, release: async () => undefined });
    const reserved = guard.reserve(tenant, 'a');
    if (expected instanceof RegExp) await expect(reserved).rejects.toThrow(expected);
    else expect(await reserved).toBe(expected);
  });

  it('releases what was reserved', async () => {
    const released: string[] = [];
    const release = async (_: TenantScope, id: string) => void released.push(id);
    const guard = new BudgetGuard({ reserve: async () => null, reached: async () => null, release });
    await guard.release(tenant, null);
    await guard.release(tenant, 'r');
    expect(released).toEqual(['r']);
  });
});
