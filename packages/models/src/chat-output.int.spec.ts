import {
  type ChatReply,
  type ChatProvider,
  type ModelServer,
  startModelServer,
} from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ChatModel, FinishReason } from './model.port.js';
import { createChatModel, readText } from './chat.model.js';

const PROVIDERS: ChatProvider[] = ['openai', 'azure', 'anthropic', 'google-genai', 'mistralai', 'ollama'];
const REQUEST = { messages: [{ role: 'user' as const, content: 'How long is the warranty?' }] };
const ANSWER = 'Two years [1].';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const chat = (provider: ChatProvider, model = 'test-chat', idleTimeoutMs?: number): ChatModel =>
  createChatModel({
    provider,
    model,
    baseUrl: server.baseUrls[provider],
    apiKey: 'key',
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  });

interface Read {
  texts: string[];
  retracted: boolean;
  finish: FinishReason | undefined;
}

async function read(model: ChatModel, request = REQUEST): Promise<Read> {
  const outcome: Read = { texts: [], retracted: false, finish: undefined };
  for await (const event of model.stream(request, { signal: new AbortController().signal })) {
    if ('text' in event) outcome.texts.push(event.text);
    if ('retracted' in event) outcome.retracted = true;
    if ('finishReason' in event) outcome.finish = event.finishReason;
  }
  return outcome;
}

