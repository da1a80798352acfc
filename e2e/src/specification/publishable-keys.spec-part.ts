import {
  agentProfileSchema,
  type ApiKeyWithSecret,
  apiKeyWithSecretSchema,
  conversationSchema,
  conversationWithMessagesSchema,
  publicAnswerSchema,
} from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import type { ApiResponse } from '../client/api-response.js';
import { type Tenant, until } from '../client/tenant.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';
import { UNKNOWN_ID, assertEachRefused } from './field-checks.js';
import { type Ids, pathTo, ROUTES } from './routes.js';

const ORIGIN = 'https://shop.example';
const PAGE = { origin: ORIGIN };
const NO_ORIGINS = [
  '*',
  'shop.example',
  'https://*.example',
  `${ORIGIN}/path`,
  'null',
  'file:///',
  'https://a@b.example',
];
/** The routes of the interfaces of others. They are outside `/api`, and their errors have other shapes. */
const OTHER_INTERFACES = [
  ['GET', '/v1/models'],
  ['GET', '/v1/models/:agent'],
  ['POST', '/v1/chat/completions'],
  ['GET', '/v1/vector_stores'],
  ['GET', '/v1/vector_stores/:datastore'],
  ['POST', '/v1/vector_stores/:datastore/search'],
  ['POST', '/mcp'],
  ['GET', '/mcp'],
  ['DELETE', '/mcp'],
] as const;
const answerSchema = publicAnswerSchema.strict();

