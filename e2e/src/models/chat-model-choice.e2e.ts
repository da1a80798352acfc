import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type ChatSettings,
  chatSettingsSchema,
  modelsSchema,
  modelTestSchema,
  organizationSchema,
} from '@citewell/contracts/schemas';
import { type ModelServer, startModelServer } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const KEY = 'sk-very-private-key-of-the-operator-9Qz7';
const TEXT = 'The library opens at nine.';

describeDeployment('the choice of the chat model', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let model: ModelServer;
  let agentId: string;
  /** The bodies of all responses of this file. */
  const responses: string[] = [];

  beforeAll(async () => {
    model = await startModelServer();
    deployment = await start({ CITEWELL_SECRET: 'a-secret-of-the-operator' });
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    const [first] = (await admin.get('/organizations')).as(z.array(organizationSchema));
    tenant = new Tenant(new ApiClient(deployment.baseUrl, deployment.apiKey), first?.id ?? '');
    const datastoreId = (await tenant.datastore()).id;
    await tenant.text(datastoreId, TEXT);
    agentId = (await tenant.agent({ datastoreIds: [datastoreId] })).id;
  });
  afterAll(async () => {
    await deployment.stop();
    await model.close();
  });

  const openai = (fields: Record<string, unknown> = {}) => ({
    provider: 'openai',
    model: 'm',
    baseUrl: model.baseUrl,
    apiKey: KEY,
    ...fields,
  });
  const send = async (method: 'get' | 'put' | 'post', path: string, body?: Record<string, unknown>) => {
    const response =
      method === 'get' ? await tenant.api.get(path) : await tenant.api[method](path, body ?? {});
    responses.push(response.text);
    return response;
  };
  const settings = async (): Promise<ChatSettings> =>
    (await send('get', '/models/chat')).as(chatSettingsSchema.strict());
  const choose = async (fields: Record<string, unknown> = {}): Promise<ChatSettings> =>
    (await send('put', '/models/chat', openai(fields))).as(chatSettingsSchema.strict());
  const test = async (fields: Record<string, unknown> = {}) =>
    (await send('post', '/models/chat/test', openai(fields))).as(modelTestSchema.strict());
  const ask = async () => (await tenant.ask(agentId, 'When does the library open?')).answer;

  it('is none at first', async () => {
    expect(await settings()).toMatchObject({ provider: null, chosenBy: 'default', hasKey: false });
    expect(await ask()).toContain(TEXT);
  });

  it('belongs to the first organization', async () => {
    const other = await Tenant.create(deployment);
    (await other.api.get('/models/chat')).assertError('FORBIDDEN');
    (await other.api.put('/models/chat', openai())).assertError('FORBIDDEN');
    (await other.api.post('/models/chat/test', openai())).assertError('FORBIDDEN');
    (await other.api.delete('/models/chat')).assertError('FORBIDDEN');
    expect(model.requests).toEqual([]);
  });

  it.each([
    { provider: 'unknown' },
    { model: ' ' },
    { apiKey: 'with a space inside' },
    { apiKey: null, baseUrl: null },
    ...[
      'http://10.0.0.1/v1',
      'http://169.254.169.254/latest',
      'http://2852039166/',
      'http://[::ffff:192.168.0.1]/v1',
      'http://[fd00::1]:8080',
      'http://user:password@127.0.0.1:8080',
      'ftp://127.0.0.1',
      'http://127.0.0.1:6379',
      'http://127.0.0.1:22',
      'not an address',
    ].map((baseUrl) => ({ baseUrl })),
  ])('refuses %j', async (fields) => {
    for (const [method, path] of [
      ['put', '/models/chat'],
      ['post', '/models/chat/test'],
    ] as const)
      (await send(method, path, openai(fields))).assertError('INVALID_REQUEST');
  });

  it('is tested before it is stored', async () => {
    expect(await test()).toMatchObject({ ok: true, sample: expect.stringContaining('The sources say so') });
    model.next({ kind: 'error', status: 401 });
    expect(await test()).toMatchObject({
      ok: false,
      sample: null,
      message: expect.stringContaining('the key in the settings'),
    });
    model.next({ kind: 'error', status: 401, message: `Incorrect API key provided: ${KEY}` });
    const refused = (await send('put', '/models/chat', openai())).assertError('INVALID_REQUEST');
    expect(refused.message).toMatch(/rejected the key.*The provider says: Incorrect API key provided/);
    expect(refused.details).toMatchObject([{ path: 'apiKey' }]);
    const down = { baseUrl: 'http://127.0.0.1:59999/v1' };
    const unreachable = (await send('put', '/models/chat', openai(down))).assertError('INVALID_REQUEST');
    expect(unreachable.details).toMatchObject([
      { path: 'baseUrl', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(await settings()).toMatchObject({ provider: null });
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('answers from then on', async () => {
    expect(await choose()).toMatchObject({
      provider: 'openai',
      model: 'm',
      baseUrl: model.baseUrl,
      hasKey: true,
      keyEnd: '9Qz7',
      chosenBy: 'setting',
      problem: null,
    });
    expect(await ask()).toContain('The sources say so');
    expect(model.requests.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'm' },
    });
    const shown = (await send('get', '/models')).as(modelsSchema.strict());
    expect(shown.chat).toMatchObject([{ name: 'm', provider: 'openai' }]);
    expect((await send('post', '/models/test', { kind: 'chat' })).as(modelTestSchema.strict()).ok).toBe(true);
  });

  it('keeps the key for the same address only', async () => {
    expect(await choose({ model: 'm2', apiKey: undefined })).toMatchObject({ model: 'm2', hasKey: true });
    await ask();
    expect(model.requests.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'm2' },
    });
    const elsewhere = model.baseUrl.replace('127.0.0.1', 'localhost');
    await test({ baseUrl: elsewhere, apiKey: undefined });
    expect(model.requests.at(-1)?.headers.authorization).not.toContain(KEY);
    (await send('put', '/models/chat', openai({ baseUrl: null, apiKey: undefined }))).assertError(
      'INVALID_REQUEST',
    );
    expect(await settings()).toMatchObject({ model: 'm2', hasKey: true });
  });

  it('shows the key nowhere', async () => {
    model.next({ kind: 'error', status: 401 }, { kind: 'error', status: 401 });
    responses.push((await tenant.api.post(`/agents/${agentId}/query`, { query: 'x' })).text);
    expect(responses.join()).not.toContain(KEY);
    for (const process of Object.values(deployment.processes)) expect(process.output).not.toContain(KEY);
    for (const id of await readdir('/proc').catch(() => []))
      if (/^\d+$/.test(id))
        expect(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).not.toContain(KEY);
    if (deployment.qdrantUrl !== null) return;
    const file = join(tmpdir(), `citewell-backup-${process.pid}.tar.gz`);
    try {
      expect(await deployment.citewell('backup', file)).toMatchObject({ code: 0 });
      const backup = gunzipSync(await readFile(file)).toString('latin1');
      expect(backup).toContain('model_settings');
      expect(backup).not.toContain(KEY);
      expect(backup).not.toContain(Buffer.from(KEY).toString('base64').slice(0, -4));
    } finally {
      await rm(file, { force: true });
    }
  });

  it('is undone', async () => {
    expect((await tenant.api.delete('/models/chat')).as(chatSettingsSchema.strict())).toMatchObject({
      provider: null,
      hasKey: false,
      chosenBy: 'default',
    });
    expect(await ask()).toContain(TEXT);
  });
});

