import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@citewell/config';
import { TenantScope } from '@citewell/database';
import { type ModelConnection, ModelConnections, Secrets } from '@citewell/infrastructure';
import { type ChatModel, type LocalRerankModel, ModelError } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chatReranker, localReranker, type Reranker, RerankSetting } from './rerank-models.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

function settingWith(env: Record<string, string>, chat: () => ChatModel | null = () => null): RerankSetting {
  const config = loadConfig({ CITEWELL_SECRET: 'a-secret-of-the-operator', ...env });
  const settings = { store: async () => undefined, remove: async () => undefined };
  const connections = new ModelConnections(
    settings,
    new Secrets(config),
    { read: async () => undefined },
    config,
  );
  const poll = { follow: async () => undefined };
  const chatModels = { of: async () => chat() };
  return new RerankSetting(connections, poll as never, chatModels as never, config, new Metrics('test'));
}
const choiceOf = (fields: Partial<ModelConnection>): ModelConnection => ({
  provider: 'tei',
  model: '',
  baseUrl: null,
  apiKey: null,
  ...fields,
});
const signal = new AbortController().signal;
const TENANT = new TenantScope('a');
/** The scores for one passage. Null if passages keep the order of the search. */
const scores = async (opened: Reranker): Promise<number[] | null> =>
  (await opened.modelOf(TENANT))?.rerank('q', ['a'], { signal }) ?? null;

describe('RerankSetting', () => {
  it('uses the chat model of the moment', async () => {
    let reply: string | null = null;
    const opened = settingWith({}, () =>
      reply === null
        ? null
        : {
            name: 'm',
            async *stream() {
              yield { text: reply ?? '' };
            },
          },
    ).open(choiceOf({ provider: 'chat' }));
    expect(await scores(opened)).toBeNull();
    reply = '1: 10';
    expect(await scores(opened)).toHaveLength(1);
  });

  it('sends the key of the settings, and repeats it in no error', async () => {
    const keys: unknown[] = [];
    server = createServer((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(401).end('{"message":"sk-123 is wrong"}');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const opened = settingWith({}).open(choiceOf({ baseUrl, apiKey: 'sk-123' }));
    const error: unknown = await scores(opened).catch((thrown: unknown) => thrown);
    expect(keys).toEqual(['Bearer sk-123']);
    expect(error).toBeInstanceOf(ModelError);
    expect(String(error)).toContain('the key in the settings');
    expect(String(error) + JSON.stringify(error)).not.toContain('sk-123');
  });

  it('is limited to the networks of MODEL_NETWORKS', async () => {
    const opened = settingWith({ MODEL_NETWORKS: 'none' }).open(choiceOf({ baseUrl: 'http://127.0.0.1:1' }));
    await expect(scores(opened)).rejects.toThrow(ModelError);
  });

  it('names a local model that does not exist', () => {
    expect(() => settingWith({}).open(choiceOf({ provider: 'local', model: './none' }))).toThrow(/none/);
  });

  it('needs an address, and a provider that it knows', () => {
    expect(() => settingWith({}).open(choiceOf({}))).toThrow(/address/);
    expect(() => settingWith({}).open(choiceOf({ provider: 'other' }))).toThrow(/other/);
  });
});

async function scoresFor(pieces: readonly string[]): Promise<number[]> {
  const model: ChatModel = {
    name: 'm',
    async *stream() {
      for (const text of pieces) yield { text };
      yield { usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  return chatReranker(model).rerank('How is kelp dried?', ['Herring is salted.', 'Kelp is dried.'], {
    signal,
  });
}

describe('chatReranker', () => {
  it('reads the scores of a streamed reply', async () => {
    expect(await scoresFor(['2', ': 1', '0\n'])).toEqual([0, 1]);
  });

  it('fails if the reply has another form', async () => {
    await expect(scoresFor(['Kelp is dried', ' in the sun.'])).rejects.toMatchObject({ kind: 'transient' });
  });
});

let opening: PromiseWithResolvers<LocalRerankModel>[];
let problems: (string | null)[];
let closed: number;
let time: number;
const MODEL: LocalRerankModel = { rerank: async () => [1], close: async () => void (closed += 1) };

beforeEach(() => {
  [opening, problems, closed, time] = [[], [], 0, 0];
});

function newReranker() {
  return localReranker({
    open: () => {
      const attempt = Promise.withResolvers<LocalRerankModel>();
      opening.push(attempt);
      return attempt.promise;
    },
    onState: (problem) => void problems.push(problem && problem.message),
    now: () => time,
  });
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('localReranker', () => {
  it('opens the model once, when it is first needed, and lets nobody wait', async () => {
    const reranker = newReranker();
    expect(opening).toHaveLength(0);
    expect([await reranker.modelOf(TENANT), await reranker.modelOf(TENANT)]).toEqual([null, null]);
    expect(opening).toHaveLength(1);
    opening[0]?.resolve(MODEL);
    await settle();
    expect(await reranker.modelOf(TENANT)).toBe(MODEL);
    expect(problems).toEqual([expect.stringContaining('downloaded'), null]);
  });

  it('tells a failure, and tries again after a minute', async () => {
    const reranker = newReranker();
    await reranker.modelOf(TENANT);
    opening[0]?.reject(new ModelError('permanent', 'No space.'));
    await settle();
    expect(problems.at(-1)).toBe('No space.');
    time = 59_000;
    expect([await reranker.modelOf(TENANT), opening.length]).toEqual([null, 1]);
    time = 60_000;
    await reranker.modelOf(TENANT);
    opening[1]?.resolve(MODEL);
    await settle();
    expect(await reranker.modelOf(TENANT)).toBe(MODEL);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('ends the process of a model that was replaced %s it was ready', async (_, isEarly) => {
    const reranker = newReranker();
    await reranker.modelOf(TENANT);
    if (isEarly) reranker.close?.();
    opening[0]?.resolve(MODEL);
    await settle();
    if (!isEarly) reranker.close?.();
    expect(closed).toBe(1);
    expect(problems.length).toBe(isEarly ? 1 : 2);
  });
});
