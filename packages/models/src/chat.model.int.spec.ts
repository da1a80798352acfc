import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChatProvider,
  type ModelServer,
  type RecordedRequest,
  startModelServer,
} from '@citewell/testing/model-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ChatModel, ChatRequest } from './model.port.js';
import { type ChatModelOptions, createChatModel } from './chat.model.js';
import type { ModelCall } from './model-call.js';
import { ModelError, type ModelErrorKind } from './model.error.js';

const KEY = 'sk-test-do-not-leak';
const QUESTION: ChatRequest = {
  messages: [
    { role: 'system', content: 'Answer from the sources.' },
    { role: 'user', content: 'a private question' },
  ],
};
const SETTINGS = { temperature: 0, maxTokens: 77, topP: 0.5, presencePenalty: 0, frequencyPenalty: 1.5 };

/** What a provider's request contains: the prompt, the settings that the provider has, and the key. */
interface Wire {
  provider: ChatProvider;
  path: string;
  key: Record<string, string>;
  prompt: object;
  settings: object;
  /** Settings that LangChain sends if the caller sets none. */
  defaults: object;
  /** The response to a wrong key. Default: status 401. */
  rejectedKey?: { status: number; code: string };
  keyVariable: string;
  urlVariable: string;
}

const PROVIDERS: Wire[] = [
  {
    provider: 'openai',
    path: '/v1/chat/completions',
    key: { authorization: `Bearer ${KEY}` },
    prompt: { messages: QUESTION.messages, stream_options: { include_usage: true } },
    settings: { temperature: 0, max_tokens: 77, top_p: 0.5, presence_penalty: 0, frequency_penalty: 1.5 },
    defaults: {},
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
  },
  {
    provider: 'azure',
    path: '/azure/openai/deployments/test-chat/chat/completions?api-version=2024-10-21',
    key: { 'api-key': KEY },
    prompt: { messages: QUESTION.messages, stream_options: { include_usage: true } },
    settings: { temperature: 0, max_tokens: 77, top_p: 0.5, presence_penalty: 0, frequency_penalty: 1.5 },
    defaults: {},
    keyVariable: 'AZURE_OPENAI_API_KEY',
    urlVariable: 'AZURE_OPENAI_ENDPOINT',
  },
  {
    provider: 'anthropic',
    path: '/anthropic/v1/messages',
    key: { 'x-api-key': KEY },
    prompt: {
      system: 'Answer from the sources.',
      messages: [{ role: 'user', content: 'a private question' }],
    },
    // Newer models accept only one of temperature and top_p.
    settings: { max_tokens: 77, top_p: 0.5 },
    // The provider requires this one.
    defaults: { max_tokens: expect.any(Number) },
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_BASE_URL',
  },
  {
    provider: 'google-genai',
    path: '/google/v1beta/models/test-chat:streamGenerateContent?alt=sse',
    key: { 'x-goog-api-key': KEY },
    prompt: {
      systemInstruction: { parts: [{ text: 'Answer from the sources.' }] },
      contents: [{ role: 'user', parts: [{ text: 'a private question' }] }],
    },
    settings: {
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 77,
        topP: 0.5,
        presencePenalty: 0,
        frequencyPenalty: 1.5,
      },
    },
    defaults: {},
    rejectedKey: { status: 400, code: 'API_KEY_INVALID' },
    keyVariable: 'GOOGLE_API_KEY',
    urlVariable: 'GOOGLE_BASE_URL',
  },
  {
    provider: 'mistralai',
    path: '/mistral/v1/chat/completions',
    key: { authorization: `Bearer ${KEY}` },
    prompt: { messages: QUESTION.messages },
    settings: { temperature: 0, max_tokens: 77, top_p: 0.5, presence_penalty: 0, frequency_penalty: 1.5 },
    defaults: { temperature: 0.7, top_p: 1 },
    keyVariable: 'MISTRAL_API_KEY',
    urlVariable: 'MISTRAL_BASE_URL',
  },
  {
    provider: 'ollama',
    path: '/ollama/api/chat',
    key: { authorization: `Bearer ${KEY}` },
    prompt: { messages: QUESTION.messages },
    settings: {
      options: { temperature: 0, num_predict: 77, top_p: 0.5, presence_penalty: 0, frequency_penalty: 1.5 },
    },
    defaults: { options: { num_ctx: 8_192 } },
    keyVariable: 'OLLAMA_API_KEY',
    urlVariable: 'OLLAMA_BASE_URL',
  },
];

const neverAborted = (): AbortSignal => new AbortController().signal;

