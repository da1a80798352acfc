import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type EmbeddingSettings,
  embeddingSettingsSchema,
  modelsSchema,
  modelTestSchema,
  organizationSchema,
  rerankSettingsSchema,
} from '@citewell/contracts/schemas';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';

const KEY = 'sk-very-private-key-of-the-operator-9Qz7';
const OTHER_KEY = 'sk-another-private-key-of-the-operator-4Tb2';
const DIMENSIONS = 64;
const LIMIT_MS = 180_000;
const TEXTS = ['Our puss sleeps.', 'The spaniel barks.'];

/** A server with the APIs of OpenAI's embeddings and of Cohere's reranking. It knows few words. */
class WordServer {
  readonly requests: { path: string; key: string | undefined; at: number; inputs: string[] }[] = [];
  private readonly others = new Set<string>();
  readonly server: Server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    const inputs = [body.input ?? body.documents].flat() as string[];
    const path = String(request.url);
    this.requests.push({ path, key: request.headers.authorization, at: Date.now(), inputs });
    const answer = path.endsWith('/rerank')
      ? {
          results: inputs.map((input, index) => ({
            index,
            relevance_score: /barks|library/.test(input) ? 0.9 : 0.1,
          })),
        }
      : {
          data: inputs.map((input, index) => ({ index, embedding: this.vectorOf(input) })),
          usage: { prompt_tokens: 1, total_tokens: 1 },
        };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });

  /** Texts without a known word have nothing in common. */
  private vectorOf(input: string): number[] {
    const known = [/puss|moggy/, /spaniel|dog/].findIndex((words) => words.test(input));
    if (known < 0) this.others.add(input);
    const place = known < 0 ? 2 + [...this.others].indexOf(input) : known;
    return Array.from({ length: DIMENSIONS }, (_, index) => (index === place % DIMENSIONS ? 1 : 0.01));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }
}

