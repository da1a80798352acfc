import { readdir, readFile } from 'node:fs/promises';
import {
  type ChatSettings,
  chatSettingsSchema,
  modelsSchema,
  modelTestSchema,
} from '@citewell/contracts/schemas';
import { type ModelServer, startModelServer } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { query } from '../specification/leftovers.js';

const KEYS = {
  operator: 'sk-very-private-key-of-the-operator-9Qz7',
  a: 'sk-very-private-key-of-organization-a-3Kp1',
  b: 'sk-very-private-key-of-organization-b-8Wn4',
};
const QUESTION = 'When does the library open?';

describeDeployment('own models of organizations', (start) => {
  let deployment: Deployment;
  let model: ModelServer;
  let a: Asking;
  let b: Asking;
  let other: Asking;
  /** The bodies of the responses to everybody but organization A. */
  const seenByOthers: string[] = [];

  /** An organization with an agent. */
  interface Asking {
    tenant: Tenant;
    agentId: string;
  }

  beforeAll(async () => {
    model = await startModelServer();
    deployment = await start({
      CITEWELL_SECRET: 'a-secret-of-the-operator',
      ORGANIZATION_MODELS: 'true',
      ORGANIZATION_MODEL_NETWORKS: '127.0.0.0/8',
      CHAT_MODEL: 'of-the-operator',
      MODEL_GPT_4: 'better-of-the-operator',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: KEYS.operator,
    });
    [a, b, other] = (await Promise.all(
      ['A', 'B', 'Other'].map(async (name) => {
        const tenant = await Tenant.create(deployment, name);
        const { id } = await tenant.datastore();
        await tenant.text(id, 'The library opens at nine.');
        return { tenant, agentId: (await tenant.agent({ datastoreIds: [id] })).id };
      }),
    )) as [Asking, Asking, Asking];
  });
  afterAll(async () => {
    await deployment.stop();
    await model.close();
  });

  const choose = async ({ tenant }: Asking, fields: Record<string, unknown>): Promise<ChatSettings> => {
    const body = { provider: 'openai', model: 'm', baseUrl: model.baseUrl, test: false, ...fields };
    return (await tenant.api.put('/models/chat/own', body)).as(chatSettingsSchema.strict());
  };
  const ask = ({ tenant, agentId }: Asking, fields: Record<string, unknown> = {}) =>
    tenant.api.post(`/agents/${agentId}/query`, { query: QUESTION, ...fields });
  /** Models and keys of the requests since the last call. */
  const payments = (): string[] =>
    model.requests
      .splice(0)
      .map(({ headers, body }) => `${String(body.model)} ${headers.authorization?.replace('Bearer ', '')}`);

  it('are none at first', async () => {
    expect((await a.tenant.api.get('/models/chat/own')).as(chatSettingsSchema.strict())).toMatchObject({
      provider: null,
      hasKey: false,
      chosenBy: 'default',
      // The operator has set variables of this provider. They say nothing to an organization.
      providers: expect.arrayContaining([{ name: 'openai', fixedBy: [] }]),
    });
    (await ask(a)).assertOk();
    expect(payments()).toEqual([`of-the-operator ${KEYS.operator}`]);
  });

  it('are tested, chosen, and answer the questions of their organization on every path', async () => {
    const body = { provider: 'openai', model: 'm', baseUrl: model.baseUrl, apiKey: KEYS.a };
    const tested = (await a.tenant.api.post('/models/chat/own/test', body)).as(modelTestSchema.strict());
    expect(tested).toMatchObject({ ok: true, sample: expect.stringContaining('The sources say so') });
    expect(payments()).toEqual([`m ${KEYS.a}`]);
    expect(await choose(a, { model: 'own-a', apiKey: KEYS.a })).toMatchObject({
      provider: 'openai',
      model: 'own-a',
      keyEnd: '3Kp1',
      chosenBy: 'setting',
      problem: null,
    });
    await choose(b, { model: 'own-b', apiKey: KEYS.b });
    const ofA = `own-a ${KEYS.a}`;
    const v1 = new ApiClient(`${deployment.origin}/v1`, a.tenant.api.key ?? '');
    const paths: [send: () => Promise<{ assertOk(): void }>, payment: string][] = [
      [() => ask(a), ofA],
      [() => ask(a, { streaming: true }), ofA],
      [() => ask(a, { modelName: 'gpt_3_5_turbo_16k' }), ofA],
      [() => ask(a, { modelName: 'gpt_4' }), `better-of-the-operator ${KEYS.operator}`],
      [() => a.tenant.api.post('/models/test', { kind: 'chat' }), ofA],
      [
        () =>
          v1.post('/chat/completions', {
            model: a.agentId,
            messages: [{ role: 'user', content: QUESTION }],
          }),
        ofA,
      ],
      [() => ask(b), `own-b ${KEYS.b}`],
      [() => ask(other), `of-the-operator ${KEYS.operator}`],
    ];
    for (const [send, payment] of paths) {
      (await send()).assertOk();
      expect(payments()).toEqual([payment]);
    }
    const test = (tenant: Tenant, body: object) => tenant.api.post('/models/test', body);
    (await test(a.tenant, { kind: 'chat', modelName: 'gpt_4' })).assertError('FORBIDDEN');
    (await test(other.tenant, { kind: 'chat' })).assertError('FORBIDDEN');
    expect(payments()).toEqual([]);
    const listed = (await a.tenant.api.get('/models')).as(modelsSchema.strict());
    expect(listed.chat.map(({ name }) => name)).toEqual(['own-a', 'better-of-the-operator']);
  });

  it('fail for their organization alone, and nobody else is asked', async () => {
    for (const fields of [{}, { streaming: true }]) {
      model.next({ kind: 'error', status: 401, message: `Incorrect API key provided: ${KEYS.a}` });
      const { text } = await ask(a, fields);
      expect(text).toContain('The language model did not answer');
      expect(text).toContain('“The library opens at nine.” [1]');
      expect(text).not.toContain(KEYS.a);
      expect(payments()).toEqual([`own-a ${KEYS.a}`]);
    }
    const health = async ({ tenant }: Asking) => (await tenant.api.get('/health-report')).text;
    if (deployment.startAnotherApi === null)
      expect(await health(a)).toContain('chat model of the organization');
    for (const asking of [b, other]) expect(await health(asking)).not.toContain('of the organization');
    expect(await health(a)).not.toContain(KEYS.a);
  });

  it('are seen by nobody else', async () => {
    const first = new ApiClient(deployment.baseUrl, deployment.apiKey);
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    for (const api of [b.tenant.api, other.tenant.api, first]) {
      for (const path of [
        '/models',
        '/models/chat',
        '/models/chat/own',
        '/health-report',
        '/usage',
        '/api-keys',
      ])
        seenByOthers.push((await api.get(path)).text);
      // Without a key, that of the own organization is meant.
      const body = { provider: 'openai', model: 'm', baseUrl: model.baseUrl };
      seenByOthers.push((await api.post('/models/chat/own/test', body)).text);
      expect(payments().join()).not.toContain(KEYS.a);
      model.requests.splice(0);
    }
    for (const path of ['/organizations', `/organizations/${a.tenant.organizationId}`])
      seenByOthers.push((await admin.get(path)).text);
    seenByOthers.push(await (await fetch(`${deployment.origin}/metrics`)).text());
    expect(seenByOthers.join()).not.toMatch(/own-a|3Kp1/);
    const printed = Object.values(deployment.processes).map(({ output }) => output);
    for (const key of Object.values(KEYS)) expect(printed.join()).not.toContain(key);
    for (const id of await readdir('/proc').catch(() => []))
      if (/^\d+$/.test(id))
        expect(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).not.toContain(KEYS.a);
    const rows = await query(deployment, 'SELECT t::text AS row FROM model_settings t', []);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('sk-very');
  });

  it.each([
    { provider: 'unknown' },
    { apiKey: null, baseUrl: null },
    { baseUrl: 'http://10.0.0.1/v1' },
    { baseUrl: 'http://169.254.169.254/latest' },
    { baseUrl: 'http://[fd00::1]:8080' },
    { baseUrl: 'http://user:password@127.0.0.1:8080' },
    { baseUrl: 'http://127.0.0.1:5432' },
  ])('refuse %j', async (fields) => {
    const body = { provider: 'openai', model: 'm', apiKey: KEYS.b, ...fields };
    (await b.tenant.api.put('/models/chat/own', body)).assertError('INVALID_REQUEST');
    (await b.tenant.api.post('/models/chat/own/test', body)).assertError('INVALID_REQUEST');
  });

  it('are used by every process at once', async () => {
    const another = await deployment.startAnotherApi?.();
    if (!another) return;
    const through = new ApiClient(`${another.origin}/api`, b.tenant.api.key ?? '');
    const there: Asking = { ...b, tenant: new Tenant(through, '') };
    (await ask(there)).assertOk();
    await choose(b, { model: 'later-b', apiKey: KEYS.b });
    (await ask(there)).assertOk();
    await b.tenant.api.delete('/models/chat/own');
    (await ask(there)).assertOk();
    await choose(b, { model: 'own-b', apiKey: KEYS.b });
    expect(payments()).toEqual([`own-b ${KEYS.b}`, `later-b ${KEYS.b}`, `of-the-operator ${KEYS.operator}`]);
  });

  it('end with a removal, and with their organization', async () => {
    const removed = (await a.tenant.api.delete('/models/chat/own')).as(chatSettingsSchema.strict());
    expect(removed).toMatchObject({ provider: null, hasKey: false, chosenBy: 'default' });
    (await ask(a)).assertOk();
    expect(payments()).toEqual([`of-the-operator ${KEYS.operator}`]);
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    (await admin.delete(`/organizations/${b.tenant.organizationId}`)).assertOk();
    expect(await query(deployment, 'SELECT 1 FROM model_settings', [])).toEqual([]);
  });
});

describe('own models', () => {
  it('reach no private network at first', async () => {
    const deployment = await startEmbedded({ ORGANIZATION_MODELS: 'true', MODEL_NETWORKS: '127.0.0.0/8' });
    try {
      const { api } = await Tenant.create(deployment);
      for (const body of [
        { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:8080/v1' },
        { provider: 'openai', model: 'm', baseUrl: 'http://localhost:8080/v1' },
        { provider: 'ollama', model: 'm' },
      ]) {
        const refused = await api.put('/models/chat/own', body);
        refused.assertError('INVALID_REQUEST');
        expect(refused.text).toContain('ORGANIZATION_MODEL_NETWORKS');
      }
    } finally {
      await deployment.stop();
    }
  });
});
