import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ChatSettings, EmbeddingSettings, ModelTest, RerankSettings } from '@citewell/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { nameOf } from './models.command.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const MINILM = 'local:Xenova/all-MiniLM-L6-v2';
const E5 = 'local:Xenova/multilingual-e5-small';
const OFFERS: EmbeddingSettings['offers'] = [
  { name: MINILM, languages: 'english', downloadBytes: 137_700_000, seconds: 190 },
  { name: E5, languages: 'multilingual', downloadBytes: 0, seconds: 20 },
];
const NO_SERVER: EmbeddingSettings['server'] = {
  provider: null,
  model: null,
  baseUrl: null,
  hasKey: false,
  keyEnd: null,
  chosenBy: 'default',
  problem: null,
  providers: [
    { name: 'openai', fixedBy: [] },
    { name: 'ollama', fixedBy: ['OLLAMA_BASE_URL'] },
  ],
};
const READY: EmbeddingSettings = {
  name: 'builtin',
  chosenBy: 'default',
  preparation: null,
  documents: { done: 3, failed: 0, total: 3 },
  secondsLeft: null,
  problem: null,
  offers: OFFERS,
  server: NO_SERVER,
};

const NO_CHAT: ChatSettings = NO_SERVER;
const NO_RERANK: RerankSettings = {
  ...NO_SERVER,
  providers: ['cohere', 'tei', 'chat', 'local'].map((name) => ({ name, fixedBy: [] })),
};
const CHAT: ChatSettings = { ...NO_CHAT, provider: 'openai', model: 'm', hasKey: true, keyEnd: '9Qz7' };

it.each([
  ['built-in', 'builtin'],
  ['builtin', 'builtin'],
  ['local', E5],
  ['multilingual', E5],
  ['english', MINILM],
  ['/srv/models/minilm', 'local:/srv/models/minilm'],
  ['https://mirror.example/minilm', 'local:https://mirror.example/minilm'],
  ['Xenova/bge-m3', 'local:Xenova/bge-m3'],
  ['local:Xenova/bge-m3', 'local:Xenova/bge-m3'],
])('%s is the model %s', (model, name) => expect(nameOf(model, OFFERS)).toBe(name));

