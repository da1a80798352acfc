import { afterAll, describe, expect, it } from '@jest/globals';
import { contestLocks } from '../../fixtures/lock-order.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';

describe('the order of locks', () => {
  const server = new TestServer();
  afterAll(() => server.close());

  it('is the same on every side: no deadlock among 10,000 pairs', async () => {
    const { runs, lost, deadlocks } = await contestLocks(await server.database(), 1_250);
    expect(runs).toBe(10_000);
    expect(lost).toBeGreaterThan(0);
    expect(deadlocks).toBe(0);
  });
});
