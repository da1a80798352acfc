import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@citewell/config';
import type { ModelName } from '@citewell/contracts/schemas';
import { type ModelSetting, type OrganizationEntity, ownModelAccount, TenantScope } from '@citewell/database';
import { type ModelConnection, ModelConnections, OwnConnections, Secrets } from '@citewell/infrastructure';
import { type ChatModel, OwnModelError } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { type ModelServer, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toApiError } from '../http/to-api-error.js';
import { ChatModels } from './chat-models.js';
import { ChatSetting, OwnChatModels } from './chosen-chat-models.js';
import { chatModelReranker, openRerankModel, RerankModels } from './rerank-models.js';

const KEYS = { operator: 'key-of-the-operator', a: 'key-of-organization-a', b: 'key-of-organization-b' };
const [a, b, other, first] = ['a', 'b', 'other', 'first'].map((id) => new TenantScope(id)) as [
  TenantScope,
  TenantScope,
  TenantScope,
  TenantScope,
];
let model: ModelServer;
/** The table of the database, which all processes share. */
let rows: Map<string, ModelSetting>;
let isLost: boolean;
const opened: Server[] = [];

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());
beforeEach(() => {
  [rows, isLost] = [new Map(), false];
  model.requests.splice(0);
});

/** A process of the service. */
function newProcess(env: Record<string, string | undefined> = {}) {
  const variables = {
    CITEWELL_SECRET: 'a-secret-of-the-operator',
    ORGANIZATION_MODELS: 'true',
    ORGANIZATION_MODEL_NETWORKS: '127.0.0.0/8',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: KEYS.operator,
    CHAT_MODEL: 'of-the-operator',
    MODEL_GPT_4: 'better-of-the-operator',
    ...env,
  };
  const config = loadConfig(Object.fromEntries(Object.entries(variables).filter(([, value]) => value)));
  const settings = {
    findOwn: async ({ organizationId }: TenantScope) => {
      if (isLost) throw new Error('no database');
      return rows.get(organizationId) ?? null;
    },
    storeOwn: async ({ organizationId }: TenantScope, _: string, row: ModelSetting) =>
      void rows.set(organizationId, row),
    removeOwn: async ({ organizationId }: TenantScope) => void rows.delete(organizationId),
  };
  const organizations = { first: async () => ({ id: first.organizationId }) as OrganizationEntity };
  const paused = new Set<string>();
  const metrics = new Metrics('test');
  const secrets = new Secrets(config);
  const connections = new OwnConnections(settings, organizations, secrets, config);
  const installation = new ModelConnections(
    { store: async () => undefined, remove: async () => undefined },
    secrets,
    { read: async () => undefined },
    config,
  );
  const setting = new ChatSetting(installation, { follow: async () => undefined } as never, config, metrics);
  const own = new OwnChatModels(connections, config, metrics, {
    remaining: async (account) => (paused.has(account) ? 120_000 : 0),
  });
  const models = new ChatModels(config, metrics, setting, installation, own);
  return {
    models,
    choose: async (tenant: TenantScope, choice: Partial<ModelConnection>) =>
      (await connections.of(tenant)).store('chat', {
        provider: 'openai',
        model: 'own',
        baseUrl: model.baseUrl,
        apiKey: null,
        ...choice,
      }),
    remove: async (tenant: TenantScope) => (await connections.of(tenant)).remove('chat'),
    pause: ({ organizationId }: TenantScope) => void paused.add(ownModelAccount(organizationId)),
    ask: async (tenant: TenantScope, name: ModelName = 'gpt_3_5_turbo') =>
      writeWith(await models.of(tenant, name)),
  };
}

async function writeWith(chat: ChatModel | null): Promise<void> {
  const request = { messages: [{ role: 'user' as const, content: 'why?' }] };
  const { signal } = new AbortController();
  for await (const event of chat?.stream(request, { signal }) ?? []) void event;
}
/** Which keys have paid for which models since the last call. */
function payments(): string[] {
  return model.requests
    .splice(0)
    .map(({ headers, body }) => `${String(body.model)} ${headers.authorization?.replace('Bearer ', '')}`);
}
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

it('does not ask an own model that is paused, and says why', async () => {
  const { ask, choose, pause } = newProcess();
  await choose(a, { model: 'own-a', apiKey: KEYS.a });
  await choose(b, { model: 'own-b', apiKey: KEYS.b });
  pause(a);
  await expect(ask(a)).rejects.toMatchObject({
    kind: 'transient',
    message: 'An answer of this model blocked the service. The model is paused for 2 minutes.',
  });
  await ask(b);
  expect(payments()).toEqual([`own-b ${KEYS.b}`]);
});

