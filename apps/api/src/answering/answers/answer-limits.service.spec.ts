import type { Config } from '@citewell/config';
import {
  type BudgetKind,
  type BudgetRepository,
  TenantScope,
  type UsageRepository,
} from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { AnswerLimits, BudgetGuard, type Visitor } from './answer-limits.service.js';

const tenant = new TenantScope('one');
const COUNTED = { ok: true, value: undefined } as const;
const REACHED = { ok: false, reason: 'limit-reached', ids: [] } as const;
const FULL = { code: 'RATE_LIMIT', retryAfterSeconds: 5 };

function limitsOf(
  maxConcurrentAnswers: number,
  reserveAgentQuery: UsageRepository['reserveAgentQuery'] = async () => COUNTED,
): AnswerLimits {
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
  let counted: Awaited<ReturnType<UsageRepository['reserveAgentQuery']>> = REACHED;
  const limits = limitsOf(8, async () => counted);
  const visitor = { keyId: 'k', network: 'n' };
  await expect(limits.acquire(tenant, visitor)).rejects.toMatchObject({ code: 'USAGE_LIMIT' });
  counted = COUNTED;
  const release = await limits.acquire(tenant, visitor);
  release();
  release();
  await limits.acquire(tenant, visitor);
  await expect(limits.acquire(tenant, visitor)).rejects.toMatchObject(FULL);
});

const DISK_FULL = Object.assign(new Error('disk full'), { code: '53100' });

type Reserved = ReturnType<BudgetRepository['reserve']>;
const reserved = async (value: string | null): Reserved => ({ ok: true, value });
const reached = async (reason: BudgetKind): Reserved => ({ ok: false, reason, ids: [] });

describe('BudgetGuard', () => {
  it.each<[string, () => Reserved, BudgetKind | null, string | RegExp | null]>([
    ['without budgets', () => reserved(null), null, null],
    ['within all', () => reserved('r'), null, 'r'],
    ['of the organization', () => reached('organization'), null, /^The organization has/],
    ['of the person', () => reached('person'), null, /^You have/],
    ['of the agent', () => reached('agent'), null, /^The agent has/],
    ['with a full disk, within all', () => Promise.reject(DISK_FULL), null, null],
    ['with a full disk, of the agent', () => Promise.reject(DISK_FULL), 'agent', /^The agent has/],
    ['without a database', () => Promise.reject(new Error('unavailable')), null, /^unavailable/],
  ])('%s', async (_, reserve, kind, expected) => {
    const guard = new BudgetGuard({ reserve, reached: async () => kind, release: async () => undefined });
    const reservation = guard.reserve(tenant, 'a');
    if (expected instanceof RegExp) await expect(reservation).rejects.toThrow(expected);
    else expect(await reservation).toBe(expected);
  });

  it('releases what was reserved', async () => {
    const released: string[] = [];
    const release = async (_: TenantScope, id: string) => void released.push(id);
    const guard = new BudgetGuard({ reserve: () => reserved(null), reached: async () => null, release });
    await guard.release(tenant, null);
    await guard.release(tenant, 'r');
    expect(released).toEqual(['r']);
  });
});