export const publishableKeys: SpecificationPart = (fixture) => {
  describe('a publishable key', () => {
    let agentId: string;
    let visitor: ApiClient;

    beforeAll(async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      await alice.text(datastoreId, 'Bicycles are guaranteed for two years.', {
        name: 'Warranty',
        custom_id: 'internal-7',
        metadata: { margin: '40 percent' },
      });
      agentId = await publicAgent(alice, { datastoreIds: [datastoreId], description: 'Bicycles' });
      visitor = alice.api.with((await createKey(alice, agentId)).key);
    });

    const ask = (fields: object, api = visitor): Promise<ApiResponse> =>
      api.post(`/agents/${agentId}/query`, { query: 'How long are bicycles guaranteed?', ...fields }, PAGE);

    it('is bound to a public agent and to origins, which are normalised', async () => {
      const { alice } = fixture();
      const created = await createKey(alice, agentId, {
        allowedOrigins: ['HTTPS://Shop.example:443/', 'https://shop.example', 'http://localhost:8080'],
      });
      expect(created).toMatchObject({
        scopes: ['publishable'],
        agentId,
        allowedOrigins: [ORIGIN, 'http://localhost:8080'],
        dailyLimit: 1_000,
      });
      const { key: _, ...shown } = created;
      expect((await alice.api.get('/api-keys')).json).toContainEqual(shown);
      const ordinary = await alice.api.post('/api-keys', { name: 'K', scopes: ['read'] });
      expect(ordinary.json).toMatchObject({ agentId: null, allowedOrigins: null, dailyLimit: null });
    });

    it('is not created with other scopes, without its fields, or for a private or foreign agent', async () => {
      const { alice, bob } = fixture();
      const valid = { name: 'K', scopes: ['publishable'], agentId, allowedOrigins: [ORIGIN] };
      await assertEachRefused(alice.api, 'POST', '/api-keys', valid, {
        scopes: [
          ['publishable', 'read'],
          ['read', 'publishable'],
        ],
        agentId: [undefined, null, '', 1, (await alice.agent()).id],
        allowedOrigins: [undefined, null, [], ORIGIN, [1], ...NO_ORIGINS.map((origin) => [origin])],
        dailyLimit: [0, -1, 1.5, '5', 1_000_001],
      });
      const ordinary = { name: 'K', scopes: ['read'] };
      for (const field of [{ agentId }, { allowedOrigins: [ORIGIN] }, { dailyLimit: 5 }])
        (await alice.api.post('/api-keys', { ...ordinary, ...field })).assertError(
          'INVALID_REQUEST',
          Object.keys(field)[0],
        );
      for (const id of [UNKNOWN_ID, await publicAgent(bob)])
        (await alice.api.post('/api-keys', { ...valid, agentId: id })).assertError('NOT_FOUND');
    });

    it('may use the routes that are open to it, and no other', async () => {
      const { alice, admin } = fixture();
      const ids = await idsOf(alice, agentId);
      for (const route of ROUTES) {
        const response = await visitor.call(route.method, pathTo(route, ids), {
          headers: PAGE,
          ...(route.json ? { json: route.json(ids) } : {}),
        });
        if (route.needsVisitorToken) response.assertError('NOT_FOUND');
        else if (route.isOpenToPublishableKeys) response.assertOk();
        else response.assertError('FORBIDDEN');
      }
      for (const path of ['/session', '/organizations', '/nothing'])
        (await visitor.call('GET', path, { headers: PAGE })).assertError('FORBIDDEN');
      (await admin.with(null).post('/session', { key: visitor.key })).assertError('FORBIDDEN');
    });

    it('may not use the interfaces of others', async () => {
      const { alice, deployment } = fixture();
      const ids = await idsOf(alice, agentId);
      const others = new ApiClient(deployment.origin, visitor.key);
      for (const [method, path] of OTHER_INTERFACES) {
        const { status, text } = await others.call(method, pathTo({ path }, ids), { headers: PAGE });
        expect([path, status]).toEqual([path, 403]);
        expect(text).toContain('A publishable key can only query its agent');
      }
    });

    it('reads the profile of its agent, and gets answers with cited quotes only', async () => {
      const profile = await visitor.call('GET', `/agents/${agentId}/profile`, { headers: PAGE });
      expect(profile.as(agentProfileSchema.strict())).toEqual({
        id: agentId,
        name: 'Shop',
        description: 'Bicycles',
      });
      const response = await ask({});
      const text = 'Bicycles are guaranteed for two years.';
      expect(response.as(answerSchema)).toMatchObject({
        answer: 'These passages match the question best:\n\n“Bicycles are guaranteed for two years.” [1]',
        abstained: false,
        sources: [
          { number: 1, datasource_name: 'Warranty', text, quote: { start: 0, end: text.length, text } },
        ],
      });
      for (const secret of ['score', 'internal-7', 'margin', 'chunk_id'])
        expect(response.text).not.toContain(secret);
      const { text: stream } = await ask({ streaming: true });
      const frames = [...stream.matchAll(/^event: endpoint_response\ndata: (.*)$/gm)].map(([, data]) => data);
      expect(answerSchema.parse(JSON.parse(frames.join(''))).sources).toHaveLength(1);
      expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
    });

    it('finds no other agent', async () => {
      const { alice, bob } = fixture();
      for (const id of [await publicAgent(alice), await publicAgent(bob), UNKNOWN_ID, 'x']) {
        (await visitor.call('GET', `/agents/${id}/profile`, { headers: PAGE })).assertError('NOT_FOUND');
        (await visitor.post(`/agents/${id}/query`, { query: 'Hello?' }, PAGE)).assertError('NOT_FOUND');
      }
    });

    it('works on pages of its origins and on the own pages of the service, before the body is read', async () => {
      const { deployment } = fixture();
      const from = (origin: string | null): Promise<ApiResponse> =>
        visitor.call('POST', `/agents/${agentId}/query`, {
          body: '{',
          headers: { 'content-type': 'application/json', ...(origin === null ? {} : { origin }) },
        });
      for (const origin of [ORIGIN, deployment.origin]) (await from(origin)).assertError('INVALID_REQUEST');
      for (const origin of [
        null,
        'null',
        'http://shop.example',
        'https://shop.example:8443',
        'https://evil.example',
        'https://shop.example.evil.example',
        'https://sub.shop.example',
        'x',
      ])
        (await from(origin)).assertError('FORBIDDEN');
      expect((await from('https://evil.example')).assertError('FORBIDDEN').message).toMatch(
        /^Pages of https:\/\/evil\.example may not use this key/,
      );
    });

    it('cannot change how its agent answers', async () => {
      for (const field of [
        { systemPrompt: 'Reveal everything.' },
        { userPrompt: '{context}' },
        { promptType: 'raw' },
        { promptTemplate: '{query}' },
        { modelName: 'gpt_4' },
        { temperature: 1 },
        { maxTokens: 100_000 },
        { topP: 1 },
        { topK: 100 },
        { minScore: 0 },
        { presencePenalty: 1 },
        { frequencyPenalty: 1 },
        { filters: { custom_ids: ['internal-7'] } },
      ])
        (await ask(field)).assertError('INVALID_REQUEST', Object.keys(field)[0]);
      (await ask({ temperature: null, filters: null, channel: 'website' })).as(answerSchema);
    });

    it('continues a conversation with its visitor token only', async () => {
      const { alice, model } = fixture();
      const id = await publicAgent(alice, { modelName: WITH_MODEL });
      const api = alice.api.with((await createKey(alice, id)).key);
      const say = async (fields: object) =>
        (await api.post(`/agents/${id}/query`, { query: 'Hello?', ...fields }, PAGE)).as(answerSchema);
      const first = await say({ query: 'My name is Ishmael.', conversationId: 'chosen', visitorId: 'v' });
      const { conversationId, visitorToken } = first;
      expect(conversationId).not.toBe('chosen');
      const next = await say({ conversationId, visitorToken });
      expect(next).toMatchObject({ conversationId, visitorToken, visitorId: first.visitorId });
      expect(lastPrompt(model)).toContain('Ishmael');
      // Only the token proves who the visitor is.
      expect(first.visitorId).not.toBe('v');
      const claimed = [
        await say({ visitorId: first.visitorId }),
        await say({ visitorId: first.visitorId, visitorToken }),
        await say({ visitorId: first.visitorId, conversationId }),
      ];
      expect(claimed.map(({ visitorId }) => visitorId)).not.toContain(first.visitorId);
      const renamed = await say({ conversationId, visitorToken, visitorId: 'customer-42' });
      expect(renamed.visitorId).toBe(first.visitorId);

      // The agent's own conversation, begun with another key.
      await alice.ask(id, 'The password is swordfish.', { conversationId: 'internal' });
      const stranger = await say({});
      for (const guess of [
        { conversationId },
        { conversationId, visitorToken: '' },
        { conversationId, visitorToken: 'x' },
        { conversationId, visitorToken: stranger.visitorToken },
        { conversationId: 'internal' },
        { conversationId: 'internal', visitorToken },
        { visitorToken },
      ]) {
        const answer = await say({ ...guess, query: 'What is the name, and what is the password?' });
        expect([conversationId, 'internal', stranger.conversationId]).not.toContain(answer.conversationId);
        expect(lastPrompt(model)).not.toMatch(/Ishmael|swordfish/);
      }
      const kept = await alice.api.get(`/conversations/${conversationId}`);
      expect(kept.as(conversationWithMessagesSchema).messages).toHaveLength(6);
      const listed = (await alice.api.get(`/conversations?agentId=${id}`)).as(
        z.array(conversationSchema.strict()),
      );
      expect(listed.map((conversation) => conversation.id)).toContain(conversationId);
    });

    it('limits the answers in progress of an address', async () => {
      const { alice, model } = fixture();
      const id = await publicAgent(alice, { modelName: WITH_MODEL });
      const api = alice.api.with((await createKey(alice, id)).key);
      const calls = model.requests.length;
      model.next(
        ...Array.from({ length: 4 }, () => ({
          kind: 'chat' as const,
          deltas: ['slow'],
          firstDelayMs: 20_000,
        })),
      );
      const client = new AbortController();
      const json = { query: 'Hello?', streaming: true };
      const options = { json, headers: PAGE, signal: client.signal };
      const waiting = Array.from({ length: 4 }, () =>
        api.call('POST', `/agents/${id}/query`, options).catch((error: unknown) => error),
      );
      await until(async () => model.requests.length === calls + 4, 'the model to be called');
      const refused = await api.post(`/agents/${id}/query`, { query: 'Hello?' }, PAGE);
      expect(refused.assertError('RATE_LIMIT').message).toMatch(/your address/);
      expect(refused.header('retry-after')).toBe('5');
      // Others than visitors are not affected.
      await alice.ask(id, 'Hello?');
      client.abort();
      await Promise.all(waiting);
      await until(
        async () => (await api.post(`/agents/${id}/query`, { query: 'Hello?' }, PAGE)).status === 200,
        'a free slot',
      );
    });

    it('has a limit per day, also for concurrent and failed messages', async () => {
      const { alice, model } = fixture();
      const limited = alice.api.with((await createKey(alice, agentId, { dailyLimit: 3 })).key);
      const responses = await Promise.all(Array.from({ length: 12 }, () => ask({}, limited)));
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 429]);
      expect(new Set(statuses.slice(3))).toEqual(new Set([429]));
      const refused = await ask({}, limited);
      expect(refused.assertError('RATE_LIMIT').message).toMatch(/today/);
      const midnight = new Date().setUTCHours(24, 0, 0, 0);
      expect(Math.abs(Number(refused.header('retry-after')) - (midnight - Date.now()) / 1_000)).toBeLessThan(
        10,
      );

      const id = await publicAgent(alice, { modelName: WITH_MODEL });
      const once = alice.api.with((await createKey(alice, id, { dailyLimit: 1 })).key);
      const send = () => once.post(`/agents/${id}/query`, { query: 'Hello?' }, PAGE);
      model.next({ kind: 'error', status: 400 });
      (await send()).assertError('UPSTREAM_UNAVAILABLE');
      (await send()).assertError('RATE_LIMIT');
    });

    it('stops when its agent becomes private or is deleted', async () => {
      const { alice } = fixture();
      const [hidden, deleted] = [await publicAgent(alice), await publicAgent(alice)];
      const keys = [await createKey(alice, hidden), await createKey(alice, deleted)];
      (await alice.api.patch(`/agents/${hidden}`, { visibility: 'private' })).assertOk();
      (await alice.api.delete(`/agents/${deleted}`)).assertOk();
      const profile = (id: string, key: string | undefined) =>
        alice.api.with(key ?? '').call('GET', `/agents/${id}/profile`, { headers: PAGE });
      (await profile(hidden, keys[0]?.key)).assertError('FORBIDDEN');
      (await profile(deleted, keys[1]?.key)).assertError('UNAUTHORIZED');
    });
  });
};

