import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelServer, type RecordedRequest, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelCall } from './model-call.js';
import { ModelError, type ModelErrorKind } from './model.error.js';
import { createEmbeddingModel, type EmbeddingModelOptions } from './openai-embedding.model.js';

const KEY = 'sk-test-do-not-leak';
const neverAborted = (): AbortSignal => new AbortController().signal;

describe('embedding model', () => {
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

  /** Also checks that the error does not contain the key. */
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
    expect(everything).not.toMatch(/do-not-leak/);
    return error;
  }

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

  it('sends texts unchanged, and a space instead of an empty one', async () => {
    const model = await embeddings({ dimensions: 8 });
    await model.embed(['two\nlines', ''], documents());
    expect(last().body.input).toEqual(['two\nlines', ' ']);
    await model.embed(['why'], { signal: neverAborted(), kind: 'query' });
    expect(last().body.input).toEqual(['why']);
    expect(await model.embed([], documents())).toEqual([]);
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

  for (const fault of ['one-too-few', 'one-too-many', 'not-a-number', 'same-index', 'base64'] as const) {
    it(`embeds texts whose joint response is malformed: ${fault}`, async () => {
      const model = await embeddings({ dimensions: 16 });
      const expected = await model.embed(['a', 'b'], documents());
      server.next({ kind: 'embeddings', fault });
      expect(await model.embed(['a', 'b'], documents())).toEqual(expected);
    });
  }

  it('rejects vectors that are malformed for each text', async () => {
    const model = await embeddings({ dimensions: 16 });
    const fault = { kind: 'embeddings', fault: 'not-a-number' } as const;
    server.next(fault, fault);
    await expectFailure(model.embed(['a', 'b'], documents()), 'transient', /not numbers/);
  });

  it.each([
    [400, 'the input length exceeds the context length'],
    [413, 'batch size 16 > maximum allowed batch size 4'],
    [422, 'Input validation error: `inputs` must have less than 512 tokens. Given: 600'],
    [400, 'The response was filtered due to the content management policy'],
    [403, 'Blocked by the firewall'],
    [429, 'Request too large for text-embedding on tokens per min (TPM): Limit 10000, Requested 20000'],
    [431, 'Request Header Fields Too Large'],
    [500, 'input (600 tokens) is too large to process. increase the physical batch size'],
    [500, 'failed to encode response: json: unsupported value: NaN'],
  ])('keeps the vectors of other texts when one is refused with %d %s', async (status, message) => {
    const isRefused = ({ input }: Record<string, unknown>): boolean => [input].flat().includes('bad');
    const refusing = await startModelServer({
      refuse: (body) => (isRefused(body) ? { kind: 'error', status, message } : undefined),
    });
    const model = await embeddings({ dimensions: 16, baseUrl: refusing.baseUrl });
    const refused: number[] = [];
    const onRefusedText = (index: number): void => void refused.push(index);
    const vectors = await model.embed(['a', 'bad', 'b'], { ...documents(), onRefusedText });
    expect(vectors.map(({ length }) => length)).toEqual([16, 0, 16]);
    expect(refused).toEqual([1]);
    await expect(model.embed(['bad'], documents())).rejects.toThrow(ModelError);
    await refusing.close();
  });

  it('rejects vectors of another length as permanent', async () => {
    const model = await embeddings({ dimensions: 16 });
    server.next({ kind: 'embeddings', fault: 'wrong-dimension' });
    await expectFailure(model.embed(['a', 'b'], documents()), 'permanent', /EMBEDDING_DIMENSIONS/);
  });

  it('classifies failures and aborts the other batches', async () => {
    const model = await embeddings({ dimensions: 16, maxBatchInputs: 1, maxInFlight: 2 });
    const impatient = await embeddings({ dimensions: 16, requestTimeoutMs: 300 });
    server.next({ kind: 'error', status: 429, retryAfter: '1' });
    const before = server.requests.length;
    await expectFailure(model.embed(['a', 'b', 'c', 'd', 'e', 'f'], documents()), 'rate-limited');
    await sleep(50);
    expect(server.requests.length - before).toBeLessThanOrEqual(4);
    server.next({ kind: 'garbage' });
    await expectFailure(model.embed(['a'], documents()), 'transient');
    server.next({ kind: 'hang' });
    await expectFailure(impatient.embed(['a'], documents()), 'transient', /300 ms/);
    server.next({ kind: 'error', status: 403 });
    await expectFailure(embeddings(), 'permanent', /OPENAI_API_KEY/);
  });

  it.each([
    [401, `Incorrect API key provided: ${KEY}.`],
    [400, `{"headers": {"authorization": "Bearer ${KEY}"}}`],
    [500, `token ${KEY} could not be verified`],
  ])('keeps a key out of its errors that a server repeats with %d', async (status, message) => {
    const model = await embeddings({ dimensions: 16 });
    const reply = { kind: 'error', status, message } as const;
    server.next(reply, reply);
    const kind = status === 500 ? 'transient' : 'permanent';
    await expectFailure(model.embed(['a', 'b'], documents()), kind);
  });

  it('reports each request with its outcome and tokens', async () => {
    const calls: ModelCall[] = [];
    const onCall = (call: ModelCall): void => void calls.push(call);
    const model = await embeddings({ dimensions: 16, maxBatchInputs: 2, onCall });
    const impatient = await embeddings({ dimensions: 16, requestTimeoutMs: 300, onCall });
    await model.embed(['one', 'two words', 'three more words'], documents());
    expect(calls.map(({ outcome, inputTokens }) => [outcome, inputTokens])).toEqual([
      ['done', 3],
      ['done', 3],
    ]);
    calls.length = 0;
    // The first failure aborts the other request.
    server.next({ kind: 'error', status: 429 }, { kind: 'hang' });
    await expectFailure(model.embed(['a', 'b', 'c'], documents()), 'rate-limited');
    await sleep(50);
    server.next({ kind: 'hang' });
    await expectFailure(impatient.embed(['a'], documents()), 'transient');
    expect(calls.map(({ outcome }) => outcome)).toEqual(['rate-limited', 'aborted', 'transient']);
    expect(calls[2]).toMatchObject({ kind: 'embedding', inputTokens: 0, outputTokens: 0 });
  });

  it('rejects when the signal is aborted, and closes the connection', async () => {
    const model = await embeddings({ dimensions: 16 });
    server.next({ kind: 'hang' });
    const controller = new AbortController();
    const rejected = expect(model.embed(['a'], { signal: controller.signal, kind: 'query' })).rejects.toThrow(
      /cancelled/,
    );
    await sleep(50);
    controller.abort(new Error('cancelled'));
    await rejected;
    await sleep(50);
    expect(last().aborted).toBe(true);
  });
});