describe.each(PROVIDERS)('chat model of $provider', ({ provider, ...wire }) => {
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => server.close());

  const chat = (options: Partial<ChatModelOptions> = {}): ChatModel =>
    createChatModel({
      provider,
      baseUrl: server.baseUrls[provider],
      apiKey: KEY,
      model: 'test-chat',
      ...options,
    });

  const last = (): RecordedRequest => {
    const request = server.requests.at(-1);
    assert.ok(request);
    return request;
  };

  async function read(
    model: ChatModel,
    request = QUESTION,
    signal = neverAborted(),
    texts: string[] = [],
  ): Promise<{ texts: string[]; usage: unknown }> {
    let usage: unknown = null;
    for await (const event of model.stream(request, { signal })) {
      if ('text' in event) texts.push(event.text);
      else if ('usage' in event) usage = event.usage;
    }
    return { texts, usage };
  }

  /** Also checks that the error contains neither the key nor the question. */
  async function expectFailure(
    call: Promise<unknown>,
    kind: ModelErrorKind,
    pattern = /./,
  ): Promise<ModelError> {
    const error = await call.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ModelError, String(error));
    expect(error).toMatchObject({ kind, message: expect.stringMatching(pattern) });
    const everything = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)} ${JSON.stringify(error.cause)}`;
    expect(everything).not.toMatch(/do-not-leak|private question/);
    return error;
  }

  it('streams the pieces of the answer, then the usage', async () => {
    server.next({ kind: 'chat', deltas: ['Hello', ' ', 'world\n', '\r\n%[DONE]'] });
    const { texts, usage } = await read(chat());
    expect(texts).toEqual(['Hello', ' ', 'world\n', '\r\n%[DONE]']);
    expect(usage).toEqual({ inputTokens: 7, outputTokens: 3 });
    expect(last()).toMatchObject({ path: wire.path, headers: wire.key, aborted: false });
    expect(last().body).toMatchObject({ ...wire.prompt, ...wire.defaults });
    const names = ['temperature', 'max_tokens', 'top_p', 'presence_penalty', 'frequency_penalty'];
    const sent = Object.keys(last().body).filter((name) => names.includes(name));
    expect(sent.toSorted()).toEqual(Object.keys(wire.defaults).filter((name) => names.includes(name)));
  });

  it('is prepared without a request', async () => {
    const sent = server.requests.length;
    await chat().prepare?.();
    expect(server.requests).toHaveLength(sent);
  });

  it('sends every setting that the provider has, including zeros', async () => {
    await read(chat(), { ...QUESTION, ...SETTINGS });
    expect(last().body).toMatchObject(wire.settings);
  });

  it('sends the messages of a conversation in order', async () => {
    const [system, question] = QUESTION.messages;
    assert.ok(system && question);
    const answer = { role: 'assistant' as const, content: 'an earlier answer' };
    await read(chat(), { messages: [system, question, answer, { role: 'user', content: 'and then?' }] });
    const body = JSON.stringify(last().body);
    const positions = ['Answer from', 'a private', 'an earlier', 'and then?'].map((text) =>
      body.indexOf(text),
    );
    const conversation = positions.slice(1);
    expect(positions).not.toContain(-1);
    expect(conversation).toEqual(conversation.toSorted((a, b) => a - b));
  });

  it('rejoins surrogate pairs that the provider splits', async () => {
    server.next({ kind: 'chat', deltas: ['x\ud83d', '\ude00b', '\ud83d', '', '\udc4d', 'end \ud83d'] });
    const { texts } = await read(chat());
    expect(texts).toEqual(['x', '😀b', '👍', 'end ', '\ud83d']);
  });

  it('closes the connection when the signal is aborted', async () => {
    server.next({ kind: 'chat', deltas: ['begin'], end: 'hang' });
    const controller = new AbortController();
    const stream = chat().stream(QUESTION, { signal: controller.signal })[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual({ text: 'begin' });
    const request = last();
    controller.abort(new Error('the client disconnected'));
    await expect(stream.next()).rejects.toThrow(/the client disconnected/);
    await sleep(50);
    expect(request.aborted).toBe(true);
  });

  it('closes the connection if the reader stops early, or before the first piece', async () => {
    server.next({ kind: 'chat', deltas: ['one', 'two', 'three'], delayMs: 200 }, { kind: 'hang' });
    for await (const _ of chat().stream(QUESTION, { signal: neverAborted() })) break;
    const abandoned = last();
    const signal = AbortSignal.timeout(300);
    await expect(read(chat(), QUESTION, signal)).rejects.toMatchObject({ name: 'TimeoutError' });
    await sleep(50);
    expect(abandoned.aborted).toBe(true);
    expect(last().aborted).toBe(true);
    await expect(read(chat(), QUESTION, signal)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('has a timeout for the sent nothing and one for the whole answer', async () => {
    server.next({ kind: 'hang' }, { kind: 'chat', deltas: ['late'], firstDelayMs: 1000 });
    const model = chat({ idleTimeoutMs: 100 });
    await expectFailure(read(model), 'transient', /sent nothing/);
    await expectFailure(read(model), 'transient', /sent nothing/);
    server.next({ kind: 'chat', deltas: Array.from({ length: 50 }, () => 'x'), delayMs: 50 });
    await expectFailure(read(chat({ totalTimeoutMs: 200 })), 'transient', /complete answer/);
    await sleep(50);
    expect(last().aborted).toBe(true);
  });

  it.each(['cut', 'early', 'broken-json', 'error-frame'] as const)(
    'rejects an incomplete answer: %s',
    async (end) => {
      const print = jest.spyOn(console, 'warn').mockReturnValue();
      server.next({ kind: 'chat', deltas: ['half an '], end });
      const texts: string[] = [];
      await expectFailure(read(chat(), QUESTION, neverAborted(), texts), 'transient');
      expect(texts).toEqual(['half an ']);
      expect(print).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['one piece of 8 MB', ['x'.repeat(8_000_000)]],
    ['many pieces', Array.from({ length: 50 }, () => 'x'.repeat(10_000))],
  ])('ends an answer that is too long: %s', async (_, deltas) => {
    server.next({ kind: 'chat', deltas, end: 'hang' });
    await expectFailure(read(chat()), 'permanent', /too long/);
    await sleep(50);
    expect(last().aborted).toBe(true);
  });

  it('reports each request with its outcome and tokens', async () => {
    const calls: ModelCall[] = [];
    const onCall = (call: ModelCall): void => void calls.push(call);
    const model = chat({ onCall });
    const abandoned = model.stream(QUESTION, { signal: neverAborted() });
    server.next({ kind: 'chat', deltas: ['left'], delayMs: 500 });
    for await (const _ of abandoned) break;
    server.next(
      { kind: 'hang' },
      { kind: 'hang' },
      { kind: 'error', status: 429 },
      { kind: 'error', status: 403 },
      { kind: 'chat', deltas: ['one ', 'two'] },
    );
    await read(model, QUESTION, AbortSignal.timeout(200)).catch(() => undefined);
    await read(chat({ idleTimeoutMs: 200, onCall })).catch(() => undefined);
    for (let request = 0; request < 3; request += 1) await read(model).catch(() => undefined);
    expect(calls.map(({ outcome }) => outcome)).toEqual([
      'aborted',
      'aborted',
      'transient',
      'rate-limited',
      'permanent',
      'done',
    ]);
    expect(calls.at(-1)).toMatchObject({ kind: 'chat', inputTokens: 7, outputTokens: 2 });
    expect(calls[2]?.seconds).toBeGreaterThan(0.19);
    expect(calls[2]?.seconds).toBeLessThan(10);
  });

  it('does not retry', async () => {
    const before = server.requests.length;
    server.next({ kind: 'error', status: 429, retryAfter: '7' }, { kind: 'error', status: 500 });
    const { retryAfterMs } = await expectFailure(read(chat()), 'rate-limited');
    expect(retryAfterMs).toBe(7_000);
    await expectFailure(read(chat()), 'transient', /500/);
    expect(server.requests).toHaveLength(before + 2);
  });

  it('explains permanent errors without text from the provider', async () => {
    const message = `Incorrect API key ${KEY}; prompt: a private question`;
    const rejected = wire.rejectedKey ?? { status: 401 };
    server.next({ kind: 'error', message, ...rejected });
    await expectFailure(read(chat()), 'permanent', new RegExp(wire.keyVariable));
    server.next({ kind: 'error', status: 400, message });
    await expectFailure(read(chat()), 'permanent', /400/);
    server.next({ kind: 'error', status: 404, message });
    await expectFailure(read(chat()), 'permanent', new RegExp(wire.urlVariable));
  });

  it('classifies an unreachable server and a malformed response as transient', async () => {
    server.next({ kind: 'garbage' });
    await expectFailure(read(chat()), 'transient');
    await expectFailure(read(chat({ baseUrl: 'http://127.0.0.1:1/v1' })), 'transient');
  });

  it('refuses a connection with which no request can be made', () => {
    const message = expect.stringMatching(`${wire.urlVariable}.*${wire.keyVariable}`);
    for (const options of [{ baseUrl: `http://user:${KEY}@127.0.0.1/v1` }, { apiKey: 'sk-…' }])
      expect(() => chat(options)).toThrow(expect.objectContaining({ kind: 'permanent', message }));
  });
});

