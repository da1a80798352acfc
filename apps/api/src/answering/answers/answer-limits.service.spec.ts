import type { Config } from '@citewell/config';
import { TenantScope, type UsageRepository } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { AnswerLimits, type Visitor } from './answer-limits.service.js';

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
