import { apiKeyWithSecretSchema, shareSchema } from '@citewell/contracts/schemas';
import { expect } from '@jest/globals';
import type { ApiClient } from '../client/api-client.js';
import { ApiResponse } from '../client/api-response.js';
import type { Tenant } from '../client/tenant.js';
import { UNKNOWN_ID } from './field-checks.js';
import { type Ids, pathTo, type Route } from './routes.js';

/** Ids of nothing. */
export const UNKNOWN: Ids = {
  agent: UNKNOWN_ID,
  datastore: UNKNOWN_ID,
  datasource: UNKNOWN_ID,
  conversation: 'nobody-s-conversation',
  share: UNKNOWN_ID,
  message: UNKNOWN_ID,
  visitor: 'nobody',
  key: UNKNOWN_ID,
  person: UNKNOWN_ID,
  group: UNKNOWN_ID,
  identityProvider: UNKNOWN_ID,
  evaluation: UNKNOWN_ID,
  webhook: UNKNOWN_ID,
  gap: UNKNOWN_ID,
};

/** Creates a resource of each kind. @param asker asks the question of the conversation */
export async function oneOfEach(tenant: Tenant, asker = tenant): Promise<Ids> {
  const datastore = await tenant.datastore();
  const agent = await tenant.agent({ datastoreIds: [datastore.id] });
  const datasource = await tenant.text(datastore.id, 'The lighthouse keeper counts the waves.', {
    custom_id: 'keeper',
  });
  const answer = await asker.ask(agent.id, 'Who counts the waves?');
  // An API key shares nothing.
  const shared = await asker.api.post(`/conversations/${answer.conversationId}/share`);
  const { visitorId } = await asker.ask(agent.id, 'Which waves?', { visitorId: `visitor-${agent.id}` });
  const key = (await tenant.api.post('/api-keys', { name: 'K', scopes: ['read'] })).as(
    apiKeyWithSecretSchema,
  );
  return {
    agent: agent.id,
    datastore: datastore.id,
    datasource: datasource.id,
    conversation: answer.conversationId,
    share: shared.status === 200 ? shareSchema.parse(shared.json).id : UNKNOWN_ID,
    message: answer.messageId,
    visitor: visitorId,
    key: key.id,
    person: (await tenant.invite('member')).id,
    group: (await tenant.group()).id,
    identityProvider: await tenant.identityProvider(),
    evaluation: (await tenant.evaluate({ datastoreId: datastore.id })).id,
    webhook: await tenant.webhook(),
    gap: await tenant.gap(datastore.id),
  };
}

/** Sends the request of a route. The caller reads the body. */
export function openRoute(api: ApiClient, route: Route, ids: Ids): Promise<Response> {
  const path = pathTo(route, ids);
  if (!route.form) return api.open(route.method, path, route.json ? { json: route.json(ids) } : {});
  const body = new FormData();
  body.append('file', new Blob(['taken over']), 'a.txt');
  return api.open(route.method, path, { body });
}

/** Sends the request of a route, and reads the answer. */
export async function sendRoute(api: ApiClient, route: Route, ids: Ids): Promise<ApiResponse> {
  return ApiResponse.read(`${route.method} ${route.path}`, await openRoute(api, route, ids));
}

/** Fails if a response has one of the secrets, in its body or headers. */
export function assertTellsNothing(response: ApiResponse, secrets: readonly string[]): void {
  const told = `${response.text}\n${JSON.stringify([...response.headers])}`.toLowerCase();
  const found = secrets.filter((secret) => told.includes(secret.toLowerCase()));
  expect([response.request, response.status, found]).toEqual([response.request, response.status, []]);
}

/** Of an error: the conversation of a person does not exist for a key. */
const REQUEST_ID = /"requestId":"[^"]*"/;

/** Texts of what the routes of {@link Ids} change, to see whether a refused request has changed something. */
export async function fingerprint(tenant: Tenant, ids: Ids): Promise<unknown> {
  const paths = [
    `/agents/${ids.agent}`,
    `/datastores/${ids.datastore}`,
    `/datasources?datastoreId=${ids.datastore}`,
    `/datasources/${ids.datasource}/text`,
    `/datasources/${ids.datasource}/runs`,
    `/conversations/${ids.conversation}`,
    '/api-keys?limit=100',
    '/people?limit=100',
    '/webhooks?limit=100',
    '/identity-providers',
  ];
  return Promise.all(
    paths.map(async (path) => [path, (await tenant.api.get(path)).text.replace(REQUEST_ID, '')]),
  );
}
