import { type ChatEvent, type ChatModel, type ChatRequest, ModelError } from '@citewell/models';
import { AnalyzedQuestion, DEFAULT_SYSTEM_PROMPT, DEFAULT_USER_PROMPT } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import type { FoundPassage } from '../search/retriever.service.js';
import { ModelText } from './answer-filters.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { type ModelAnswer, writeModelAnswer, writeWithModel, type WrittenAnswer } from './model-answer.js';

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

interface Outcome extends WrittenAnswer {
  text: string;
}

async function write(
  events: readonly ChatEvent[],
  question = 'How long is the warranty?',
  abstaining: { abstains?: boolean; isOwnPrompt?: boolean } = {},
): Promise<Outcome> {
  const model: ChatModel = {
    name: 'm',
    async *stream() {
      yield* events;
    },
  };
  let text = '';
  const sink = {
    onText: async (piece: string) => void (text += piece),
    onRetract: () => void (text = ''),
  };
  const context = { question, passageCount: 3, passageText: '', ...abstaining };
  const { signal } = new AbortController();
  const written = await writeWithModel(model, { messages: [] }, context, sink, signal);
  return { ...written, text };
}

describe('an answer of a model', () => {
  it('is complete', async () => {
    const outcome = await write([{ text: 'Two years [2' }, { text: '].' }, { finishReason: 'stop' }]);
    expect(outcome).toEqual({ text: 'Two years [2].', cited: new Set([2]), finishReason: 'stop' });
  });

  it('has nothing of what was retracted, also no citation', async () => {
    const outcome = await write([
      { text: 'I see [3]' },
      { retracted: true },
      { text: 'Two years [1].' },
      { finishReason: 'stop' },
    ]);
    expect(outcome).toEqual({ text: 'Two years [1].', cited: new Set([1]), finishReason: 'stop' });
  });

  it.each([
    ['length', 'How long is the warranty?', '(The answer is incomplete: it has reached the maximum length.)'],
    [
      'length',
      'Wie lange gilt die Garantie?',
      '(Die Antwort ist unvollständig: Sie hat die größte erlaubte Länge erreicht.)',
    ],
    [
      'content_filter',
      'Quelle est la durée de la garantie ?',
      '(Un filtre de contenu a interrompu la réponse. Posez la question autrement.)',
    ],
    ['refusal', '保修期多长？', '（该问题被拒绝回答。）'],
    ['tool_calls', 'How long?', '(The answer is incomplete: it was stopped early. Ask again.)'],
    ['error', 'How long?', '(The answer is incomplete: it was stopped early. Ask again.)'],
  ] as const)(
    'ends with a sentence about %s, in the language of %j',
    async (finishReason, question, sentence) => {
      const outcome = await write([{ text: 'Two years [1]' }, { finishReason }], question);
      expect(outcome).toMatchObject({ text: `Two years [1]\n\n${sentence}`, finishReason });
    },
  );

  it.each([
    ['```js\nconst a', '```js\nconst a\n```\n\n('],
    ['- ~~~\n  a', '- ~~~\n  a\n\n('],
    ['~~~~\na\n~~~\nb', '~~~~\na\n~~~\nb\n~~~~\n\n('],
    ['```\na\n```', '```\na\n```\n\n('],
    ['```a```', '```a```\n\n('],
  ])('%j closes its code before the sentence', async (text, start) => {
    const outcome = await write([{ text }, { finishReason: 'length' }]);
    expect(outcome.text.startsWith(start)).toBe(true);
  });

  it.each([
    ['stop', /empty answer.*chat template/],
    ['length', /tokens before it began the answer.*maxTokens/],
    ['tool_calls', /called a tool/],
    ['error', /stopped before/],
  ] as const)('that is empty and ends with %s is an error', async (finishReason, message) => {
    for (const text of ['', ' \n', '[9]'])
      await expect(write([{ text }, { finishReason }])).rejects.toMatchObject({
        code: 'EMPTY_ANSWER',
        message: expect.stringMatching(message),
      });
    await expect(write([{ text: 'x' }, { retracted: true }, { finishReason }])).rejects.toMatchObject({
      code: 'EMPTY_ANSWER',
    });
  });

  it('that a filter or the model declines says so', async () => {
    expect((await write([{ finishReason: 'content_filter' }])).text.trim()).toMatch(
      /^\(The answer was stopped by a content filter/,
    );
    expect((await write([{ finishReason: 'refusal' }])).text.trim()).toBe(
      '(An answer to this question was declined.)',
    );
  });

  it.each<[texts: string[], isOwnPrompt: boolean, text: string, cited: number[] | null]>([
    [['NOT_IN', '_PASSAGES'], false, 'I found nothing about this in the documents. Try other words.', null],
    [
      ['NOT_IN_PASSAGES. The passages are about [1].'],
      false,
      'I found nothing about this in the documents. Try other words.',
      null,
    ],
    [['**NOT_IN_PASSAGES**'], true, 'I found nothing about this in the documents. Try other words.', null],
    [['NOT_IN_PASSAGES\n', 'Call us.'], true, 'Call us.', null],
    [['I do not know. ', 'NOT_IN_PASSAGES'], false, 'I do not know. ', null],
    [['Two years [1]. NOT_IN_PASSAGES'], false, 'Two years [1].', [1]],
    [['NOT_IN_PASSAGES, but [2] says so.'], true, ', but [2] says so.', [2]],
  ])('abstains with %j (own prompt: %p)', async (texts, isOwnPrompt, text, cited) => {
    const events = [...texts.map((piece) => ({ text: piece })), { finishReason: 'stop' as const }];
    const outcome = await write(events, undefined, { abstains: true, isOwnPrompt });
    expect([outcome.text.trim(), outcome.isAbstained]).toEqual([text.trim(), cited ? undefined : true]);
    expect([...outcome.cited]).toEqual(cited ?? []);
  });

  it('that was not asked to abstain keeps its text', async () => {
    const outcome = await write([{ text: 'NOT_IN_PASSAGES' }, { finishReason: 'stop' }]);
    expect(outcome).toMatchObject({ text: 'NOT_IN_PASSAGES', finishReason: 'stop' });
  });
});

it('cites nothing after the mark of an abstention', () => {
  const text = new ModelText({ question: 'q', passageCount: 3, passageText: '', abstains: true });
  expect(text.push('NOT_IN_PASSAGES. See [1] for more.') + text.flush()).toBe('');
  expect(text.cited).toEqual(new Set());
  expect(text.hasAbstained).toBe(true);
});