describe('chat model without sampling settings', () => {
  const request = { ...QUESTION, ...SETTINGS };
  const signal = neverAborted();

  it('receives none, after a model of OpenAI has rejected them once', async () => {
    const server = await startModelServer();
    const model = createChatModel({ provider: 'openai', baseUrl: server.baseUrl, model: 'gpt-5' });
    server.next({ kind: 'error', status: 400, code: 'unsupported_value' });
    for await (const _ of model.stream(request, { signal }));
    for await (const _ of model.stream(request, { signal }));
    expect(server.requests.map(({ body }) => body.temperature)).toEqual([0, undefined, undefined]);
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 77 });
    await server.close();
  });

  it('receives none in requests that are sent at once', async () => {
    const server = await startModelServer();
    const model = createChatModel({ provider: 'openai', baseUrl: server.baseUrl, model: 'gpt-5' });
    const rejection = { kind: 'error', status: 400, code: 'unsupported_value' } as const;
    server.next(rejection, rejection);
    const read = async (): Promise<void> => {
      for await (const _ of model.stream(request, { signal }));
    };
    await Promise.all([read(), read()]);
    expect(server.requests.map(({ body }) => body.temperature)).toEqual([0, 0, undefined, undefined]);
    await server.close();
  });

  it('receives none if it is one of Anthropic that LangChain knows', async () => {
    const server = await startModelServer();
    const baseUrl = server.baseUrls.anthropic;
    const model = createChatModel({ provider: 'anthropic', baseUrl, model: 'claude-opus-4-7' });
    for await (const _ of model.stream(request, { signal }));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 77 });
    expect(Object.keys(server.requests[0]?.body ?? {})).not.toContain('temperature');
    await server.close();
  });
});

