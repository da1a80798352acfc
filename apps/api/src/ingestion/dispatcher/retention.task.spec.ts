import { describe, expect, it } from '@jest/globals';
import { RetentionTask } from './retention.task.js';

describe('RetentionTask', () => {
  it.each([
    [0, 1],
    [199, 1],
    [200, 2],
    [450, 3],
    [1_000_000, 50],
  ])('removes %i conversations in batches', async (expired, batches) => {
    let left = expired;
    const sizes: number[] = [];
    const logged: unknown[] = [];
    const removeExpired = async (limit: number): Promise<number> => {
      const removed = Math.min(limit, left);
      left -= removed;
      sizes.push(removed);
      return removed;
    };
    const logger = { info: (fields: unknown) => void logged.push(fields) } as never;
    const events = { removeExpired: async () => 0 };
    await new RetentionTask({ removeExpired }, events, logger).run();
    expect(sizes).toHaveLength(batches);
    const conversations = expired - left;
    expect(logged).toEqual(conversations === 0 ? [] : [{ conversations }]);
  });

  it('removes audit events in batches', async () => {
    const sizes = [5_000, 5_000, 12];
    const logged: unknown[] = [];
    const removeExpired = async (): Promise<number> => sizes.shift() ?? 0;
    const logger = { info: (fields: unknown) => void logged.push(fields) } as never;
    await new RetentionTask({ removeExpired: async () => 0 }, { removeExpired }, logger).run();
    expect(sizes).toEqual([]);
    expect(logged).toEqual([{ events: 10_012 }]);
  });
});
