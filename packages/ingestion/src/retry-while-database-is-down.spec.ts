import { describe, expect, it } from '@jest/globals';
import { retryWhileDatabaseIsDown } from './retry-while-database-is-down.js';

const connectionError = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const running = new AbortController().signal;

describe('retryWhileDatabaseIsDown', () => {
  it('repeats the work until the database answers', async () => {
    let calls = 0;
    const result = await retryWhileDatabaseIsDown(
      async () => {
        calls += 1;
        if (calls < 3) throw connectionError();
        return 'done';
      },
      running,
      { pauseMs: 1 },
    );
    expect([result, calls]).toEqual(['done', 3]);
  });

  it('rethrows any other error at once', async () => {
    let calls = 0;
    const work = async (): Promise<void> => {
      calls += 1;
      throw new Error('syntax error');
    };
    await expect(retryWhileDatabaseIsDown(work, running, { pauseMs: 1 })).rejects.toThrow(/syntax error/);
    expect(calls).toBe(1);
  });

  it('gives up after the timeout, and sooner in a process that stops', async () => {
    const work = async (): Promise<void> => {
      throw connectionError();
    };
    for (const [signal, times] of [
      [running, { timeoutMs: 5 }],
      [AbortSignal.abort(), { stopTimeoutMs: 5 }],
    ] as const)
      await expect(retryWhileDatabaseIsDown(work, signal, { ...times, pauseMs: 1 })).rejects.toThrow(
        /ECONNREFUSED/,
      );
  });
});
