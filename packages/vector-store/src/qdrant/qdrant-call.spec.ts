import { describe, expect, it } from '@jest/globals';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import { callQdrant, QdrantNodes } from './qdrant-call.js';

function httpError(status: number, message?: string): Error {
  return Object.assign(new Error('answer'), { status, data: { status: { error: message } } });
}

const one = new QdrantNodes(['http://127.0.0.1:1'], undefined, 1_000);

describe('callQdrant', () => {
  it('retries after transient failures', async () => {
    const failures = [
      httpError(503),
      new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
    ];
    const result = await callQdrant(one, 5000, async () => {
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
    const retried = callQdrant(one, 600, call);
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
    await expect(callQdrant(one, 5000, call)).rejects.toThrow(VectorStoreError);
    await expect(callQdrant(one, 5000, () => fetch('no URL'))).rejects.toThrow(VectorStoreError);
    expect(calls).toBe(1);
  });

  it('does not retry a permanent failure', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw httpError(400, 'Wrong input');
    };
    await expect(callQdrant(one, 5000, call)).rejects.toThrow(VectorStoreError);
    expect(calls).toBe(1);
  });

  it('asks each node once before it pauses, and stays with the one that answers', async () => {
    const nodes = new QdrantNodes(['http://a', 'http://b', 'http://c'], undefined, 1_000, 0);
    const [first, asked]: [QdrantClient, QdrantClient[]] = [nodes.current, []];
    const call = async (client: QdrantClient): Promise<string> => {
      asked.push(client);
      if (asked.length < 3) throw httpError(503);
      return 'fine';
    };
    // Without a budget there is no second round.
    expect(await callQdrant(nodes, 0, call)).toBe('fine');
    expect(new Set(asked).size).toBe(3);
    expect(await callQdrant(nodes, 0, async (client) => client)).toBe(asked[2]);
    expect(nodes.current).not.toBe(first);
  });

  it('moves on by one node when requests fail together', () => {
    const nodes = new QdrantNodes(['http://a', 'http://b', 'http://c'], undefined, 1_000, 2);
    const failed = nodes.current;
    nodes.leave(failed);
    const next = nodes.current;
    nodes.leave(failed);
    expect([nodes.current === next, next === failed]).toEqual([true, false]);
  });
});