const openAiFrame = (delta: object, finish: string | null = null): { frame: string } => ({
  frame: `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
});

describe.each(PROVIDERS)('an answer of %s', (provider) => {
  it('has no reasoning, as text in the form of any model or in parts of the provider', async () => {
    const print = jest.spyOn(console, 'log').mockReturnValue();
    const deltas: ChatReply['deltas'][] = [
      ['<thi', 'nk>The SECRET [2]', '</think>\n\nTwo ', 'years [1].'],
      [{ reasoning: 'The SECRET [2]' }, { reasoning: 'more SECRET' }, 'Two ', 'years [1].'],
      [{ reasoning: 'The SECRET [2]' }, '<think>SECRET</think>', ANSWER],
      ['Two years', ' [1].', '<think>The SECRET', ' again'],
      [
        ...'<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant<|channel|>final<|message|>Two years [1].',
      ],
      ['The SECRET [2].', '</think>', ANSWER],
    ];
    const model = chat(provider);
    for (const reply of deltas) {
      server.next({ kind: 'chat', deltas: reply });
      const { texts } = await read(model);
      expect(texts.join('')).toBe(ANSWER);
    }
    expect(print).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('is held back while a model of which it is known may reason, and else streamed', async () => {
    const known = chat(provider, 'deepseek-r1:8b');
    server.next({ kind: 'chat', deltas: ['Okay, the SECRET', '</think>Two', ' years [1].'] });
    expect(await read(known)).toMatchObject({ texts: ['Two', ' years [1].'], retracted: false });
    server.next({ kind: 'chat', deltas: ['Okay, SECRET that is cut'], finish: CUT[provider] });
    expect(await read(known)).toMatchObject({ texts: [], finish: 'length' });
    server.next({ kind: 'chat', deltas: ['Two years'], finish: CUT[provider] });
    expect(await read(known)).toMatchObject({ texts: ['Two years'], finish: 'length' });
    const other = chat(provider);
    server.next({ kind: 'chat', deltas: ['The SECRET', '</think>Two', ' years [1].'] });
    expect(await read(other)).toMatchObject({ texts: ['The SECRET', 'Two', ' years [1].'], retracted: true });
    server.next({ kind: 'chat', deltas: ['The SECRET', '</think>Two', ' years [1].'] });
    expect(await read(other)).toMatchObject({ texts: ['Two', ' years [1].'], retracted: false });
    server.next({ kind: 'chat', deltas: ['The SECRET', '</think>', ANSWER] });
    expect(await readText(chat(provider), REQUEST, new AbortController().signal)).toBe(ANSWER);
  });

  it('is held back to its end if the request contains an end mark', async () => {
    const request = {
      messages: [{ role: 'user' as const, content: 'Passage: "a </think> b". What is it?' }],
    };
    server.next({
      kind: 'chat',
      deltas: ['<think>It says </think>', ' SECRET', '</think>Use `</think>` [1].'],
    });
    expect(await read(chat(provider), request)).toMatchObject({
      texts: ['Use `</think>` [1].'],
      retracted: false,
    });
  });

  it.each([
    [undefined, 'stop'],
    ['CUT', 'length'],
    ['FILTER', 'content_filter'],
    ['TOOLS', 'tool_calls'],
    ['something new', 'stop'],
  ])('ends with the reason: %s is %s', async (reason, finish) => {
    const own = { CUT, FILTER, TOOLS }[reason ?? '']?.[provider] ?? reason;
    server.next({ kind: 'chat', deltas: [ANSWER], ...(own === undefined ? {} : { finish: own }) });
    expect(await read(chat(provider))).toMatchObject({ texts: [ANSWER], finish });
  });

  it('is incomplete if it ends within reasoning', async () => {
    server.next({ kind: 'chat', deltas: ['Two years.\n<think>SECRET'] });
    expect(await read(chat(provider))).toMatchObject({ finish: 'error' });
  });

  it('may take longer than the idle timeout, as long as bytes arrive', async () => {
    const model = chat(provider, 'test-chat', 300);
    const thinking = Array.from({ length: 8 }, () => ({ reasoning: 'hmm' }));
    server.next({ kind: 'chat', deltas: [...thinking, ANSWER], delayMs: 100 });
    expect((await read(model)).texts).toEqual([ANSWER]);
    server.next({
      kind: 'chat',
      deltas: ['<think>', ...Array.from({ length: 8 }, () => 'hmm '), '</think>x'],
      delayMs: 100,
    });
    expect((await read(model)).texts).toEqual(['x']);
    server.next({ kind: 'chat', deltas: ['half'], end: 'hang' });
    await expect(read(model)).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringMatching(/sent nothing for 300 ms/),
    });
  });
});

const CUT: Record<ChatProvider, string> = {
  openai: 'length',
  azure: 'length',
  anthropic: 'max_tokens',
  'google-genai': 'MAX_TOKENS',
  mistralai: 'length',
  ollama: 'length',
};
const FILTER: Record<ChatProvider, string> = {
  openai: 'content_filter',
  azure: 'content_filter',
  anthropic: 'content_filter',
  'google-genai': 'SAFETY',
  mistralai: 'content_filter',
  ollama: 'content_filter',
};
const TOOLS: Record<ChatProvider, string> = {
  openai: 'tool_calls',
  azure: 'tool_calls',
  anthropic: 'tool_use',
  'google-genai': 'MALFORMED_FUNCTION_CALL',
  mistralai: 'tool_calls',
  ollama: 'tool_calls',
};

describe('frames of OpenAI-compatible servers', () => {
  it.each<[name: string, deltas: ChatReply['deltas'], text: string, finish: FinishReason]>([
    [
      'a list of parts',
      [
        openAiFrame({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'SECRET' }] },
            { type: 'text', text: 'Two ' },
          ],
        }),
        openAiFrame({
          content: [
            { type: 'text', text: 'years' },
            { type: 'text', text: '.' },
          ],
        }),
      ],
      'Two years.',
      'stop',
    ],
    [
      'a refusal',
      [openAiFrame({ content: null, refusal: 'I cannot ' }), openAiFrame({ refusal: 'help.' })],
      'I cannot help.',
      'refusal',
    ],
    ['comments', [{ frame: ': PROCESSING\n\n' }, ANSWER, { frame: ': PROCESSING\n\n' }], ANSWER, 'stop'],
    [
      'reasoning_details',
      [openAiFrame({ content: '', reasoning_details: [{ type: 'reasoning.text', text: 'SECRET' }] }), ANSWER],
      ANSWER,
      'stop',
    ],
    [
      'null content',
      [
        openAiFrame({ content: null, reasoning_content: 'SECRET' }),
        openAiFrame({ content: ANSWER, reasoning_content: null }),
      ],
      ANSWER,
      'stop',
    ],
    [
      'an end without a delta',
      [ANSWER, { frame: 'data: {"choices":[{"index":0,"finish_reason":"length"}]}\n\n' }],
      ANSWER,
      'length',
    ],
  ])('%s', async (_, deltas, text, finish) => {
    const print = jest.spyOn(console, 'log').mockReturnValue();
    for (const provider of ['openai', 'mistralai'] as const) {
      if (provider === 'mistralai' && /refusal|null|end|comments/.test(_)) continue;
      server.next({ kind: 'chat', deltas });
      const outcome = await read(chat(provider));
      expect({ text: outcome.texts.join(''), finish: outcome.finish }).toEqual({ text, finish });
    }
    expect(print).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('a prompt that Google blocks is a content filter', async () => {
    const frame = 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n';
    server.next({ kind: 'chat', deltas: [{ frame }], end: 'early' });
    expect(await read(chat('google-genai'))).toMatchObject({ texts: [], finish: 'content_filter' });
  });
});