describe('variables', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModelServer();
    deployment = await startEmbedded({
      ANTHROPIC_BASE_URL: model.baseUrls.anthropic,
      ANTHROPIC_API_KEY: 'of-the-environment',
      MODEL_NETWORKS: 'none',
    });
    api = new ApiClient(deployment.baseUrl, deployment.apiKey);
  });
  afterAll(async () => {
    await deployment.stop();
    await model.close();
  });

  it('decide about the address and the key of a provider', async () => {
    const fixed = { provider: 'anthropic', model: 'm' };
    (await api.put('/models/chat', { ...fixed, apiKey: KEY })).assertError('CONFLICT');
    (await api.put('/models/chat', { ...fixed, baseUrl: model.baseUrl })).assertError('CONFLICT');
    const shown = (await api.put('/models/chat', fixed)).as(chatSettingsSchema.strict());
    expect(shown).toMatchObject({ ...fixed, hasKey: false, problem: null });
    expect(shown.providers).toContainEqual({
      name: 'anthropic',
      fixedBy: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'],
    });
    const tested = (await api.post('/models/test', { kind: 'chat' })).as(modelTestSchema.strict());
    expect(tested).toMatchObject({ ok: true });
    expect(model.requests.at(-1)?.headers['x-api-key']).toBe('of-the-environment');
  });

  it('allow no private network to addresses of the settings', async () => {
    const body = { provider: 'openai', model: 'm', baseUrl: model.baseUrl };
    (await api.put('/models/chat', body)).assertError('INVALID_REQUEST');
    (await api.put('/models/chat', { provider: 'ollama', model: 'm' })).assertError('INVALID_REQUEST');
  });
});
