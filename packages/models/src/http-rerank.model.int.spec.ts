import { type ModelReply, type ModelServer, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpRerankModel, type HttpRerankModelOptions } from './http-rerank.model.js';
import type { ModelCall } from './model-call.js';

const KEY = 'sk-test-do-not-leak';
const TEXTS = ['Herring is salted.', 'Kelp is dried.'];

describe('rerank model', () => {
  let server: ModelServer;
  const calls: ModelCall[] = [];
  beforeAll(async () => {
    server = await startModelServer();
  });
  beforeEach(() => void calls.splice(0));
  afterAll(() => server.close());

  const rerank = (
    options: Partial<HttpRerankModelOptions> = {},
    signal = new AbortController().signal,
  ): Promise<number[]> =>
    createHttpRerankModel({
      model: 'rerank-v3.5',
      baseUrl: server.baseUrl,
      apiKey: KEY,
      onCall: (call) => calls.push(call),
      ...options,
    }).rerank('How is kelp dried?', TEXTS, { signal });

  it.each([
    [
      'of Cohere and Jina AI',
      'rerank-v3.5',
      () => server.baseUrl,
      '/v1/rerank',
      { model: 'rerank-v3.5', query: 'How is kelp dried?', documents: TEXTS, top_n: 2 },
    ],
    [
      'of Text Embeddings Inference',
      'tei',
      () => `${server.teiUrl}/`,
      '/tei/rerank',
      { query: 'How is kelp dried?', texts: TEXTS, truncate: true },
    ],
  ])('speaks the format %s', async (_, model, baseUrl, path, body) => {
    server.next({ kind: 'rerank', scores: [0.25, 0.75] });
    expect(await rerank({ model, baseUrl: baseUrl() })).toEqual([0.25, 0.75]);
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ path, headers: { authorization: `Bearer ${KEY}` } });
    expect(request?.body).toEqual(body);
    expect(calls).toMatchObject([{ kind: 'rerank', outcome: 'done' }]);
  });

  it('sends no key if none is configured', async () => {
    await rerank({ apiKey: '' });
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it.each<[ModelReply, string, RegExp]>([
    [{ kind: 'error', status: 401, message: KEY }, 'permanent', /rejected the key.*RERANK_API_KEY/],
    [{ kind: 'error', status: 404 }, 'permanent', /RERANK_BASE_URL/],
    [{ kind: 'error', status: 429, retryAfter: '3' }, 'rate-limited', /limits the request rate/],
    [{ kind: 'error', status: 503 }, 'transient', /503/],
    [{ kind: 'garbage' }, 'transient', /malformed/],
    [{ kind: 'rerank', scores: [1] }, 'transient', /1 scores for 2 texts/],
  ])('fails with %j', async (reply, kind, message) => {
    server.next(reply);
    const error = await rerank().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ModelError', kind, message: expect.stringMatching(message) });
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(KEY);
    expect(calls).toMatchObject([{ outcome: kind }]);
  });

  it('closes the connection when it is aborted', async () => {
    server.next({ kind: 'hang' });
    const controller = new AbortController();
    const reason = new Error('left');
    const count = server.requests.length;
    const call = rerank({}, controller.signal);
    while (server.requests.length === count) await new Promise(setImmediate);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(calls).toMatchObject([{ outcome: 'aborted' }]);
  });

  it('refuses a malformed connection at once', () => {
    expect(() => createHttpRerankModel({ model: 'm', baseUrl: 'http://user:secret@host' })).toThrow(
      /RERANK_BASE_URL must be an address without/,
    );
  });
});
