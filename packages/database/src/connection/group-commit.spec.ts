import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from './group-commit.js';

/** A commit that doubles numbers, fails for negative ones, and records its groups. */
function doubling() {
  const groups: [key: string, items: readonly number[]][] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const commit = new GroupCommit<number, number>(async (key, items) => {
    groups.push([key, items]);
    begin();
    await new Promise((resolve) => setImmediate(resolve));
    if (items.some((item) => item < 0)) throw new RangeError(`negative: ${items.join()}`);
    return items.map((item) => item * 2);
  });
  return { groups, commit, begun };
}

describe('a group commit', () => {
  it('groups items that are submitted together or during a commit, and returns to each its result', async () => {
    const { commit, groups, begun } = doubling();
    const first = [1, 2].map((item) => commit.submit('a', item));
    await begun;
    const second = [3, 4].map((item) => commit.submit('a', item));
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8]);
    expect(groups).toEqual([
      ['a', [1, 2]],
      ['a', [3, 4]],
    ]);
  });

  it('commits a single item without waiting for others', async () => {
    const { commit, groups } = doubling();
    expect(await commit.submit('a', 1)).toBe(2);
    expect(await commit.submit('a', 2)).toBe(4);
    expect(groups.map(([, items]) => items)).toEqual([[1], [2]]);
  });

  it('commits the items of different keys apart and at the same time', async () => {
    const { commit, groups } = doubling();
    await Promise.all([commit.submit('a', 1), commit.submit('b', 2), commit.submit('a', 3)]);
    expect(groups).toEqual([
      ['a', [1, 3]],
      ['b', [2]],
    ]);
  });

  it('commits the items of a group that fails one by one', async () => {
    const { commit } = doubling();
    const submitted = [1, 2, -3, 4].map((item) => commit.submit('a', item));
    const outcomes = await Promise.allSettled(submitted);
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
    ).toEqual([2, 4, 'RangeError: negative: -3', 8]);
    // Later items are committed.
    expect(await commit.submit('a', 5)).toBe(10);
  });

  it('does not commit one by one when the database is unavailable', async () => {
    let tries = 0;
    const commit = new GroupCommit<number, number>(async () => {
      tries += 1;
      await new Promise((resolve) => setImmediate(resolve));
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => commit.submit('a', item)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(tries).toBe(1);
  });

  it('limits the size of groups', async () => {
    const { commit, groups } = doubling();
    await Promise.all(Array.from({ length: 100 }, (_, item) => commit.submit('a', item)));
    expect(groups.map(([, items]) => items.length)).toEqual([64, 36]);
  });
});
