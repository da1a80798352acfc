import { type ChatModel, type ChatRequest, ModelError } from '@citewell/models';
import { AnalyzedQuestion, DEFAULT_SYSTEM_PROMPT, DEFAULT_USER_PROMPT } from '@citewell/retrieval';
import { expect, it } from '@jest/globals';
import type { FoundPassage } from '../search/retriever.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { type ModelAnswer, writeModelAnswer } from './model-answer.js';

/** Ten passages of some 100 tokens each. */
const PASSAGES = Array.from({ length: 10 }, (_, index) => ({
  id: `${index}`,
  score: 1 - index / 100,
  runId: `run ${index}`,
  datasourceId: `${index}`,
  start: 0,
  end: 500,
  text: 'pump '.repeat(100),
  headingPath: [],
  header: '',
  page: null,
  contentHash: '00',
  run: { datasourceId: '019c7a01-2f4d-7a11-8b52-3c9d5e7f0a12', datasourceName: 'Manual', revision: 1 },
})) as unknown as FoundPassage[];
const HISTORY = [{ from: 'human' as const, text: 'old '.repeat(300) }];

async function answer(
  model: Partial<ChatModel>,
  { settings = {}, history = HISTORY }: { settings?: object; history?: typeof HISTORY } = {},
): Promise<ModelAnswer & { requests: ChatRequest[] }> {
  const requests: ChatRequest[] = [];
  const stream = model.stream;
  const fake: ChatModel = {
    name: 'm',
    ...model,
    async *stream(request, options) {
      requests.push(request);
      if (stream) yield* stream(request, options);
      yield { text: 'Yes [1].' };
      yield { finishReason: 'stop' };
    },
  };
  const prepared = {
    model: fake,
    query: {},
    question: new AnalyzedQuestion('How is the pump started?'),
    agent: { restrictToSources: true, temperature: 0 },
    datastores: [{}],
    prompts: { system: DEFAULT_SYSTEM_PROMPT, user: DEFAULT_USER_PROMPT, instructions: '' },
    history,
    ...settings,
  } as unknown as PreparedAnswer & { model: ChatModel };
  const sink = {
    onText: async () => undefined,
    onPassages: () => undefined,
    onRetract: () => undefined,
  };
  const written = await writeModelAnswer(prepared, PASSAGES, 4_000, sink, new AbortController().signal);
  return { ...written, requests };
}

const sizeOf = (request?: ChatRequest): number =>
  (request?.messages ?? []).reduce((sum, { content }) => sum + content.length / 5, 0);

it('a model with an unknown or long context gets all passages', async () => {
  for (const contextTokens of [undefined, async () => null, async () => 8_192]) {
    const { passages, leftOut, requests } = await answer(contextTokens ? { contextTokens } : {});
    expect([passages.length, leftOut, requests.length]).toEqual([10, 0, 1]);
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  }
});

it.each([
  [2_048, 10],
  [1_200, 10],
  [600, 10],
])('a context of %d tokens has room for the prompt', async (limit, most) => {
  const { passages, leftOut, requests } = await answer({ contextTokens: async () => limit });
  expect(passages.length).toBeGreaterThan(0);
  expect(passages.length).toBeLessThan(most);
  expect(leftOut).toBe(10 - passages.length);
  if (limit > 1_000) expect(sizeOf(requests[0])).toBeLessThan(limit);
  expect(requests[0]?.messages.at(-1)?.content).toContain('Question: How is the pump started?');
});

it('history is left out before passages are', async () => {
  const { leftOut, requests } = await answer(
    { contextTokens: async () => 2_000 },
    { history: [{ from: 'human', text: 'old '.repeat(3_000) }] },
  );
  expect(requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(leftOut).toBeLessThan(10);
});

it('a model that refuses a long prompt gets shorter ones', async () => {
  let refusals = 2;
  const refuse: Partial<ChatModel> = {
    // eslint-disable-next-line require-yield
    async *stream() {
      if (refusals-- > 0) throw new ModelError('permanent', 'too long', { reason: 'too-long' });
    },
  };
  const { leftOut, passages, requests } = await answer(refuse);
  expect(requests).toHaveLength(3);
  expect([passages.length + leftOut, leftOut > 5]).toEqual([10, true]);
  refusals = 100;
  await expect(answer(refuse)).rejects.toThrow('too long');
});

it('only a restricted agent asks the model to abstain', async () => {
  const systemOf = async (settings: object): Promise<string> =>
    (await answer({}, { settings })).requests[0]?.messages[0]?.content ?? '';
  expect(await systemOf({})).toMatch(/the whole reply is the word NOT_IN_PASSAGES/);
  const own = { prompts: { system: 'Be kind.', user: DEFAULT_USER_PROMPT, instructions: 'Short.' } };
  expect(await systemOf(own)).toMatch(
    /^Be kind\.\n\nShort\.\n\nIf the passages.*begin the reply with the word NOT_IN_PASSAGES/,
  );
  expect(await systemOf({ agent: { restrictToSources: false, temperature: 0 } })).toBe(DEFAULT_SYSTEM_PROMPT);
  expect(await systemOf({ datastores: [] })).toBe(DEFAULT_SYSTEM_PROMPT);
});
