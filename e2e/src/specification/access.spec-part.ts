import { apiKeyWithSecretSchema, SCOPES } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { ApiResponse } from '../client/api-response.js';
import { ApiClient } from '../client/api-client.js';
import type { Tenant } from '../client/tenant.js';
import { UNKNOWN_ID } from './field-checks.js';
import type { SpecificationPart } from './describe-specification.js';
import { fingerprint, oneOfEach, openRoute, UNKNOWN } from './route-requests.js';
import { type Ids, hasIdInPath, pathTo, type Route, ROUTES } from './routes.js';

const BAD_HEADERS = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer  ',
  'Basic YTpi',
  'Bearer a b',
  'Bearer cw_unknown0unknown0unknown0unknown0',
  `Bearer ${'x'.repeat(600)}`,
];

/** Strings that cannot be the id of a resource. */
const MALFORMED_IDS = ['x', "' OR 1=1 --", '../agents', '%00', 'a\u0000b', '🦊', '0'.repeat(300)];

export const access: SpecificationPart = (fixture) => {
  describe('access', () => {
    it('requires a valid key on every endpoint, before it validates anything else', async () => {
      const { alice } = fixture();
      const anonymous = alice.api.with(null);
      for (const route of ROUTES) {
        const path = pathTo(route, UNKNOWN);
        (await anonymous.call(route.method, path)).assertError('UNAUTHORIZED');
        const broken = await anonymous.call(route.method, path, {
          headers: { authorization: 'Bearer nope', 'content-type': 'application/json' },
          ...(route.method === 'GET' ? {} : { body: '{' }),
        });
        broken.assertError('UNAUTHORIZED');
      }
      for (const authorization of BAD_HEADERS) {
        (await anonymous.call('GET', '/agents', { headers: { authorization } })).assertError('UNAUTHORIZED');
      }
    });

    it('guards a path in every percent-encoding', async () => {
      const { alice, bob, deployment } = fixture();
      const root = new ApiClient(deployment.origin, null);
      for (const path of [
        '/%61pi/agents',
        '/ap%69/agents',
        '/api/%61gents',
        '/api/agents?limit=9#/health/live',
      ]) {
        (await root.get(path)).assertError('UNAUTHORIZED');
        (await root.with(alice.api.key).get(path)).assertOk();
      }
      for (const path of [
        '/api/%6Frganizations',
        '/%61pi/organizations',
        `/api/organi%7Aations/${bob.organizationId}`,
      ]) {
        (await root.get(path)).assertError('UNAUTHORIZED');
        (await root.with(alice.api.key).get(path)).assertError('FORBIDDEN');
        (await root.with(deployment.adminKey).get(path)).assertOk();
      }
      for (const path of ['//api/agents', '/api//agents', '/API/agents', '/api/agents/', '/./api/agents;x']) {
        const answer = await root.get(path);
        expect([403, 404]).toContain(answer.status);
      }
    });

    it('accepts the authorization scheme in any case', async () => {
      const { alice } = fixture();
      const authorization = `bearer ${alice.api.key}`;
      expect((await alice.api.with(null).call('GET', '/agents', { headers: { authorization } })).status).toBe(
        200,
      );
    });

    it('accepts the admin key and the keys of organizations on their own endpoints only', async () => {
      const { admin, alice } = fixture();
      (await admin.get('/agents')).assertError('UNAUTHORIZED');
      for (const [method, path] of [
        ['POST', '/organizations'],
        ['GET', '/organizations'],
        ['GET', `/organizations/${alice.organizationId}`],
        ['DELETE', `/organizations/${alice.organizationId}`],
      ] as const) {
        (await alice.api.call(method, path)).assertError('FORBIDDEN');
        (await alice.api.with(null).call(method, path)).assertError('UNAUTHORIZED');
        (await alice.api.with('cw_unknown').call(method, path)).assertError('UNAUTHORIZED');
      }
    });

    it('requires the scope of every endpoint', async () => {
      const { alice } = fixture();
      for (const scope of SCOPES) {
        const others = SCOPES.filter((other) => other !== scope);
        const lacking = alice.api.with(await keyWith(alice, others));
        for (const route of ROUTES.filter((candidate) => candidate.scope === scope)) {
          (await send(lacking, route, UNKNOWN)).assertError('FORBIDDEN');
        }
        const having = alice.api.with(await keyWith(alice, [scope]));
        for (const route of ROUTES.filter((candidate) => candidate.scope === scope && hasIdInPath(candidate)))
          (await send(having, route, UNKNOWN)).assertError('NOT_FOUND');
      }
    });

    it('answers for a resource of another organization exactly as for an unknown one', async () => {
      const { alice, bob } = fixture();
      const ids = await oneOfEach(alice);
      const before = await fingerprint(alice, ids);
      for (const route of ROUTES.filter(hasIdInPath)) {
        const foreign = await send(bob.api, route, ids);
        const unknown = await send(bob.api, route, UNKNOWN);
        expect([`${route.method} ${route.path}`, withoutId(foreign, 'NOT_FOUND')]).toEqual([
          `${route.method} ${route.path}`,
          withoutId(unknown, 'NOT_FOUND'),
        ]);
      }
      expect(await fingerprint(alice, ids)).toEqual(before);
    });

    it('hides resources of another organization that a request body names', async () => {
      const { alice, bob } = fixture();
      const ids = await oneOfEach(alice);
      const own = await bob.datastore();
      const text = { type: 'text', text: 'x' };
      const page = { type: 'web_page', config: { source_url: 'https://example.com' } };
      for (const datastoreId of [ids.datastore, UNKNOWN_ID, 'x']) {
        (await bob.api.post('/datasources', { ...text, datastoreId })).assertError('NOT_FOUND');
        (await bob.api.post('/datasources', { ...page, datastoreId })).assertError('NOT_FOUND');
        const file = ['file', new Blob(['x']), 'x.txt'] as const;
        (await bob.api.upload([['datastoreId', datastoreId], file])).assertError('NOT_FOUND');
        (await bob.api.post('/agents', { name: 'B', datastoreIds: [own.id, datastoreId] })).assertError(
          'NOT_FOUND',
        );
        const agent = await bob.agent();
        (await bob.api.patch(`/agents/${agent.id}`, { datastoreIds: [datastoreId] })).assertError(
          'NOT_FOUND',
        );
      }
      const update = { id: ids.datasource, text: 'taken over' };
      (await bob.api.post(`/datastores/update/${own.id}`, update)).assertError('NOT_FOUND');

      await bob.text(own.id, 'Harbour pilots guide ships.');
      expect(await bob.search(own.id, 'harbour pilots')).toHaveLength(1);
      const filters = { datasource_ids: [ids.datasource] };
      expect(await bob.search(own.id, 'harbour pilots', { filters })).toEqual([]);
      for (const filter of ['datastoreId', 'groupId'] as const) {
        const listed = await bob.api.get(`/datasources?${filter}=${ids.datastore}`);
        expect(listed.json).toEqual([]);
      }
      expect((await bob.api.get(`/conversations?agentId=${ids.agent}`)).json).toEqual([]);
      expect((await bob.api.get(`/conversations?visitorId=${ids.visitor}`)).json).toEqual([]);
    });

    it('lists nothing of another organization', async () => {
      const { alice, bob } = fixture();
      const ids = Object.values(await oneOfEach(alice));
      for (const path of [
        '/agents',
        '/datastores',
        '/datasources',
        '/conversations',
        '/api-keys',
        '/evaluations',
      ]) {
        const { text } = await bob.api.get(`${path}?limit=100`);
        for (const id of ids) expect(text).not.toContain(id);
      }
    });

    it('answers for a malformed id as for an unknown one', async () => {
      const { alice } = fixture();
      for (const route of ROUTES.filter(hasIdInPath)) {
        for (const id of MALFORMED_IDS) {
          const ids = Object.fromEntries(Object.keys(UNKNOWN).map((name) => [name, id]));
          const answer = await send(alice.api, route, { ...UNKNOWN, ...ids });
          if (!(route.path.includes(':conversation') || route.path.includes(':visitor')))
            answer.assertError('NOT_FOUND');
          else expect([400, 404]).toContain(answer.status);
        }
      }
    });
  });
};

async function keyWith(tenant: Tenant, scopes: readonly string[]): Promise<string> {
  return (await tenant.api.post('/api-keys', { name: 'scoped', scopes })).as(apiKeyWithSecretSchema).key;
}

async function send(api: ApiClient, route: Route, ids: Ids): Promise<ApiResponse> {
  return ApiResponse.read(`${route.method} ${route.path}`, await openRoute(api, route, ids));
}

/** The error response as JSON, without the request id. */
function withoutId(response: ApiResponse, code: 'NOT_FOUND'): string {
  const { requestId: _, ...rest } = response.assertError(code);
  return JSON.stringify(rest);
}