describe('who pays', () => {
  const ofOperator = `of-the-operator ${KEYS.operator}`;
  it.each<[TenantScope, ModelName, string]>([
    [a, 'gpt_3_5_turbo', `own-a ${KEYS.a}`],
    [a, 'gpt_3_5_turbo_16k', `own-a ${KEYS.a}`],
    [a, 'gpt_4', `better-of-the-operator ${KEYS.operator}`],
    [a, 'gpt_4_32k', `own-a ${KEYS.a}`],
    [b, 'gpt_3_5_turbo', `own-b ${KEYS.b}`],
    [b, 'gpt_4', `better-of-the-operator ${KEYS.operator}`],
    [b, 'gpt_4_32k', `own-b ${KEYS.b}`],
    [other, 'gpt_3_5_turbo', ofOperator],
    [other, 'gpt_4', `better-of-the-operator ${KEYS.operator}`],
    [other, 'gpt_4_32k', ofOperator],
  ])('for organization %j with %s: %s', async (tenant, name, payment) => {
    const { ask, choose } = newProcess();
    await choose(a, { model: 'own-a', apiKey: KEYS.a });
    await choose(b, { model: 'own-b', apiKey: KEYS.b });
    await ask(tenant, name);
    expect(payments()).toEqual([payment]);
  });

  it('is the organization for new agents, whatever the operator offers under their name', async () => {
    const { ask, choose } = newProcess({ MODEL_GPT_3_5_TURBO: 'cheap', CHAT_MODEL: undefined });
    await choose(a, { model: 'own-a', apiKey: KEYS.a });
    await ask(a);
    await ask(other);
    expect(payments()).toEqual([`own-a ${KEYS.a}`, `cheap ${KEYS.operator}`]);
  });

  it('is not mixed up when all ask at once', async () => {
    const { ask, choose } = newProcess();
    await choose(a, { model: 'own-a', apiKey: KEYS.a });
    await choose(b, { model: 'own-b', apiKey: KEYS.b });
    const asked = Array.from({ length: 30 }, (_, at) => [a, b, other][at % 3] ?? other);
    await Promise.all(asked.map((tenant) => ask(tenant)));
    const paid = payments().toSorted();
    expect(paid).toEqual(
      [`own-a ${KEYS.a}`, `own-b ${KEYS.b}`, ofOperator]
        .flatMap((payment) => Array<string>(10).fill(payment))
        .toSorted(),
    );
  });

  it('is the operator if own models are not allowed', async () => {
    await newProcess().choose(a, { apiKey: KEYS.a });
    await newProcess({ ORGANIZATION_MODELS: undefined }).ask(a);
    expect(payments()).toEqual([ofOperator]);
  });

  it('is who asks, too, if the chat model reranks, with the variable and with the setting', async () => {
    const { choose, models } = newProcess();
    await choose(a, { model: 'own-a', apiKey: KEYS.a });
    const config = loadConfig({ RERANK_MODEL: 'chat' });
    const fixed = await openRerankModel(config, models, new Metrics('test'));
    const setting = { current: { opened: chatModelReranker(models) } } as never;
    const none = { current: null, problem: null };
    const { signal } = new AbortController();
    for (const rerankers of [
      new RerankModels(fixed, none, config),
      new RerankModels(null, setting, config),
    ]) {
      for (const tenant of [a, other])
        await failureOf((await rerankers.of(tenant))!.rerank('q', ['x'], { signal }));
      expect(payments()).toEqual([`own-a ${KEYS.a}`, ofOperator]);
    }
  });

  it('changes with the next question in every process', async () => {
    const [one, two] = [newProcess(), newProcess()];
    await two.ask(a);
    await one.choose(a, { model: 'first', apiKey: KEYS.a });
    await two.ask(a);
    await one.choose(a, { model: 'second', apiKey: KEYS.b });
    await two.ask(a);
    await one.remove(a);
    await two.ask(a);
    expect(payments()).toEqual([ofOperator, `first ${KEYS.a}`, `second ${KEYS.b}`, ofOperator]);
  });
});

