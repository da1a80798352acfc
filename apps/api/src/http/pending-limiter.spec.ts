import { TenantScope } from '@citewell/database';
import { expect, it, jest } from '@jest/globals';
import { PendingLimiter } from './pending-limiter.js';

const one = new TenantScope('one');
const REFUSED = { code: 'RATE_LIMIT', retryAfterSeconds: 2 };

/** Takes requests one after the other. @returns how many are accepted, and how often pending datasources are counted */
async function accepted(limit: number, pending: number, requests: readonly number[]): Promise<number[]> {
  const countPending = jest.fn(async () => pending);
  const limiter = new PendingLimiter({ countPending }, { MAX_PENDING_DATASOURCES: limit });
  let taken = 0;
  for (const datasources of requests) {
    try {
      await limiter.take(one, datasources);
      taken += 1;
    } catch (error) {
      expect(error).toMatchObject(REFUSED);
    }
  }
  return [taken, countPending.mock.calls.length];
}

it.each<[name: string, limit: number, pending: number, requests: number[], expected: number[]]>([
  ['accepts up to the limit, and counts once', 3, 0, [1, 1, 1, 1, 1], [3, 1]],
  ['counts what waits', 3, 2, [1, 1], [1, 1]],
  ['accepts nothing at the limit', 3, 3, [1, 1], [0, 1]],
  [
    'accepts a batch beyond the limit if there is room for one, and nothing after it',
    10,
    9,
    [1_000, 1],
    [1, 1],
  ],
  ['counts again for a batch that does not fit', 1_005, 0, [10, 1_000, 1], [3, 2]],
  ['does not count requests that add nothing', 3, 3, [0, 0], [2, 0]],
  ['has no limit with 0', 0, 5, [1, 1_000], [2, 0]],
])('PendingLimiter %s', async (_, limit, pending, requests, expected) => {
  expect(await accepted(limit, pending, requests)).toEqual(expected);
});

it('PendingLimiter counts for each organization, together for requests at the same time, and again later', async () => {
  const countPending = jest.fn(async ({ organizationId }: TenantScope) => (organizationId === 'one' ? 3 : 0));
  const limiter = new PendingLimiter({ countPending }, { MAX_PENDING_DATASOURCES: 3 });
  const [first, second, other] = await Promise.allSettled([
    limiter.take(one, 1),
    limiter.take(one, 1),
    limiter.take(new TenantScope('other'), 1),
  ]);
  expect([first?.status, second?.status, other?.status]).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(countPending).toHaveBeenCalledTimes(2);
  countPending.mockImplementation(async () => 0);
  jest.useFakeTimers({ now: Date.now() + 2_000, doNotFake: ['nextTick', 'queueMicrotask'] });
  try {
    await limiter.take(one, 1);
  } finally {
    jest.useRealTimers();
  }
});

it('PendingLimiter counts again after a failure', async () => {
  const countPending = jest.fn(async () => 0);
  countPending.mockRejectedValueOnce(new Error('gone'));
  const limiter = new PendingLimiter({ countPending }, { MAX_PENDING_DATASOURCES: 3 });
  await expect(limiter.take(one, 1)).rejects.toThrow('gone');
  await limiter.take(one, 1);
});
