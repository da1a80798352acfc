import type { Config } from '@citewell/config';
import { TenantScope, type UsageRepository } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { AnswerLimits } from './answer-limits.service.js';

it('AnswerLimits leaves half of the slots to callers that are no visitors', async () => {
  // Only these are used.
  const usage = { reserveAgentQuery: async () => true } as unknown as UsageRepository;
  const limits = new AnswerLimits(usage, { MAX_CONCURRENT_ANSWERS: 4 } as Config);
  const tenant = new TenantScope('one');
  const full = { code: 'RATE_LIMIT' };
  for (let visitors = 0; visitors < 2; visitors += 1) await limits.acquire(tenant, { isVisitor: true });
  await expect(limits.acquire(tenant, { isVisitor: true })).rejects.toMatchObject(full);
  for (let others = 0; others < 2; others += 1) await limits.acquire(tenant);
  await expect(limits.acquire(tenant)).rejects.toMatchObject(full);
  limits.release(tenant);
  await limits.acquire(tenant);
});
