import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import type { Logger } from '@citewell/observability';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { ANSWER_EVENTS } from './answer-frames.js';
import { ClientGoneError } from './abort-reasons.js';
import { AnswerStream } from './answer-stream.js';
import type { OnText } from './answer-filters.js';

const TIMEOUT_MS = 30_000;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A response of which the client takes a piece whenever `take` is called. */
function responseWith(highWaterMark: number) {
  const taken: (() => void)[] = [];
  const raw = new Writable({
    highWaterMark,
    write: (_chunk, _encoding, done) => {
      taken.push(done);
    },
  });
  Object.assign(raw, { writeHead: () => raw, flushHeaders: () => undefined });
  // Only these are used.
  const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
  const stream = new AnswerStream(reply, { error: () => undefined } as unknown as Logger);
  return { raw, stream, take: () => taken.shift()?.() };
}

/** An answer of endless text, which tells why it was aborted. */
function endless(stream: AnswerStream) {
  return async (onText: OnText): Promise<AgentAnswer> => {
    for (;;) {
      stream.signal.throwIfAborted();
      await onText('text');
    }
  };
}

it('AnswerStream ends when its client takes nothing', async () => {
  const { raw, stream } = responseWith(1);
  const outcome = stream.send(endless(stream), ANSWER_EVENTS);
  await jest.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  expect([raw.destroyed, stream.signal.aborted]).toEqual([false, false]);
  await jest.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe('left');
  expect(raw.destroyed).toBe(true);
  expect(stream.signal.reason).toBeInstanceOf(ClientGoneError);
});

it('AnswerStream waits for a client that takes a little from time to time', async () => {
  const { raw, stream, take } = responseWith(1);
  const outcome = stream.send(endless(stream), ANSWER_EVENTS);
  for (let minute = 0; minute < 10; minute += 1) {
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    take();
    await jest.advanceTimersByTimeAsync(1);
  }
  expect([raw.destroyed, stream.signal.aborted]).toEqual([false, false]);
  await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
  expect(await outcome).toBe('left');
});

it('AnswerStream begins the answer of a client that has left, so that its reservation ends', async () => {
  const { raw, stream } = responseWith(1_000_000);
  raw.destroy();
  await once(raw, 'close');
  let begun = false;
  const answer = async (): Promise<AgentAnswer> => {
    begun = true;
    throw new Error('left');
  };
  expect(await stream.send(answer, { ...ANSWER_EVENTS, opening: 'data: {}\n\n' })).toBe('left');
  expect(begun).toBe(true);
});

it('AnswerStream closes the connection of a client that does not take the end of its answer', async () => {
  const { raw, stream } = responseWith(1_000_000);
  const answer = async (): Promise<AgentAnswer> => ({ answer: 'text' }) as AgentAnswer;
  expect(await stream.send(answer, ANSWER_EVENTS)).toBe('done');
  await jest.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  expect(raw.destroyed).toBe(false);
  const closed = once(raw, 'close');
  await jest.advanceTimersByTimeAsync(1);
  await closed;
  expect(raw.destroyed).toBe(true);
});
