import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { withBreaks } from './with-breaks.js';

describe('work with breaks', () => {
  let nowMs = 0;
  beforeEach(() => mock.method(performance, 'now', () => nowMs));
  afterEach(() => mock.reset());

  /** How often others had their turn before each of ten items, which take some milliseconds each. */
  async function turnsBefore(milliseconds: number, items: Iterable<number>): Promise<number[]> {
    const turns: number[] = [];
    let count = 0;
    let others = setImmediate(function next() {
      count += 1;
      others = setImmediate(next);
    });
    for await (const item of withBreaks(items)) {
      turns[item] = count;
      nowMs += milliseconds;
    }
    clearImmediate(others);
    return turns;
  }
  const ten = Array.from({ length: 10 }, (_, index) => index);

  it('gives others a turn when it has gone on for a while, and not before', async () => {
    assert.deepEqual(await turnsBefore(10, ten), ten);
    assert.deepEqual(await turnsBefore(4, ten), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
    assert.deepEqual(await turnsBefore(0, ten), Array(10).fill(0));
  });

  it('counts what making the items takes, too', async () => {
    function* slowly() {
      for (const item of ten) {
        nowMs += 10;
        yield item;
      }
    }
    assert.deepEqual(await turnsBefore(0, slowly()), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('ends when it is told to in a break, and closes where the items come from', async () => {
    const stop = new AbortController();
    let isClosed = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (;;) yield 1;
      } finally {
        isClosed = true;
      }
    }
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(async () => {
      for await (const item of withBreaks(endless(), stop.signal)) nowMs += item;
    }, /enough/);
    assert.equal(isClosed, true);
  });
});
