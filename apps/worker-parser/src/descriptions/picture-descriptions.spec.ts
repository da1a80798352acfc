import type { RunEntity } from '@citewell/database';
import { type ChatEvent, type ChatModel, ModelError } from '@citewell/models';
import { describe, expect, it } from '@jest/globals';
import { PictureDescriptions } from './picture-descriptions.js';

const RUN = { organizationId: 'o', datasourceId: 'd', contentName: 'a.png' } as RunEntity;
const { signal } = new AbortController();
const SCALED = new Uint8Array([1]);

interface Given {
  /** What the model does, call by call; then it describes. */
  readonly failures?: readonly ModelError[];
  readonly isReached?: boolean;
  readonly scaled?: Uint8Array | null;
  readonly chosen?: object | null;
  readonly stored?: Map<string, string>;
}

async function describeAll(files: readonly string[], given: Given = {}) {
  const { stored = new Map<string, string>(), failures = [], scaled = SCALED } = given;
  const counted: object[] = [];
  let calls = 0;
  const model: ChatModel = {
    name: 'sees',
    async *stream(): AsyncGenerator<ChatEvent> {
      const failure = failures[calls];
      calls += 1;
      if (failure) throw failure;
      yield { text: `Picture ${calls}.` };
      yield { finishReason: 'stop' };
      yield { usage: { inputTokens: 1_000, outputTokens: 10 } };
    },
  };
  const chosen = given.chosen === undefined ? { problem: null } : given.chosen;
  const describer = new PictureDescriptions(
    { chosen: async () => chosen as never, open: () => model },
    {
      find: async ({ picture }) => stored.get(picture) ?? null,
      store: async ({ picture }, text) => void stored.set(picture, text),
    },
    { reached: async () => (given.isReached ? 'organization' : null) },
    { record: async (_, used) => void counted.push(used) },
    { reach: () => undefined },
    { warn: () => undefined } as never,
  ).of(RUN);
  const isOn = await describer.isOn();
  const texts: (string | null)[] = [];
  for (const file of files)
    texts.push(await describer.describe(Buffer.from(file), async () => scaled, signal));
  return { isOn, texts, calls, counted, warning: describer.warning?.message ?? null };
}

const permanent = new ModelError('permanent', 'The key is wrong.', { reason: 'key' });
const passing = new ModelError('transient', 'The server is busy.', { retryAfterMs: 1 });

describe('descriptions of pictures', () => {
  it('are off without a model', async () => {
    expect(await describeAll([], { chosen: null })).toMatchObject({ isOn: false, warning: null });
  });

  it('are asked for once for each picture, counted as usage, and kept', async () => {
    const stored = new Map<string, string>();
    const first = await describeAll(['a', 'b', 'a'], { stored });
    expect(first).toMatchObject({
      texts: ['Picture 1.', 'Picture 2.', 'Picture 1.'],
      calls: 2,
      warning: null,
    });
    expect(first.counted[0]).toMatchObject({
      actorKind: 'system',
      model: 'sees',
      questions: 0,
      inputTokens: 1_000,
      outputTokens: 10,
    });
    expect(await describeAll(['b'], { stored, isReached: true })).toMatchObject({
      texts: ['Picture 2.'],
      calls: 0,
      counted: [],
    });
  });

  it('wait for failures that pass', async () => {
    expect(await describeAll(['a'], { failures: [passing, passing] })).toMatchObject({
      texts: ['Picture 3.'],
      warning: null,
    });
  });

  it('are a warning if the model fails, which is asked three times', async () => {
    const { texts, calls, warning } = await describeAll(['a', 'b', 'c', 'd'], {
      failures: Array.from({ length: 4 }, () => permanent),
    });
    expect([texts, calls]).toEqual([[null, null, null, null], 3]);
    expect(warning).toBe(
      '4 pictures were not described by the model. The key is wrong. Sync the document to try again.',
    );
  });

  it.each<[string, Given, RegExp]>([
    ['the budget is used up', { isReached: true }, /^One picture was .*budget/],
    ['the picture cannot be decoded', { scaled: null }, /decoded/],
    ['the key cannot be read', { chosen: { problem: 'The key cannot be decrypted.' } }, /decrypted/],
  ])('are a warning if %s', async (_, given, warning) => {
    expect(await describeAll(['a'], given)).toMatchObject({
      texts: [null],
      calls: 0,
      warning: expect.stringMatching(warning),
    });
  });
});
