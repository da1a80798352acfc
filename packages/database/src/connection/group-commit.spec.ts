import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GroupCommit } from './group-commit.js';

/** Groups as they were worked on; numbers below zero cannot be. */
function doubling() {
  const groups: [key: string, items: readonly number[]][] = [];
  const commit = new GroupCommit<number, number>(async (key, items) => {
    groups.push([key, items]);
    await new Promise((resolve) => setImmediate(resolve));
    if (items.some((item) => item < 0)) throw new RangeError(`negative: ${items.join()}`);
    return items.map((item) => item * 2);
  });
  return { groups, commit };
}

describe('a group commit', () => {
  it('takes together what comes while a group is under way, and gives each its own result', async () => {
    const { commit, groups } = doubling();
    const results = await Promise.all([1, 2, 3].map((item) => commit.ask('a', item)));
    assert.deepEqual(results, [2, 4, 6]);
    assert.deepEqual(groups, [
      ['a', [1]],
      ['a', [2, 3]],
    ]);
  });

  it('does not wait for others: one alone is a group', async () => {
    const { commit, groups } = doubling();
    assert.equal(await commit.ask('a', 1), 2);
    assert.equal(await commit.ask('a', 2), 4);
    assert.deepEqual(
      groups.map(([, items]) => items),
      [[1], [2]],
    );
  });

  it('never mixes keys, and lets none wait for another', async () => {
    const { commit, groups } = doubling();
    await Promise.all([commit.ask('a', 1), commit.ask('b', 2), commit.ask('a', 3)]);
    assert.deepEqual(groups, [
      ['a', [1]],
      ['b', [2]],
      ['a', [3]],
    ]);
  });

  it('tries a group that fails one by one: what is wrong with one costs the others nothing', async () => {
    const { commit } = doubling();
    const asked = [1, 2, -3, 4].map((item) => commit.ask('a', item));
    const outcomes = await Promise.allSettled(asked);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
      [2, 4, 'RangeError: negative: -3', 8],
    );
    assert.equal(await commit.ask('a', 5), 10, 'and goes on');
  });

  it('does not try one by one what fails because the database is away', async () => {
    let tries = 0;
    const commit = new GroupCommit<number, number>(async () => {
      tries += 1;
      await new Promise((resolve) => setImmediate(resolve));
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => commit.ask('a', item)));
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.equal(tries, 2);
  });

  it('bounds its groups', async () => {
    const { commit, groups } = doubling();
    await Promise.all(Array.from({ length: 100 }, (_, item) => commit.ask('a', item)));
    assert.deepEqual(
      groups.map(([, items]) => items.length),
      [1, 64, 35],
    );
  });
});