describe('citewell models', () => {
  /** Later states of the server. The last one stays. */
  let states: EmbeddingSettings[];
  const chosen: unknown[] = [];
  const tested: unknown[] = [];
  /** Of the own model of the organization. */
  const changed: unknown[] = [];
  let test: ModelTest;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const send = (value: unknown): unknown =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (request.url?.endsWith('/test')) {
      tested.push([request.url, JSON.parse(body)]);
      return void send(test);
    }
    if (request.url?.endsWith('/chat/own')) {
      changed.push([request.method, body && JSON.parse(body)]);
      return void send(request.method === 'PUT' ? CHAT : NO_CHAT);
    }
    if (request.url?.endsWith('/chat')) {
      if (request.method === 'PUT') chosen.push(JSON.parse(body));
      return void send(request.method === 'PUT' ? CHAT : NO_CHAT);
    }
    if (request.method === 'PUT') chosen.push(JSON.parse(body));
    if (request.url?.endsWith('/rerank')) return void send(NO_RERANK);
    if (request.url?.endsWith('/pictures')) return void send(NO_CHAT);
    const state = states.length > 1 ? states.shift() : states[0];
    send(state);
  });
  let url = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    states = [READY];
    test = { ok: true, durationMs: 12, message: 'The model answered.', sample: 'I am ready.' };
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const citewellReading = (input: string, ...args: string[]) =>
    new Promise<{ exitCode: unknown; out: string; err: string }>((resolve) => {
      const env = { CITEWELL_URL: url, CITEWELL_API_KEY: 'key', PATH: process.env.PATH };
      const command = execFile(process.execPath, [MAIN, 'models', ...args], { env }, (error, out, err) =>
        resolve({ exitCode: error?.code ?? 0, out, err }),
      );
      command.stdin?.end(input);
    });
  const citewell = (...args: string[]) => citewellReading('', ...args);

  it('shows the model, its state, and what others cost', async () => {
    expect((await citewell()).out).toBe(
      [
        'chat model  none: answers consist of quotes',
        '',
        'embedding model        builtin',
        'chosen by              the default',
        'state                  ready, 3 documents',
        `offered, english       ${MINILM}: a download of 131 MB, about 4 minutes to embed what is stored`,
        `offered, multilingual  ${E5}: no download, about a minute to embed what is stored`,
        '',
        'rerank model  none: passages keep the order of the search',
        '',
        'model for pictures  none: pictures are not described',
        '',
      ].join('\n'),
    );
    states = [{ ...READY, name: 'none', chosenBy: 'environment' }];
    expect((await citewell()).out).toContain('the variable EMBEDDING_MODEL');
  });

  it('use chooses a model, and waits until all documents are embedded', async () => {
    const step = (state: Partial<EmbeddingSettings>): EmbeddingSettings => ({
      ...READY,
      name: MINILM,
      ...state,
    });
    states = [
      READY,
      // The process of the server that answers does not know of the choice yet.
      READY,
      step({
        preparation: { step: 'downloading', done: 0.4, message: null },
        documents: { done: 0, failed: 0, total: 3 },
      }),
      step({ documents: { done: 1, failed: 0, total: 3 }, secondsLeft: 90 }),
      step({}),
    ];
    const { exitCode, out, err } = await citewell('use', 'english');
    expect([exitCode, chosen.at(-1), states.length]).toEqual([0, { name: MINILM }, 1]);
    expect(err).toBe(`${MINILM}: a download of 131 MB, about 4 minutes to embed what is stored.\n`);
    expect(out).toContain('ready, 3 documents');
  });

  it('shows, tests, chooses and removes the own chat model of the organization with --own', async () => {
    expect((await citewell('list', '--own')).out).toBe(
      'own chat model  none: the model of the server answers\n',
    );
    const { exitCode, out } = await citewellReading('sk-own\n', 'set', 'chat', 'openai:m', '--key', '--own');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('own chat model  openai:m')]);
    const choice = { provider: 'openai', model: 'm', baseUrl: null, apiKey: 'sk-own' };
    expect(tested.at(-1)).toEqual([expect.stringMatching(/\/models\/chat\/own\/test$/), choice]);
    expect((await citewell('unset', 'chat', '--own')).exitCode).toBe(0);
    expect(changed).toEqual([
      ['GET', ''],
      ['GET', ''],
      ['PUT', { ...choice, test: false }],
      ['DELETE', ''],
    ]);
    const { exitCode: refused, err } = await citewell('set', 'rerank', 'chat', '--own');
    expect([refused, err]).toEqual([2, expect.stringContaining('--own belongs to')]);
  });

  it('use --no-wait shows the state, and a failure ends with 1', async () => {
    states = [READY, { ...READY, documents: { done: 1, failed: 0, total: 3 }, secondsLeft: 90 }];
    expect((await citewell('use', 'built-in', '--no-wait')).out).toContain(
      'embedding, 1 of 3 documents, about 2 minutes left',
    );
    expect(chosen.at(-1)).toEqual({ name: 'builtin' });
    states = [READY, { ...READY, preparation: { step: 'failed', done: null, message: 'No such model.' } }];
    const failed = await citewell('use', 'me/none');
    expect([failed.exitCode, failed.out]).toEqual([1, expect.stringContaining('failed: No such model.')]);
  });

  it('use ends with a sentence when documents cannot be embedded', async () => {
    const stuck = { ...READY, name: MINILM, documents: { done: 1, failed: 0, total: 3 } };
    states = [
      READY,
      stuck,
      { ...stuck, documents: { done: 1, failed: 2, total: 3 }, problem: 'It is down.' },
    ];
    const { exitCode, out } = await citewell('use', 'english');
    expect([exitCode, states.length]).toEqual([1, 1]);
    expect(out).toContain('ready, 1 of 3 documents. 2 could not be embedded');
    expect(out).toMatch(/problem +It is down\./);
  });

  it('set chat tests the model, and chooses it', async () => {
    const args = ['set', 'chat', 'qwen2.5:7b', '--url', 'http://127.0.0.1:8080/v1'];
    const body = { provider: 'openai', model: 'qwen2.5:7b', baseUrl: 'http://127.0.0.1:8080/v1' };
    const { exitCode, out, err } = await citewell(...args);
    expect([exitCode, chosen.at(-1), tested.at(-1)]).toEqual([
      0,
      { ...body, test: false },
      ['/api/models/chat/test', body],
    ]);
    expect(err).toBe('The model answered. (12 ms) It wrote: I am ready.\n');
    expect(out).toBe('chat model  openai:m\nkey         stored, ends with 9Qz7\n');
    test = { ok: false, durationMs: 3, message: 'It is down.', sample: null };
    const failed = await citewell('set', 'chat', 'ollama:llama3.1:8b');
    expect(failed).toMatchObject({ exitCode: 1, err: 'It is down. (3 ms)\n' });
    expect(chosen.at(-1)).toEqual({ ...body, test: false });
    await citewell('set', 'chat', 'ollama:llama3.1:8b', '--no-test');
    expect(chosen.at(-1)).toEqual({ provider: 'ollama', model: 'llama3.1:8b', baseUrl: null, test: false });
  });

  it('set chat reads the key from the standard input', async () => {
    await citewellReading('sk-123\n', 'set', 'chat', 'openai:m', '--key');
    expect(chosen.at(-1)).toMatchObject({ provider: 'openai', model: 'm', baseUrl: null, apiKey: 'sk-123' });
  });

  it.each([
    [['embedding', 'text-embedding-3-small'], { provider: 'openai', model: 'text-embedding-3-small' }],
    [['embedding', 'ollama:bge-m3:latest'], { provider: 'ollama', model: 'bge-m3:latest' }],
    [['rerank', 'cohere:rerank-v3.5'], { provider: 'cohere', model: 'rerank-v3.5' }],
    [['rerank', 'BAAI/bge-reranker'], { provider: 'cohere', model: 'BAAI/bge-reranker' }],
    [['rerank', 'tei'], { provider: 'tei', model: '' }],
    [['rerank', 'chat'], { provider: 'chat', model: '' }],
  ])('set %j', async (args, body) => {
    test = {
      ok: true,
      durationMs: 9,
      message: 'It answered.',
      sample: null,
      scores: [0.9, 0.05],
      dimensions: 3,
    };
    const { exitCode, err } = await citewell('set', ...args);
    expect([exitCode, chosen.at(-1)]).toEqual([0, { ...body, baseUrl: null, test: false }]);
    expect(tested.at(-1)).toEqual([`/api/models/${args[0]}/test`, { ...body, baseUrl: null }]);
    expect(err).toBe(
      'It answered. (9 ms) Its vectors have 3 dimensions. Scores of a right and a wrong passage: 0.90, 0.05\n',
    );
  });

  it.each([
    ['local', ''],
    ['local:/srv/m', '/srv/m'],
  ])('set rerank %s lets the server download the model, without a test', async (name, model) => {
    tested.length = 0;
    expect((await citewell('set', 'rerank', name)).exitCode).toBe(0);
    expect([chosen.at(-1), tested]).toEqual([{ provider: 'local', model, baseUrl: null, test: false }, []]);
  });

  it('shows the server of the embedding model', async () => {
    const server = {
      ...NO_SERVER,
      provider: 'openai',
      model: 'm',
      baseUrl: 'http://a.example/v1',
      hasKey: true,
    };
    states = [{ ...READY, name: 'openai:m', chosenBy: 'setting', server }];
    const { out } = await citewell();
    expect(out).toMatch(/embedding model +openai:m/);
    expect(out).toMatch(/address +http:\/\/a.example\/v1/);
    expect(out).toMatch(/key +stored/);
  });

  it('unset embedding chooses the built-in model', async () => {
    expect(await citewell('unset', 'embedding')).toMatchObject({ exitCode: 0 });
    expect(chosen.at(-1)).toEqual({ name: 'builtin' });
  });

  it('unset and test', async () => {
    expect((await citewell('unset', 'chat')).out).toContain('none');
    expect((await citewell('test')).out).toContain('I am ready.');
    expect(tested.at(-1)).toEqual(['/api/models/test', { kind: 'chat' }]);
    test = { ok: false, durationMs: 3, message: 'It is down.', sample: null };
    expect(await citewell('test', 'rerank')).toMatchObject({ exitCode: 1 });
  });

  it.each([
    [['set', 'x', 'y'], /Unknown kind/],
    [['unset'], /<kind> is missing/],
    [['set', 'chat'], /<provider>:<model> is missing/],
    [['test', 'x'], /Unknown kind/],
    [['use', 'a', 'b'], /Unexpected argument/],
    [['use'], /<model> is missing/],
    [['burn'], /Unknown action "burn"/],
  ])('refuses %j', async (args, message) => {
    expect(await citewell(...args)).toMatchObject({ exitCode: 2, err: expect.stringMatching(message) });
  });
});
