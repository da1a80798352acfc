import type { AgentAnswer, Source } from '@citewell/contracts/schemas';
import type { AnswerEnd } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { ApiError } from '../../http/api-error.js';
import { type AnswerStorage, ResumableAnswer, type WriteAnswer } from './resumable-answer.js';

const BEGINNING: AgentAnswer = {
  answer: '',
  conversationId: 'c',
  visitorId: 'v',
  sources: [],
  messageId: 'm',
  abstained: false,
  finishReason: 'stop',
};
const passage = {
  text: 'Two years.',
  contentHash: 'h',
  headingPath: [],
  page: null,
  run: { sourceUrl: null, mimeType: null, customId: null, datasourceId: 'd', datasourceName: 'D' },
} as never;
const quiet = { warn: () => undefined, error: () => undefined };
const never = new AbortController().signal;

/** Keeps what is stored. */
class Storage implements AnswerStorage {
  readonly progresses: { text: string; sources: readonly Source[] | null }[] = [];
  readonly ends: AnswerEnd[] = [];
  failingEnds = 0;
  private waiting: (() => void)[] = [];
  constructor(private readonly known: { stopRequested: boolean } | null | Error = { stopRequested: false }) {}

  async progress(text: string, sources: readonly Source[] | null) {
    this.progresses.push({ text, sources });
    for (const proceed of this.waiting.splice(0)) proceed();
    if (this.known instanceof Error) throw this.known;
    return this.known;
  }
  async end(end: AnswerEnd) {
    if (this.failingEnds > 0) {
      this.failingEnds -= 1;
      throw new Error('no database');
    }
    this.ends.push(end);
    return true;
  }
  stored = (): Promise<void> => new Promise((resolve) => this.waiting.push(resolve));
}

/** Writes a text, and then nothing until it is aborted. */
const half: WriteAnswer = async (onText, signal, { onPassages }) => {
  onPassages?.([passage]);
  await onText('Half [1]');
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  return BEGINNING;
};
const whole: WriteAnswer = async (onText) => {
  for (const piece of ['Two', ' years', '.']) await onText(piece);
  return { ...BEGINNING, answer: 'Two years.' };
};
async function textOf(answer: ResumableAnswer, signal = never): Promise<[string, unknown]> {
  let text = '';
  const end = await answer
    .follow(async (piece) => void (text += piece), signal)
    .catch((error: unknown) => error);
  return [text, end];
}

it('an answer is followed from its beginning, while it is written and later', async () => {
  const storage = new Storage();
  const answer = new ResumableAnswer(BEGINNING, storage, quiet);
  const early = textOf(answer);
  expect(await answer.run(whole)).toBe('done');
  const expected = ['Two years.', { ...BEGINNING, answer: 'Two years.' }];
  expect([await early, await textOf(answer)]).toEqual([expected, expected]);
  expect(storage.ends).toMatchObject([{ state: 'complete', text: 'Two years.', error: null }]);
});

it('an answer goes on when whoever follows it leaves', async () => {
  const answer = new ResumableAnswer(BEGINNING, new Storage(), quiet);
  const leaving = new AbortController();
  const continued = Promise.withResolvers<void>();
  const left = textOf(answer, leaving.signal);
  const done = answer.run(async (onText) => {
    await onText('Two');
    await continued.promise;
    await onText(' years.');
    return { ...BEGINNING, answer: 'Two years.' };
  });
  leaving.abort();
  await left;
  continued.resolve();
  expect([await done, (await textOf(answer))[0]]).toEqual(['done', 'Two years.']);
});

it('an answer is stored while it is written; unchanged sources are stored once', async () => {
  const storage = new Storage();
  const answer = new ResumableAnswer(BEGINNING, storage, quiet, 1);
  const done = answer.run(half);
  await storage.stored();
  await storage.stored();
  answer.stop();
  expect(await done).toBe('stopped');
  expect(storage.progresses[0]).toMatchObject({ text: 'Half [1]', sources: [{ cited: true }] });
  expect(storage.progresses[1]).toEqual({ text: 'Half [1]', sources: null });
});

it.each([
  ['asks for it', { stopRequested: true }, 'stopped', 'stopped', undefined],
  ['is gone', null, 'failed', 'failed', 'CONFLICT'],
])('an answer ends with its sources when its row %s', async (_, known, outcome, state, code) => {
  const storage = new Storage(known);
  const answer = new ResumableAnswer(BEGINNING, storage, quiet, 1);
  expect(await answer.run(half)).toBe(outcome);
  expect(storage.ends).toMatchObject([{ state, text: 'Half [1]', sources: [{ cited: true }] }]);
  expect(storage.ends[0]?.error?.code).toBe(code);
});

it('an answer goes on when it cannot be stored for a while', async () => {
  const storage = new Storage(new Error('no database'));
  const answer = new ResumableAnswer(BEGINNING, storage, quiet, 1);
  const done = answer.run(async (onText) => {
    await onText('a');
    await storage.stored();
    await storage.stored();
    return { ...BEGINNING, answer: 'a' };
  });
  expect(await done).toBe('done');
});

it.each([
  ['is stored when the database is back', 2, 1, {}],
  ['is returned, although it cannot be stored', 3, 0, { stored: false }],
])('the end of an answer %s', async (_, failingEnds, ends, marks) => {
  const storage = new Storage();
  storage.failingEnds = failingEnds;
  const answer = new ResumableAnswer(BEGINNING, storage, quiet, 500, [1, 1]);
  expect(await answer.run(whole)).toBe('done');
  expect(await textOf(answer)).toEqual(['Two years.', { ...BEGINNING, answer: 'Two years.', ...marks }]);
  expect(storage.ends).toHaveLength(ends);
});

it('leaves out what turns out to be reasoning, also for whoever comes back', async () => {
  const storage = new Storage();
  const answer = new ResumableAnswer(BEGINNING, storage, quiet);
  await answer.run(async (onText, _, { onRetract }) => {
    await onText('Hm [1]. ');
    onRetract?.();
    await onText('Two');
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'The model is gone.');
  });
  expect((await textOf(answer))[0]).toBe('Two');
  expect(storage.ends).toMatchObject([{ text: 'Two', finishReason: 'error' }]);
});

it('a failed answer keeps what was written, and the reason', async () => {
  const storage = new Storage();
  const answer = new ResumableAnswer(BEGINNING, storage, quiet);
  const failure = new ApiError('UPSTREAM_UNAVAILABLE', 'The model is gone.');
  const outcome = await answer.run(async (onText, _, { onPassages }) => {
    onPassages?.([passage]);
    await onText('Half');
    throw failure;
  });
  expect([outcome, await textOf(answer)]).toEqual(['failed', ['Half', failure]]);
  expect(storage.ends).toMatchObject([
    { state: 'failed', text: 'Half', sources: [{ cited: false }], error: { code: 'UPSTREAM_UNAVAILABLE' } },
  ]);
});

it('a model that never ends is ended', async () => {
  const answer = new ResumableAnswer(BEGINNING, new Storage(), quiet);
  const outcome = await answer.run(async (onText) => {
    for (;;) await onText('x'.repeat(100_000));
  });
  const [, end] = await textOf(answer);
  expect([outcome, end]).toMatchObject(['failed', { code: 'UPSTREAM_UNAVAILABLE' }]);
});
