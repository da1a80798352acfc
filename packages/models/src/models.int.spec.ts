import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelServer, type RecordedRequest, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatModel, ChatRequest } from './chat-model.port.js';
import { ModelError, type ModelErrorKind } from './model.error.js';
import { type ChatModelOptions, createChatModel } from './openai-chat.model.js';
import { createEmbeddingModel, type EmbeddingModelOptions } from './openai-embedding.model.js';

const KEY = 'sk-test-do-not-leak';
const QUESTION: ChatRequest = {
  messages: [
    { role: 'system', content: 'Answer from the sources.' },
    { role: 'user', content: 'a private question' },
  ],
};

const neverAborted = (): AbortSignal => new AbortController().signal;

describe('models', () => {
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  const last = (): RecordedRequest => {
    const request = server.requests.at(-1);
    assert.ok(request);
    return request;
  };

  /** Also checks that the error contains neither the key nor the question. */
  async function expectFailure(
    call: Promise<unknown>,
    kind: ModelErrorKind,
    pattern = /./,
  ): Promise<ModelError> {
    const error = await call.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ModelError, String(error));
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(pattern);
    const everything = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)} ${JSON.stringify(error.cause)}`;
    expect(everything).not.toMatch(/do-not-leak|private question/);
    return error;
  }

  describe('chat', () => {
    const chat = (options: Partial<ChatModelOptions> = {}): ChatModel =>
      createChatModel({ baseUrl: server.baseUrl, apiKey: KEY, model: 'test-chat', ...options });

    async function read(
      model: ChatModel,
      request = QUESTION,
      signal = neverAborted(),
    ): Promise<{ texts: string[]; usage: unknown }> {
      const texts: string[] = [];
      let usage: unknown = null;
      for await (const event of model.stream(request, { signal })) {
        if ('text' in event) texts.push(event.text);
        else usage = event.usage;
      }
      return { texts, usage };
    }

    it('streams the pieces of the answer, then the usage', async () => {
      server.next({ kind: 'chat', deltas: ['Hello', ' ', 'world\n', '\r\n%[DONE]'] });
      const { texts, usage } = await read(chat());
      expect(texts).toEqual(['Hello', ' ', 'world\n', '\r\n%[DONE]']);
      expect(usage).toEqual({ inputTokens: 7, outputTokens: 3 });
      expect(last().headers.authorization).toBe(`Bearer ${KEY}`);
      expect(last().body.messages).toEqual(QUESTION.messages);
      expect(last().body.stream_options).toEqual({ include_usage: true });
      expect('temperature' in last().body).toBe(false);
      expect(last().aborted).toBe(false);
    });

    it('sends every setting, including zeros', async () => {
      await read(chat(), {
        ...QUESTION,
        temperature: 0,
        maxTokens: 77,
        topP: 0.5,
        presencePenalty: 0,
        frequencyPenalty: 1.5,
      });
      const { model, temperature, max_tokens, top_p, presence_penalty, frequency_penalty } = last().body;
      expect({ model, temperature, max_tokens, top_p, presence_penalty, frequency_penalty }).toEqual({
        model: 'test-chat',
        temperature: 0,
        max_tokens: 77,
        top_p: 0.5,
        presence_penalty: 0,
        frequency_penalty: 1.5,
      });
    });

    it('uses the completions endpoint for every model', async () => {
      for (const model of ['o3-mini', 'gpt-5', 'gpt-5-pro', 'gpt-5.1-codex', 'qwen3:8b']) {
        await read(chat({ model }));
        expect(last().path).toBe('/v1/chat/completions');
        expect(last().body.model).toBe(model);
      }
    });

    it('rejoins surrogate pairs that the provider splits', async () => {
      server.next({ kind: 'chat', deltas: ['a\ud83d', '\ude00b', '\ud83d', '', '\udc4d', 'end \ud83d'] });
      const { texts } = await read(chat());
      expect(texts).toEqual(['a', '😀b', '👍', 'end ', '\ud83d']);
    });

    it('closes the connection when the signal is aborted', async () => {
      server.next({ kind: 'chat', deltas: ['first'], end: 'hang' });
      const controller = new AbortController();
      const stream = chat().stream(QUESTION, { signal: controller.signal })[Symbol.asyncIterator]();
      expect((await stream.next()).value).toEqual({ text: 'first' });
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
      const signal = AbortSignal.timeout(100);
      await expect(read(chat(), QUESTION, signal)).rejects.toMatchObject({ name: 'TimeoutError' });
      await sleep(50);
      expect(abandoned.aborted).toBe(true);
      expect(last().aborted).toBe(true);
      await expect(read(chat(), QUESTION, signal)).rejects.toMatchObject({ name: 'TimeoutError' });
    });

    it('has a timeout for the first word and one for the whole answer', async () => {
      server.next({ kind: 'hang' }, { kind: 'chat', deltas: ['late'], firstDelayMs: 1000 });
      const model = chat({ firstTokenTimeoutMs: 100 });
      await expectFailure(read(model), 'transient', /first word/);
      await expectFailure(read(model), 'transient', /first word/);
      server.next({ kind: 'chat', deltas: Array.from({ length: 50 }, () => 'x'), delayMs: 50 });
      await expectFailure(read(chat({ totalTimeoutMs: 200 })), 'transient', /complete answer/);
      await sleep(50);
      expect(last().aborted).toBe(true);
    });

    for (const end of ['cut', 'early', 'broken-json', 'error-frame'] as const) {
      it(`rejects an incomplete answer: ${end}`, async () => {
        server.next({ kind: 'chat', deltas: ['half an '], end });
        const texts: string[] = [];
        const reading = (async () => {
          for await (const event of chat().stream(QUESTION, { signal: neverAborted() }))
            if ('text' in event) texts.push(event.text);
        })();
        await expectFailure(reading, 'transient');
        expect(texts).toEqual(['half an ']);
      });
    }

    it('does not retry', async () => {
      const before = server.requests.length;
      server.next({ kind: 'error', status: 429, retryAfter: '2' }, { kind: 'error', status: 500 });
      const { retryAfterMs } = await expectFailure(read(chat()), 'rate-limited');
      expect(retryAfterMs).toBe(2000);
      await expectFailure(read(chat()), 'transient', /500/);
      expect(server.requests).toHaveLength(before + 2);
    });

    it('explains permanent errors without text from the provider', async () => {
      const message = `Incorrect API key ${KEY}; prompt: a private question`;
      server.next({ kind: 'error', status: 401, message, code: 'invalid_api_key' });
      await expectFailure(read(chat()), 'permanent', /OPENAI_API_KEY/);
      server.next({ kind: 'error', status: 400, message });
      await expectFailure(read(chat()), 'permanent', /400/);
      server.next({ kind: 'error', status: 400, message, code: 'context_length_exceeded' });
      await expectFailure(read(chat()), 'permanent', /longer than the model/);
      server.next({ kind: 'error', status: 404, message });
      await expectFailure(read(chat()), 'permanent', /OPENAI_BASE_URL/);
      server.next({ kind: 'error', status: 429, message, code: 'insufficient_quota' });
      await expectFailure(read(chat()), 'permanent', /credit/);
    });

    it('classifies an unreachable server as transient', async () => {
      const unreachable = chat({ baseUrl: 'http://127.0.0.1:1/v1' });
      await expectFailure(read(unreachable), 'transient');
      const withPassword = chat({ baseUrl: `http://user:${KEY}@127.0.0.1:1/v1` });
      await expectFailure(read(withPassword), 'transient');
    });
  });

  describe('embeddings', () => {
    const embeddings = (
      options: Partial<EmbeddingModelOptions> = {},
    ): ReturnType<typeof createEmbeddingModel> =>
      createEmbeddingModel({ baseUrl: server.baseUrl, apiKey: KEY, model: 'Test/Embedding-1', ...options });
    const documents = (): { signal: AbortSignal; kind: 'document' } => ({
      signal: neverAborted(),
      kind: 'document',
    });

    it('detects the dimensions with one request, or uses the configured ones without a request', async () => {
      const before = server.requests.length;
      const detected = await embeddings();
      expect(detected.dimensions).toBe(64);
      expect(server.requests).toHaveLength(before + 1);
      expect(detected.fingerprint).toMatch(/^openai_test_embedding_1_64_[0-9a-f]{8}$/);

      const configured = await embeddings({ dimensions: 32 });
      expect(configured.dimensions).toBe(32);
      expect(server.requests).toHaveLength(before + 1);
      const [vector] = await configured.embed(['text'], documents());
      expect(vector?.length).toBe(32);
      expect(last().body.dimensions).toBe(32);

      const other = await embeddings({ model: 'test_embedding-1', dimensions: 32 });
      expect(other.fingerprint).not.toBe(configured.fingerprint);
    });

    it('keeps the order over concurrent batches, within both limits', async () => {
      const model = await embeddings({
        dimensions: 64,
        maxBatchInputs: 7,
        maxBatchTokens: 40,
        maxInFlight: 3,
      });
      const texts = Array.from({ length: 50 }, (_, n) => `text number${n} ${'word '.repeat(n % 5)}`);
      const start = server.requests.length;
      server.next({ kind: 'embeddings', delayMs: 80 }, { kind: 'embeddings', fault: 'shuffled' });
      const vectors = await model.embed(texts, documents());
      expect(vectors).toHaveLength(texts.length);
      for (const [at, text] of texts.entries()) {
        expect((await model.embed([text], documents()))[0]).toEqual(vectors[at]);
      }
      const sent = server.requests.slice(start).map(({ body }) => body.input);
      expect(sent.every((input) => Array.isArray(input) && input.length <= 7)).toBe(true);
    });

    it('sends texts unchanged except for prefixes', async () => {
      const model = await embeddings({ dimensions: 8, queryPrefix: 'query: ', documentPrefix: 'passage: ' });
      await model.embed(['two\nlines', ''], documents());
      expect(last().body.input).toEqual(['passage: two\nlines', 'passage: ']);
      await model.embed(['why'], { signal: neverAborted(), kind: 'query' });
      expect(last().body.input).toEqual(['query: why']);
      const plain = await embeddings({ dimensions: 8 });
      await plain.embed([''], documents());
      expect(last().body.input).toEqual([' ']);
      expect(await plain.embed([], documents())).toEqual([]);
    });

    it('returns near vectors for similar texts', async () => {
      const model = await embeddings({ dimensions: 256 });
      const [a, b, c] = await model.embed(
        ['the pump of the cooling system', 'cooling system pump', 'invoices are due in March'],
        documents(),
      );
      const dot = (x?: Float32Array, y?: Float32Array): number =>
        (x ?? new Float32Array()).reduce((sum, value, at) => sum + value * (y?.[at] ?? 0), 0);
      expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.3);
    });

    for (const fault of ['one-too-few', 'one-too-many', 'not-a-number'] as const) {
      it(`rejects malformed vectors: ${fault}`, async () => {
        const model = await embeddings({ dimensions: 16 });
        server.next({ kind: 'embeddings', fault });
        await expectFailure(model.embed(['a', 'b'], documents()), 'transient');
      });
    }

    it('rejects vectors of another length as permanent', async () => {
      const model = await embeddings({ dimensions: 16 });
      server.next({ kind: 'embeddings', fault: 'wrong-dimension' });
      await expectFailure(model.embed(['a', 'b'], documents()), 'permanent', /EMBEDDING_DIMENSIONS/);
    });

    it('classifies failures and aborts the other batches', async () => {
      const model = await embeddings({
        dimensions: 16,
        maxBatchInputs: 1,
        maxInFlight: 2,
        requestTimeoutMs: 300,
      });
      server.next({ kind: 'error', status: 429, retryAfter: '1' });
      const before = server.requests.length;
      await expectFailure(model.embed(['a', 'b', 'c', 'd', 'e', 'f'], documents()), 'rate-limited');
      await sleep(50);
      expect(server.requests.length - before).toBeLessThanOrEqual(4);
      server.next({ kind: 'garbage' });
      await expectFailure(model.embed(['a'], documents()), 'transient');
      server.next({ kind: 'hang' });
      await expectFailure(model.embed(['a'], documents()), 'transient', /300 ms/);
      server.next({ kind: 'error', status: 403 });
      await expectFailure(embeddings(), 'permanent', /OPENAI_API_KEY/);
    });

    it('rejects when the signal is aborted, and closes the connection', async () => {
      const model = await embeddings({ dimensions: 16 });
      server.next({ kind: 'hang' });
      const controller = new AbortController();
      const rejected = expect(
        model.embed(['a'], { signal: controller.signal, kind: 'query' }),
      ).rejects.toThrow(/cancelled/);
      await sleep(50);
      controller.abort(new Error('cancelled'));
      await rejected;
      await sleep(50);
      expect(last().aborted).toBe(true);
    });
  });

  describe('environment', () => {
    // Variables that LangChain and its OpenAI client read.
    const variables = (otherUrl: string): Record<string, string> => ({
      LANGCHAIN_TRACING_V2: 'true',
      LANGSMITH_TRACING: 'true',
      LANGCHAIN_API_KEY: 'ls-key',
      LANGSMITH_API_KEY: 'ls-key',
      LANGCHAIN_ENDPOINT: otherUrl,
      LANGSMITH_ENDPOINT: otherUrl,
      LANGCHAIN_CALLBACKS_BACKGROUND: 'false',
      LANGSMITH_GATEWAY: otherUrl,
      OPENAI_BASE_URL: otherUrl,
      OPENAI_API_BASE: otherUrl,
      OPENAI_API_KEY: 'from-the-environment',
      OPENAI_ORG_ID: 'org-from-the-environment',
      OPENAI_ORGANIZATION: 'org-from-the-environment',
      OPENAI_LOG: 'debug',
      LC_OUTPUT_VERSION: 'v1',
    });

    it('ignores the variables of LangChain and OpenAI, and sends no traces', async () => {
      const otherServer = await startModelServer();
      const before = { ...process.env };
      Object.assign(process.env, variables(otherServer.baseUrl));
      try {
        const texts: string[] = [];
        const chat = createChatModel({ baseUrl: server.baseUrl, model: 'test-chat' });
        for await (const event of chat.stream(QUESTION, { signal: neverAborted() }))
          if ('text' in event) texts.push(event.text);
        expect(texts.join('')).toBe('The sources say so [1].');
        expect(last().headers['openai-organization']).toBeUndefined();
        expect(last().headers.authorization ?? '').not.toMatch(/environment|ls-key/);

        const model = await createEmbeddingModel({ baseUrl: server.baseUrl, model: 'test-embedding' });
        await model.embed(['text'], { signal: neverAborted(), kind: 'query' });
        expect(last().headers['openai-organization']).toBeUndefined();
        expect(last().headers.authorization ?? '').not.toMatch(/environment|ls-key/);
        await sleep(300);
        expect(otherServer.requests).toEqual([]);
      } finally {
        for (const name of Object.keys(variables(''))) {
          if (before[name] === undefined) delete process.env[name];
          else process.env[name] = before[name];
        }
        await otherServer.close();
      }
    });
  });
});