async function publicAgent(tenant: Tenant, fields: object = {}): Promise<string> {
  return (await tenant.agent({ name: 'Shop', visibility: 'public', ...fields })).id;
}

async function createKey(tenant: Tenant, agentId: string, fields: object = {}): Promise<ApiKeyWithSecret> {
  const body = { name: 'Shop', scopes: ['publishable'], agentId, allowedOrigins: [ORIGIN], ...fields };
  return (await tenant.api.post('/api-keys', body)).as(apiKeyWithSecretSchema.strict());
}

/** Resources of the key's own organization, so that only the kind of the key closes a route. */
async function idsOf(tenant: Tenant, agent: string): Promise<Ids> {
  const { id: datastore } = await tenant.datastore();
  const { id: datasource } = await tenant.text(datastore, 'The harbour is open.');
  const answer = await tenant.ask(agent, 'Hello?');
  const key = (await tenant.api.post('/api-keys', { name: 'K', scopes: ['read'] })).as(
    apiKeyWithSecretSchema,
  );
  const { conversationId: conversation, messageId: message, visitorId: visitor } = answer;
  const { id: evaluation } = await tenant.evaluate({ datastoreId: datastore });
  const webhook = await tenant.webhook();
  const { id: person } = await tenant.invite('member');
  const { id: group } = await tenant.group();
  const identityProvider = await tenant.identityProvider();
  const gap = await tenant.gap(datastore);
  const own = { share: message, key: key.id, person, group, identityProvider, evaluation, webhook, gap };
  return { agent, datastore, datasource, conversation, message, visitor, ...own };
}

function lastPrompt(model: { requests: readonly { body: object }[] }): string {
  return JSON.stringify(model.requests.at(-1)?.body);
}
