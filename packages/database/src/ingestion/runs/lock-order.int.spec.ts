import { afterAll, describe, expect, it } from '@jest/globals';
import { contestLocks } from '../../fixtures/lock-order.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';

describe('the order of locks', () => {
  const server = new TestServer();
  afterAll(() => server.close());

  it('is the same on every side: no deadlock', async () => {
    const { runs, lost, deadlocks } = await contestLocks(await server.database(), 40);
    expect(runs).toBe(320);
    expect(lost).toBeGreaterThan(0);
    expect(deadlocks).toBe(0);
  });
});