describeDeployment('the choice of model servers', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;
  const models = new WordServer();
  /** The bodies of all responses of this file. */
  const responses: string[] = [];

  beforeAll(async () => {
    await new Promise<void>((resolve) => models.server.listen(0, '127.0.0.1', resolve));
    deployment = await start({ CITEWELL_SECRET: 'a-secret-of-the-operator' });
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    const [first] = (await admin.get('/organizations')).as(z.array(organizationSchema));
    tenant = new Tenant(new ApiClient(deployment.baseUrl, deployment.apiKey), first?.id ?? '');
    datastoreId = (await tenant.datastore()).id;
    for (const content of TEXTS) await tenant.text(datastoreId, content);
  });
  afterAll(async () => {
    await deployment.stop();
    models.server.closeAllConnections();
    models.server.close();
  });

  const body = (fields: Record<string, unknown> = {}) => ({
    provider: 'openai',
    model: 'words',
    baseUrl: models.baseUrl,
    apiKey: KEY,
    ...fields,
  });
  const read = async (): Promise<EmbeddingSettings> => {
    const response = await tenant.api.get('/models/embedding');
    responses.push(response.text);
    return response.as(embeddingSettingsSchema.strict());
  };
  const choose = async (fields: Record<string, unknown> = {}): Promise<EmbeddingSettings> => {
    const response = await tenant.api.put('/models/embedding/server', body(fields));
    responses.push(response.text);
    return response.as(embeddingSettingsSchema.strict());
  };
  const bestOf = async (question: string) =>
    (await tenant.search(datastoreId, question, { topK: 1 }))[0]?.text;
  const sentSince = (time: number) => models.requests.filter(({ at }) => at >= time);

  it('belongs to the first organization', async () => {
    const other = await Tenant.create(deployment);
    for (const path of ['/models/embedding/server', '/models/rerank'])
      (await other.api.put(path, body())).assertError('FORBIDDEN');
    for (const path of ['/models/embedding/test', '/models/rerank/test'])
      (await other.api.post(path, body())).assertError('FORBIDDEN');
    (await other.api.get('/models/rerank')).assertError('FORBIDDEN');
    (await other.api.delete('/models/rerank')).assertError('FORBIDDEN');
    expect(models.requests).toEqual([]);
  });

  it.each([
    { provider: 'anthropic' },
    { model: ' ' },
    { baseUrl: null, apiKey: null },
    { baseUrl: 'http://10.0.0.1/v1' },
    { baseUrl: 'http://169.254.169.254/latest' },
    { baseUrl: 'http://127.0.0.1:6379' },
  ])('refuses %j', async (fields) => {
    (await tenant.api.put('/models/embedding/server', body(fields))).assertError('INVALID_REQUEST');
    (await tenant.api.post('/models/embedding/test', body(fields))).assertError('INVALID_REQUEST');
  });

  it('is tested before it is stored', async () => {
    const tested = await tenant.api.post('/models/embedding/test', body());
    expect(tested.as(modelTestSchema.strict())).toMatchObject({ ok: true, dimensions: DIMENSIONS });
    const failed = await tenant.api.post(
      '/models/embedding/test',
      body({ baseUrl: 'http://127.0.0.1:59999/v1' }),
    );
    responses.push(tested.text, failed.text);
    expect(failed.as(modelTestSchema.strict())).toMatchObject({ ok: false });
    expect(await read()).toMatchObject({ name: 'builtin', server: { provider: null } });
  });

  it('embeds documents and questions from then on', async () => {
    const chosenAt = Date.now();
    expect(await choose()).toMatchObject({
      name: 'openai:words',
      chosenBy: 'setting',
      server: { provider: 'openai', model: 'words', hasKey: true, keyEnd: '9Qz7', chosenBy: 'setting' },
    });
    await until(
      async () => {
        // Words answer meanwhile.
        expect(await bestOf('spaniel')).toBe(TEXTS[1]);
        const { preparation, documents } = await read();
        return preparation === null && documents.done === documents.total;
      },
      'all documents to be embedded',
      LIMIT_MS,
    );
    const isDocument = (input: string): boolean => input.includes('sleeps');
    const ofWorker = sentSince(chosenAt).find(({ inputs }) => inputs.some(isDocument));
    const ofQuestion = sentSince(chosenAt).find(({ inputs }) => inputs.includes('spaniel'));
    process.stderr.write(
      `The worker used the server after ${Number(ofWorker?.at) - chosenAt} ms, the API after ${Number(ofQuestion?.at) - chosenAt} ms.\n`,
    );
    expect(await bestOf('moggy')).toBe(TEXTS[0]);
    expect(new Set(sentSince(chosenAt).map(({ key }) => key))).toEqual(new Set([`Bearer ${KEY}`]));
    const shown = (await tenant.api.get('/models')).as(modelsSchema.strict());
    expect(shown.embedding).toEqual({ name: 'words', provider: 'openai', dimensions: DIMENSIONS });
  });

  it('uses another key, and embeds nothing again', async () => {
    const chosenAt = Date.now();
    await choose({ apiKey: OTHER_KEY });
    await until(
      async () => {
        expect(await bestOf('moggy')).toBe(TEXTS[0]);
        return sentSince(chosenAt).some(
          ({ key, inputs }) => key?.includes(OTHER_KEY) && inputs.includes('moggy'),
        );
      },
      'questions to be sent with the other key',
      LIMIT_MS,
    );
    const embedded = () =>
      sentSince(chosenAt).find(
        ({ key, inputs }) => key?.includes(OTHER_KEY) && inputs.some((input) => /digs/.test(input)),
      );
    await until(
      async () => {
        await tenant.text(datastoreId, `A dog digs for ${Date.now() - chosenAt} ms.\n`);
        return embedded() !== undefined;
      },
      'a document to be sent with the other key',
      LIMIT_MS,
    );
    process.stderr.write(`The worker used the other key after ${Number(embedded()?.at) - chosenAt} ms.\n`);
    const inputs = sentSince(chosenAt).flatMap((request) => request.inputs);
    expect(inputs.filter((input) => /sleeps|barks/.test(input))).toEqual([]);
  });

  it('chooses the rerank model in the same way', async () => {
    const rerank = { provider: 'cohere', model: 'orders', baseUrl: models.baseUrl, apiKey: KEY };
    (await tenant.api.put('/models/rerank', { ...rerank, baseUrl: 'http://10.0.0.1' })).assertError(
      'INVALID_REQUEST',
    );
    const tested = await tenant.api.post('/models/rerank/test', rerank);
    expect(tested.as(modelTestSchema.strict())).toMatchObject({ ok: true, scores: [0.9, 0.1] });
    const chosen = await tenant.api.put('/models/rerank', rerank);
    expect(chosen.as(rerankSettingsSchema.strict())).toMatchObject({
      provider: 'cohere',
      model: 'orders',
      hasKey: true,
      keyEnd: '9Qz7',
      chosenBy: 'setting',
      problem: null,
    });
    responses.push(tested.text, chosen.text);
    const { id } = await tenant.agent({ datastoreIds: [datastoreId] });
    const chosenAt = Date.now();
    await tenant.ask(id, 'What does our puss do?');
    expect(sentSince(chosenAt).filter(({ path }) => path.endsWith('/rerank'))).toMatchObject([
      { key: `Bearer ${KEY}` },
    ]);
    const removed = await tenant.api.delete('/models/rerank');
    expect(removed.as(rerankSettingsSchema.strict())).toMatchObject({ provider: null, hasKey: false });
  });

  it('shows the keys nowhere, and is undone', async () => {
    for (const key of [KEY, OTHER_KEY]) {
      expect(responses.join()).not.toContain(key);
      for (const process of Object.values(deployment.processes)) expect(process.output).not.toContain(key);
    }
    const undone = (await tenant.api.put('/models/embedding', { name: 'builtin' })).as(
      embeddingSettingsSchema.strict(),
    );
    expect(undone).toMatchObject({ name: 'builtin', server: { provider: null, hasKey: false } });
  });
});
