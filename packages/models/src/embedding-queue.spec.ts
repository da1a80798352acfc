import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EmbeddingQueue, nextInputs } from './embedding-queue.js';
import { ModelError } from './model.error.js';

const SIGNAL = new AbortController().signal;

/**
 * A queue to a model whose vectors are the lengths of the texts. `bad` is refused, `limit` meets a rate limit, and `down`
 * finds no server; each fails the whole request.
 */
function queueOf({ maxInputs = 4, maxTokens = 100, maxInFlight = 1, isDown = false } = {}) {
  const requests: string[][] = [];
  const signals: AbortSignal[] = [];
  const queue = new EmbeddingQueue(
    async (texts, signal) => {
      requests.push([...texts]);
      signals.push(signal);
      await sleep(5, undefined, { signal }).catch(() => signal.throwIfAborted());
      if (isDown) throw new ModelError('transient', 'down');
      if (texts.includes('bad')) throw new ModelError('permanent', 'bad');
      if (texts.includes('limit')) throw new ModelError('rate-limited', 'limit');
      return texts.map((text) => Float32Array.of(text.length));
    },
    { maxInputs, maxTokens, maxInFlight, countTokens: (text) => text.length },
  );
  /** The lengths of the texts, or the message of the error. */
  const embed = (texts: readonly string[], signal = SIGNAL): Promise<number[] | string> =>
    queue.embed(texts, signal).then(
      (vectors) => vectors.map(([value]) => value ?? 0),
      (error: Error) => error.message,
    );
  return { embed, requests, signals };
}

describe('EmbeddingQueue', () => {
  it('joins the texts of calls that wait, within the limits, and returns to each its vectors', async () => {
    const { embed, requests } = queueOf({ maxTokens: 10 });
    const first = embed(['a']);
    await setImmediate();
    await setImmediate();
    const others = [embed(['bb', 'ccc']), embed(['dddd']), embed(['e', 'ff', 'g'])];
    expect(await Promise.all([first, ...others])).toEqual([[1], [2, 3], [4], [1, 2, 1]]);
    expect(requests).toEqual([['a'], ['bb', 'ccc', 'dddd', 'e'], ['ff', 'g']]);
  });

  it('has no more requests in flight than allowed', async () => {
    const { embed, requests } = queueOf({ maxInputs: 1, maxInFlight: 2 });
    const all = embed(['a', 'b', 'c']);
    await setImmediate();
    await setImmediate();
    expect(requests).toHaveLength(2);
    expect(await all).toEqual([1, 1, 1]);
  });

  for (const { name, calls, isDown = false, outcomes, requests: count } of [
    {
      name: 'a refused text fails its call alone',
      calls: [['a'], ['bad', 'c'], ['dd']],
      outcomes: [[1], 'bad', [2]],
      requests: 4,
    },
    {
      name: 'a rate limit fails all calls of the request',
      calls: [['a'], ['limit'], ['c']],
      outcomes: ['limit', 'limit', 'limit'],
      requests: 1,
    },
    {
      name: 'a server that does not answer is not asked for each call',
      calls: [['a'], ['b'], ['c'], ['d']],
      isDown: true,
      outcomes: ['down', 'down', 'down', 'down'],
      requests: 3,
    },
    {
      name: 'a call without texts needs no request',
      calls: [[]],
      outcomes: [[]],
      requests: 0,
    },
  ]) {
    it(name, async () => {
      const { embed, requests } = queueOf({ isDown });
      expect(await Promise.all(calls.map((texts) => embed(texts)))).toEqual(outcomes);
      expect(requests).toHaveLength(count);
    });
  }

  it('aborts a request only when all its calls are aborted, and drops the texts that wait', async () => {
    const { embed, requests, signals } = queueOf({ maxInputs: 2 });
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [embed(['a'], first.signal), embed(['b', 'waits'], second.signal)];
    await setImmediate();
    await setImmediate();
    first.abort(new Error('first'));
    expect(await calls[0]).toBe('first');
    expect(signals[0]?.aborted).toBe(false);
    second.abort(new Error('second'));
    expect(await calls[1]).toBe('second');
    expect(signals[0]?.aborted).toBe(true);
    expect(await embed(['c'])).toEqual([1]);
    expect(requests).toEqual([['a', 'b'], ['c']]);
  });
});

describe('number of texts in a request', () => {
  it.each([
    ['doubles after a fast full request', 16, { sent: 16, ms: 900, isAnswered: true }, 32],
    ['stays after a fast request that was not full', 16, { sent: 3, ms: 100, isAnswered: true }, 16],
    ['does not exceed the limit', 100, { sent: 100, ms: 900, isAnswered: true }, 128],
    ['stays after a request of medium duration', 16, { sent: 16, ms: 3_000, isAnswered: true }, 16],
    ['stays after a request that was refused', 16, { sent: 16, ms: 10, isAnswered: false }, 16],
    ['is half of a slow request', 16, { sent: 16, ms: 30_000, isAnswered: true }, 8],
    ['is half of a request without an answer', 16, { sent: 16, ms: 60_000, isAnswered: false }, 8],
    ['is halved once by requests that were sent together', 8, { sent: 16, ms: 60_000, isAnswered: false }, 8],
    ['is at least 1', 1, { sent: 1, ms: 60_000, isAnswered: false }, 1],
  ])('%s', (_, inputs, request, expected) => {
    expect(nextInputs(inputs, 128, request)).toBe(expected);
  });
});
