import { describe, expect, it } from '@jest/globals';
import { VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import { callQdrant } from './qdrant-call.js';

function httpError(status: number, message?: string): Error {
  return Object.assign(new Error('answer'), { status, data: { status: { error: message } } });
}

describe('callQdrant', () => {
  it('retries after transient failures', async () => {
    const failures = [
      httpError(503),
      new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
    ];
    const result = await callQdrant(5000, async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return 'fine';
    });
    expect(result).toBe('fine');
  });

  it('stops retrying when the budget is used up', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw httpError(500, 'node is gone');
    };
    const retried = callQdrant(600, call);
    await expect(retried).rejects.toThrow(VectorStoreUnavailableError);
    await expect(retried).rejects.toThrow(/node is gone/);
    expect(calls).toBeGreaterThanOrEqual(2);
    expect(calls).toBeLessThanOrEqual(8);
  });

  it('does not retry a bug in the caller', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw new TypeError('undefined is not a function');
    };
    await expect(callQdrant(5000, call)).rejects.toThrow(VectorStoreError);
    await expect(callQdrant(5000, () => fetch('no URL'))).rejects.toThrow(VectorStoreError);
    expect(calls).toBe(1);
  });

  it('does not retry a permanent failure', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw httpError(400, 'Wrong input');
    };
    await expect(callQdrant(5000, call)).rejects.toThrow(VectorStoreError);
    expect(calls).toBe(1);
  });
});