describe('chat model of an OpenAI-compatible server', () => {
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  const read = async (model = 'test-chat'): Promise<void> => {
    const chat = createChatModel({ provider: 'openai', baseUrl: server.baseUrl, apiKey: KEY, model });
    for await (const _ of chat.stream(QUESTION, { signal: neverAborted() }));
  };

  it('uses the completions endpoint for every model', async () => {
    for (const model of ['o3-mini', 'gpt-5', 'gpt-5-pro', 'gpt-5.1-codex', 'qwen3:8b']) {
      await read(model);
      expect(server.requests.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { model } });
    }
  });

  it('explains used-up credit and long texts, and reads the retry delay', async () => {
    server.next({ kind: 'error', status: 400, code: 'context_length_exceeded' });
    await expect(read()).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringMatching(/longer than the model/),
    });
    server.next({ kind: 'error', status: 429, code: 'insufficient_quota' });
    await expect(read()).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringMatching(/credit/),
    });
    server.next({ kind: 'error', status: 429, retryAfter: '2' });
    await expect(read()).rejects.toMatchObject({ kind: 'rate-limited', retryAfterMs: 2000 });
  });
});

describe('chat model of Ollama', () => {
  const read = async (model: ChatModel, request: ChatRequest): Promise<void> => {
    for await (const _ of model.stream(request, { signal: neverAborted() }));
  };
  const prompt = (tokens: number, maxTokens?: number): ChatRequest => ({
    messages: [{ role: 'user', content: 'abc'.repeat(tokens) }],
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });

  it.each<[contextTokens: number | undefined, requests: ChatRequest[], sizes: number[]]>([
    [131_072, [prompt(10), prompt(7_000), prompt(10)], [8_192, 16_384, 16_384]],
    [131_072, [prompt(10, 20_000)], [32_768]],
    [10_000, [prompt(7_000), prompt(30_000)], [10_000, 10_000]],
    [2_048, [prompt(10)], [2_048]],
    [undefined, [prompt(7_000)], [16_384]],
  ])('with %p tokens of context gets a size that fits the prompt', async (contextTokens, requests, sizes) => {
    const server = await startModelServer(contextTokens === undefined ? {} : { contextTokens });
    const model = createChatModel({ provider: 'ollama', baseUrl: server.baseUrls.ollama, model: 'm' });
    for (const request of requests) await read(model, request);
    expect(server.requests.map(({ body }) => body.options)).toEqual(
      sizes.map((size) => expect.objectContaining({ num_ctx: size })),
    );
    expect(await model.contextTokens?.(neverAborted())).toBe(contextTokens ?? null);
    await server.close();
  });
});
