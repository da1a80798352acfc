import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryWhileDatabaseIsDown } from './retry-while-database-is-down.js';

const connectionError = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('retryWhileDatabaseIsDown', () => {
  it('repeats the work until the database answers', async () => {
    let calls = 0;
    const result = await retryWhileDatabaseIsDown(
      async () => {
        calls += 1;
        if (calls < 3) throw connectionError();
        return 'done';
      },
      { pauseMs: 1 },
    );
    assert.deepEqual([result, calls], ['done', 3]);
  });

  it('rethrows any other error at once', async () => {
    let calls = 0;
    const work = async (): Promise<void> => {
      calls += 1;
      throw new Error('syntax error');
    };
    await assert.rejects(retryWhileDatabaseIsDown(work, { pauseMs: 1 }), /syntax error/);
    assert.equal(calls, 1);
  });

  it('gives up after the timeout', async () => {
    const work = async (): Promise<void> => {
      throw connectionError();
    };
    await assert.rejects(retryWhileDatabaseIsDown(work, { timeoutMs: 5, pauseMs: 1 }), /ECONNREFUSED/);
  });
});
