import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    assert.equal(result, 'fine');
  });

  it('stops retrying when the budget is used up', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw httpError(500, 'node is gone');
    };
    await assert.rejects(callQdrant(600, call), (error) => {
      assert.ok(error instanceof VectorStoreUnavailableError);
      assert.match(error.message, /node is gone/);
      return true;
    });
    assert.ok(calls >= 2 && calls <= 8);
  });

  it('does not retry a bug in the caller', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw new TypeError('undefined is not a function');
    };
    await assert.rejects(callQdrant(5000, call), VectorStoreError);
    await assert.rejects(
      callQdrant(5000, () => fetch('no URL')),
      VectorStoreError,
    );
    assert.equal(calls, 1);
  });

  it('does not retry a permanent failure', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw httpError(400, 'Wrong input');
    };
    await assert.rejects(callQdrant(5000, call), VectorStoreError);
    assert.equal(calls, 1);
  });
});
