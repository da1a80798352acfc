import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { yieldBetween } from './yield-between.js';

describe('yieldBetween', () => {
  let nowMs = 0;
  beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => nowMs));
  afterEach(() => void jest.restoreAllMocks());

  /** Turns of the event loop before each of ten items whose processing takes some milliseconds. */
  async function turnsBefore(milliseconds: number, items: Iterable<number>): Promise<number[]> {
    const turns: number[] = [];
    let count = 0;
    let immediate = setImmediate(function next() {
      count += 1;
      immediate = setImmediate(next);
    });
    for await (const item of yieldBetween(items)) {
      turns[item] = count;
      nowMs += milliseconds;
    }
    clearImmediate(immediate);
    return turns;
  }
  const ten = Array.from({ length: 10 }, (_, index) => index);

  it('yields to the event loop every 10 ms', async () => {
    expect(await turnsBefore(10, ten)).toEqual(ten);
    expect(await turnsBefore(4, ten)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
    expect(await turnsBefore(0, ten)).toEqual(Array(10).fill(0));
  });

  it('counts the time that the source takes', async () => {
    function* slowly() {
      for (const item of ten) {
        nowMs += 10;
        yield item;
      }
    }
    expect(await turnsBefore(0, slowly())).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('throws the reason of its signal and closes the source', async () => {
    const abort = new AbortController();
    let isClosed = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (;;) yield 1;
      } finally {
        isClosed = true;
      }
    }
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(
      (async () => {
        for await (const item of yieldBetween(endless(), abort.signal)) nowMs += item;
      })(),
    ).rejects.toThrow(/enough/);
    expect(isClosed).toBe(true);
  });
});