describe('the own model of an organization', () => {
  it.each([
    ['a refused key', 401, /refused the key of your organization.*settings/],
    ['a used-up credit', 402, /credit of your organization/],
    ['an unknown model', 404, /model of your organization was not found/],
    ['a failing server', 500, /Try again in a moment/],
  ])('fails with %s, and nobody else is asked', async (_, status, message) => {
    const { ask, choose, models } = newProcess();
    await choose(a, { apiKey: KEYS.a });
    model.next({ kind: 'error', status });
    const error = await failureOf(ask(a));
    expect(error).toBeInstanceOf(OwnModelError);
    const shown = toApiError(error);
    expect([shown.code, shown.message]).toEqual(['OWN_MODEL_FAILED', expect.stringMatching(message)]);
    expect(payments()).toEqual([`own ${KEYS.a}`]);
    // Only this organization is told.
    expect(await models.problems(a)).toEqual({ 'of the organization': expect.any(String) });
    expect([await models.problems(b), await models.problems(other)]).toEqual([{}, {}]);
    await ask(a);
    expect(await models.problems(a)).toEqual({});
  });

  it.each<[string, () => void, Record<string, string>]>([
    ['another secret', () => undefined, { CITEWELL_SECRET: 'another-secret-of-it' }],
    ['a row of another organization', () => void rows.set('b', rows.get('a')!), {}],
    [
      'another address in the database',
      () => void rows.set('b', { ...rows.get('b')!, baseUrl: 'http://127.0.0.1:1/v1' }),
      {},
    ],
  ])('sends nothing if its key cannot be decrypted with %s', async (_, change, env) => {
    const { choose } = newProcess();
    await choose(a, { apiKey: KEYS.a });
    await choose(b, { apiKey: KEYS.b });
    change();
    const { ask, models } = newProcess(env);
    expect(toApiError(await failureOf(ask(b)))).toMatchObject({ code: 'OWN_MODEL_FAILED' });
    expect(payments()).toEqual([]);
    expect((await models.problems(b))['of the organization']).toMatch(/Enter the key again/);
  });

  it('never gets the key of the operator, for no provider', async () => {
    const env = {
      OPENAI_API_KEY: KEYS.operator,
      ANTHROPIC_API_KEY: KEYS.operator,
      GOOGLE_API_KEY: KEYS.operator,
      MISTRAL_API_KEY: KEYS.operator,
      OLLAMA_API_KEY: KEYS.operator,
      AZURE_OPENAI_API_KEY: KEYS.operator,
    };
    const { ask, choose } = newProcess(env);
    for (const [provider, baseUrl] of Object.entries(model.baseUrls)) {
      await choose(a, { provider, baseUrl });
      const error = await failureOf(ask(a));
      if (model.requests.length === 0) throw error;
      expect(JSON.stringify(model.requests.splice(0))).not.toContain(KEYS.operator);
    }
  });

  it('fails without the database, because nobody knows who pays', async () => {
    const { ask, choose } = newProcess();
    await choose(a, { apiKey: KEYS.a });
    isLost = true;
    await expect(ask(a)).rejects.toThrow('no database');
    expect(payments()).toEqual([]);
  });

  it('is listed for the organization alone', async () => {
    const { choose, models } = newProcess();
    await choose(a, { model: 'own-a', apiKey: KEYS.a });
    const names = async (tenant: TenantScope) => (await models.list(tenant)).map(({ name }) => name);
    expect(await names(a)).toEqual(['own-a', 'better-of-the-operator']);
    expect(await names(b)).toEqual(['of-the-operator', 'better-of-the-operator']);
  });
});

describe('an address of an organization', () => {
  /** A server that redirects to the model. */
  async function redirecting(): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(307, { location: `${model.baseUrl}${request.url?.replace('/v1', '')}` }).end();
    });
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }
  afterAll(() => {
    for (const server of opened) server.close();
  });

  it.each([
    ['the default', { ORGANIZATION_MODEL_NETWORKS: undefined }],
    ['none', { ORGANIZATION_MODEL_NETWORKS: 'none' }],
    ['those of the operator', { ORGANIZATION_MODEL_NETWORKS: undefined, MODEL_NETWORKS: '127.0.0.0/8' }],
  ])('reaches no private network with %s, also if it was stored earlier', async (_, env) => {
    const { port } = new URL(model.baseUrl);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0.0.0.0', '[::ffff:127.0.0.1]']) {
      await newProcess().choose(a, { baseUrl: `http://${host}:${port}/v1`, apiKey: KEYS.a });
      const error = await failureOf(newProcess(env).ask(a));
      expect([host, toApiError(error).code]).toEqual([host, 'OWN_MODEL_FAILED']);
    }
    expect(payments()).toEqual([]);
  });

  it('reaches the networks of MODEL_NETWORKS if the organization is that of the operator', async () => {
    const env = { ORGANIZATION_MODEL_NETWORKS: undefined, MODEL_NETWORKS: '127.0.0.0/8' };
    const { ask, choose } = newProcess(env);
    await choose(first, { apiKey: KEYS.a });
    await ask(first);
    expect(payments()).toEqual([`own ${KEYS.a}`]);
  });

  it('follows no redirect', async () => {
    const { ask, choose } = newProcess();
    await choose(a, { baseUrl: await redirecting(), apiKey: KEYS.a });
    expect(toApiError(await failureOf(ask(a))).code).toBe('OWN_MODEL_FAILED');
    expect(payments()).toEqual([]);
  });
});
