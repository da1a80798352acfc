import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EmbeddingQueue, nextInputs } from './embedding-queue.js';
import { ModelError, ProviderFailure } from './model.error.js';

const SIGNAL = new AbortController().signal;

const refusal = (message: string) => new ModelError('permanent', message, { reason: 'refused' });
const ofServer = (message: string, status?: number) =>
  new ModelError('transient', message, {
    reason: 'unavailable',
    cause: new ProviderFailure('Error', status, undefined, undefined),
  });

/**
 * A queue to a model whose vectors are the lengths of the texts. It refuses `bad`, has an internal error for `nan`, closes
 * the connection for `crash`, does not answer `slow` in time, and has a rate limit for `limit`. Each fails the whole
 * request.
 *
 * @param accepted most texts of a request
 * @param down the error for all requests
 */
function queueOf({
  maxInputs = 4,
  maxTokens = 100,
  maxInFlight = 1,
  accepted = 100,
  down = undefined as ModelError | undefined,
} = {}) {
  const limits = { maxInputs, maxTokens };
  const refused: string[] = [];
  const requests: string[][] = [];
  const signals: AbortSignal[] = [];
  const inFlight = { now: 0, most: 0 };
  const queue = new EmbeddingQueue(
    async (texts, signal) => {
      requests.push([...texts]);
      signals.push(signal);
      inFlight.most = Math.max(inFlight.most, ++inFlight.now);
      await sleep(5, undefined, { signal }).catch(() => signal.throwIfAborted());
      inFlight.now -= 1;
      if (down) throw down;
      if (texts.length > accepted) throw refusal('too many');
      if (texts.includes('bad')) throw refusal('bad');
      if (texts.includes('nan')) throw ofServer('nan', 500);
      if (texts.includes('crash')) throw ofServer('crash');
      if (texts.includes('slow')) throw new ModelError('transient', 'slow');
      if (texts.includes('limit')) throw new ModelError('rate-limited', 'limit');
      return texts.map((text) => Float32Array.of(text.length));
    },
    { limits, maxInFlight, countTokens: (text) => text.length },
  );
  /** The lengths of the texts, or the message of the error. */
  const embed = (texts: readonly string[], signal = SIGNAL): Promise<number[] | string> =>
    queue.embed(texts, signal).then(
      (vectors) => vectors.map(([value]) => value ?? 0),
      (error: Error) => error.message,
    );
  /** The same, for a call that goes on without the vectors of refused texts. */
  const embedMost = (texts: readonly string[]): Promise<number[] | string> =>
    queue
      .embed(texts, SIGNAL, (index, error) => void refused.push(`${texts[index]}: ${error.message}`))
      .then(
        (vectors) => vectors.map((vector) => vector[0] ?? -1),
        (error: Error) => error.message,
      );
  return { embed, embedMost, requests, signals, inFlight, refused, limits };
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
    const { embed, inFlight } = queueOf({ maxInputs: 1, maxInFlight: 2 });
    expect(await embed(['a', 'b', 'c'])).toEqual([1, 1, 1]);
    expect(inFlight).toEqual({ now: 0, most: 2 });
  });

  for (const { name, calls, down, outcomes, requests: count } of [
    {
      name: 'a refused text fails its call alone',
      calls: [['a'], ['bad', 'c'], ['dd']],
      outcomes: [[1], 'bad', [2]],
      // All, another text, both halves, and the refused text.
      requests: 6,
    },
    {
      name: 'a rate limit fails all calls of the request',
      calls: [['a'], ['limit'], ['c']],
      outcomes: ['limit', 'limit', 'limit'],
      requests: 1,
    },
    {
      name: 'a timeout fails all calls of the request',
      calls: [['a'], ['slow']],
      outcomes: ['slow', 'slow'],
      requests: 1,
    },
    {
      name: 'a server that does not answer is not asked for each call',
      calls: [['a'], ['b'], ['c'], ['d']],
      down: ofServer('down'),
      outcomes: ['down', 'down', 'down', 'down'],
      requests: 2,
    },
    {
      name: 'a server that refuses every text is not asked for each of them',
      calls: [['a', 'b', 'c', 'd']],
      down: refusal('wrong key'),
      outcomes: ['wrong key'],
      requests: 2,
    },
    {
      name: 'a model with vectors of another length is not asked again',
      calls: [['a', 'b']],
      down: new ModelError('permanent', 'dimensions'),
      outcomes: ['dimensions'],
      requests: 1,
    },
    {
      name: 'a text that breaks the connection fails its call alone',
      calls: [['a'], ['crash'], ['c'], ['dd']],
      outcomes: [[1], 'crash', [1], [2]],
      requests: 6,
    },
    {
      name: 'a call without texts needs no request',
      calls: [[]],
      outcomes: [[]],
      requests: 0,
    },
  ]) {
    it(name, async () => {
      const { embed, requests } = queueOf(down ? { down } : {});
      expect(await Promise.all(calls.map((texts) => embed(texts)))).toEqual(outcomes);
      expect(requests).toHaveLength(count);
    });
  }

  it.each([
    ['one refused text', ['a', 'bb', 'bad', 'ccc'], [1, 2, -1, 3], ['bad: bad']],
    ['only refused texts', ['bad', 'bad'], [-1, -1], ['bad: bad', 'bad: bad']],
    ['a single refused text', ['bad'], [-1], ['bad: bad']],
    ['a text whose vector is not a number', ['nan', 'a'], [-1, 1], ['nan: nan']],
    ['refused texts of both kinds', ['a', 'bad', 'nan', 'b'], [1, -1, -1, 1], ['bad: bad', 'nan: nan']],
    ['a text that breaks the connection', ['a', 'crash'], 'crash', []],
  ])('goes on without the vectors of %s', async (_, texts, vectors, expected) => {
    const { embedMost, refused } = queueOf();
    expect(await embedMost(texts)).toEqual(vectors);
    expect(refused).toEqual(expected);
  });

  it.each([1, 2, 3, 5, 8, 31])(
    'learns that a server accepts %d texts, and remembers it',
    async (accepted) => {
      const { embedMost, requests, limits, refused } = queueOf({ maxInputs: 16, accepted });
      const texts = Array.from({ length: 48 }, (_, at) => 'x'.repeat(at + 1));
      const lengths = texts.map(({ length }) => length);
      expect(await embedMost(texts.slice(0, 16))).toEqual(lengths.slice(0, 16));
      expect(limits.maxInputs).toBeLessThanOrEqual(Math.max(accepted, 1));
      const learning = requests.length;
      expect(await embedMost(texts)).toEqual(lengths);
      expect(refused).toEqual([]);
      expect(requests.slice(learning).every(({ length }) => length <= accepted)).toBe(true);
    },
  );

  it('does not take a refused text for a refused number of texts', async () => {
    const { embedMost, limits } = queueOf({ maxInputs: 8 });
    expect(await embedMost(['a', 'b', 'c', 'd', 'e', 'bad', 'f', 'g'])).toEqual([1, 1, 1, 1, 1, -1, 1, 1]);
    expect(limits.maxInputs).toBe(8);
  });

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
