import { randomUUID } from 'node:crypto';
import type { Scope } from '@citewell/contracts/schemas';

/** One id of each kind of resource, all of one organization. */
export interface Ids {
  agent: string;
  datastore: string;
  datasource: string;
  conversation: string;
  /** The link of the conversation, if a person has shared it. */
  share: string;
  message: string;
  visitor: string;
  key: string;
  person: string;
  group: string;
  identityProvider: string;
  evaluation: string;
  webhook: string;
  gap: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the API's base URL. `:name` is replaced from {@link Ids}. */
  path: string;
  scope: Scope;
  /** The scope that people need in place of `scope`, for what is their own. */
  peopleNeed?: Scope;
  json?: (ids: Ids) => unknown;
  /** The body is multipart instead of JSON. */
  form?: true;
  /** The route is in section 4 of the API specification: it ignores unknown fields. */
  isLenient?: true;
  /** Only the key is read from the database, and it may be cached. */
  needsNoRows?: true;
  /** A publishable key of the agent may use the route. */
  isOpenToPublishableKeys?: true;
  /** A publishable key needs the token of the visitor, too: answers of others do not exist for it. */
  needsVisitorToken?: true;
}

/** Every endpoint that takes an organization's API key. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/agents', scope: 'write', json: () => ({ name: 'A' }) },
  { method: 'GET', path: '/agents', scope: 'read' },
  { method: 'GET', path: '/agents/:agent', scope: 'read' },
  { method: 'GET', path: '/agents/:agent/profile', scope: 'read', isOpenToPublishableKeys: true },
  {
    method: 'PATCH',
    path: '/agents/:agent',
    scope: 'write',
    json: () => ({ name: 'taken over' }),
    isLenient: true,
  },
  {
    method: 'POST',
    path: '/agents/:agent/query',
    scope: 'agents:query',
    json: () => ({ query: 'hello' }),
    isLenient: true,
    isOpenToPublishableKeys: true,
  },
  {
    method: 'GET',
    path: '/agents/:agent/answers/:message/stream',
    scope: 'agents:query',
    isOpenToPublishableKeys: true,
    needsVisitorToken: true,
  },
  {
    method: 'POST',
    path: '/agents/:agent/answers/:message/stream',
    scope: 'agents:query',
    isOpenToPublishableKeys: true,
    needsVisitorToken: true,
  },
  {
    method: 'POST',
    path: '/agents/:agent/answers/:message/stop',
    scope: 'agents:query',
    isOpenToPublishableKeys: true,
    needsVisitorToken: true,
  },
  { method: 'POST', path: '/datastores', scope: 'write', json: () => ({ name: 'D' }) },
  { method: 'GET', path: '/datastores', scope: 'read' },
  { method: 'GET', path: '/datastores/:datastore', scope: 'read' },
  { method: 'GET', path: '/datastores/:datastore/progress', scope: 'read' },
  { method: 'GET', path: '/datastores/:datastore/changes', scope: 'read' },
  { method: 'GET', path: '/datastores/:datastore/readers', scope: 'write' },
  {
    method: 'PUT',
    path: '/datastores/:datastore/readers',
    scope: 'write',
    json: () => ({ everyone: true }),
  },
  { method: 'GET', path: '/readers', scope: 'write' },
  {
    method: 'PATCH',
    path: '/datastores/:datastore',
    scope: 'write',
    json: () => ({ name: 'taken over' }),
    isLenient: true,
  },
  {
    method: 'POST',
    path: '/datastores/:datastore/query',
    scope: 'datastores:query',
    json: () => ({ query: 'hello' }),
    isLenient: true,
  },
  {
    method: 'POST',
    path: '/datastores/:datastore/explain',
    scope: 'datastores:query',
    json: () => ({ query: 'hello' }),
  },
  {
    method: 'POST',
    path: '/datasources',
    scope: 'write',
    json: ({ datastore }) => ({ type: 'text', datastoreId: datastore, text: 'taken over' }),
    isLenient: true,
  },
  {
    method: 'POST',
    path: '/datasources/batch',
    scope: 'write',
    json: ({ datastore }) => ({ datastoreId: datastore, items: [{ type: 'text', text: 'taken over' }] }),
  },
  { method: 'GET', path: '/datasources', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource', scope: 'read' },
  { method: 'PATCH', path: '/datasources/:datasource', scope: 'write', json: () => ({ name: 'taken over' }) },
  { method: 'POST', path: '/datasources/:datasource/sync', scope: 'write' },
  { method: 'POST', path: '/datasources/:datasource/cancel', scope: 'write' },
  { method: 'GET', path: '/datasources/:datasource/text', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource/tables', scope: 'read' },
  {
    method: 'POST',
    path: '/datasources/:datasource/tables/:table/rows',
    scope: 'read',
    json: () => ({ limit: 5 }),
  },
  { method: 'GET', path: '/datasources/:datasource/file', scope: 'read' },
  { method: 'PUT', path: '/datasources/:datasource/file', scope: 'write', form: true },
  { method: 'GET', path: '/datasources/:datasource/chunks', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource/runs', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource/urls', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource/documents', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource/pages/:page', scope: 'read' },
  { method: 'GET', path: '/datasources/:datasource/events', scope: 'read' },
  {
    method: 'POST',
    path: '/datastores/update/:datastore',
    scope: 'write',
    json: ({ datasource }) => ({ id: datasource, text: 'taken over' }),
    isLenient: true,
  },
  {
    method: 'POST',
    path: '/datastores/upsert/:datastore',
    scope: 'write',
    json: () => ({ documents: [{ text: 'taken over' }] }),
    isLenient: true,
  },
  { method: 'POST', path: '/external/datastores/file-upload/:datastore', scope: 'write', form: true },
  { method: 'GET', path: '/sources/kinds', scope: 'write', needsNoRows: true },
  {
    method: 'POST',
    path: '/sources/check',
    scope: 'write',
    needsNoRows: true,
    json: () => ({ config: { kind: 'folder', folder: '/nowhere' } }),
  },
  {
    method: 'POST',
    path: '/sites/preview',
    scope: 'write',
    json: () => ({ config: { source_url: 'https://example.invalid/' } }),
  },
  { method: 'GET', path: '/conversations', scope: 'read' },
  { method: 'GET', path: '/exports/conversations', scope: 'read' },
  { method: 'GET', path: '/feedback', scope: 'admin' },
  { method: 'GET', path: '/gaps', scope: 'admin' },
  { method: 'PATCH', path: '/gaps/:gap', scope: 'admin', json: () => ({ answered: true }) },
  { method: 'GET', path: '/organization', scope: 'read' },
  {
    method: 'PATCH',
    path: '/organization',
    scope: 'admin',
    json: () => ({ ownersReadConversations: false }),
  },
  { method: 'GET', path: '/conversations/:conversation', scope: 'read' },
  {
    method: 'PATCH',
    path: '/conversations/:conversation',
    scope: 'agents:query',
    json: () => ({ title: 'taken over' }),
  },
  { method: 'POST', path: '/conversations/:conversation/share', scope: 'agents:query' },
  { method: 'GET', path: '/shared-conversations/:share', scope: 'read', needsNoRows: true },
  {
    method: 'POST',
    path: '/conversations/:conversation/messages/:message/feedback',
    scope: 'agents:query',
    json: () => ({ rating: 'good' }),
  },
  {
    method: 'POST',
    path: '/api-keys',
    scope: 'admin',
    json: () => ({ name: 'K', scopes: ['read'] }),
  },
  { method: 'GET', path: '/api-keys', scope: 'admin' },
  {
    method: 'POST',
    path: '/people',
    scope: 'admin',
    json: () => ({ email: `${randomUUID()}@example.com`, role: 'member' }),
  },
  { method: 'GET', path: '/people', scope: 'admin' },
  { method: 'POST', path: '/people/:person/link', scope: 'admin', json: () => ({}) },
  { method: 'PATCH', path: '/people/:person', scope: 'admin', json: () => ({ role: 'owner' }) },
  { method: 'POST', path: '/groups', scope: 'admin', json: () => ({ name: randomUUID() }) },
  { method: 'GET', path: '/groups', scope: 'admin' },
  { method: 'GET', path: '/groups/:group', scope: 'admin' },
  { method: 'PATCH', path: '/groups/:group', scope: 'admin', json: () => ({ name: randomUUID() }) },
  { method: 'GET', path: '/groups/:group/members', scope: 'admin' },
  { method: 'PUT', path: '/groups/:group/members/:person', scope: 'admin' },
  {
    method: 'POST',
    path: '/identity-providers',
    scope: 'admin',
    json: () => ({ name: 'P', issuer: 'https://93.184.216.34/' }),
  },
  { method: 'GET', path: '/identity-providers', scope: 'admin' },
  { method: 'GET', path: '/identity-providers/:identityProvider', scope: 'admin' },
  {
    method: 'PATCH',
    path: '/identity-providers/:identityProvider',
    scope: 'admin',
    json: () => ({ name: 'taken over' }),
  },
  { method: 'POST', path: '/identity-providers/:identityProvider/test', scope: 'admin' },
  { method: 'GET', path: '/usage', scope: 'read' },
  { method: 'GET', path: '/usage/history', scope: 'read' },
  { method: 'GET', path: '/usage/breakdown', scope: 'admin' },
  { method: 'GET', path: '/usage/prices', scope: 'admin' },
  { method: 'PUT', path: '/usage/prices', scope: 'admin', json: () => ({ currency: 'EUR', models: [] }) },
  { method: 'GET', path: '/usage/budgets', scope: 'admin' },
  { method: 'PUT', path: '/usage/budgets', scope: 'admin', json: () => ({ budgets: [] }) },
  { method: 'GET', path: '/audit-events', scope: 'admin' },
  { method: 'GET', path: '/exports/audit-events', scope: 'admin' },
  { method: 'GET', path: '/audit-events/retention', scope: 'admin' },
  { method: 'PUT', path: '/audit-events/retention', scope: 'admin', json: () => ({ retentionDays: 365 }) },
  { method: 'GET', path: '/models', scope: 'admin', needsNoRows: true },
  { method: 'GET', path: '/models/embedding', scope: 'admin' },
  { method: 'PUT', path: '/models/embedding', scope: 'admin', json: () => ({ name: 'builtin' }) },
  {
    method: 'PUT',
    path: '/models/embedding/server',
    scope: 'admin',
    json: () => ({ provider: 'ollama', model: 'm', test: false }),
  },
  {
    method: 'POST',
    path: '/models/embedding/test',
    scope: 'admin',
    json: () => ({ provider: 'ollama', model: 'm' }),
  },
  { method: 'GET', path: '/models/recognition', scope: 'admin' },
  { method: 'PUT', path: '/models/recognition/:language', scope: 'admin' },
  { method: 'DELETE', path: '/models/recognition/:language', scope: 'admin' },
  { method: 'GET', path: '/models/pictures', scope: 'admin' },
  {
    method: 'PUT',
    path: '/models/pictures',
    scope: 'admin',
    json: () => ({ provider: 'openai', model: 'test-chat' }),
  },
  {
    method: 'POST',
    path: '/models/pictures/test',
    scope: 'admin',
    json: () => ({ provider: 'openai', model: 'test-chat' }),
  },
  { method: 'DELETE', path: '/models/pictures', scope: 'admin' },
  { method: 'GET', path: '/models/rerank', scope: 'admin' },
  { method: 'PUT', path: '/models/rerank', scope: 'admin', json: () => ({ provider: 'chat' }) },
  { method: 'POST', path: '/models/rerank/test', scope: 'admin', json: () => ({ provider: 'chat' }) },
  { method: 'DELETE', path: '/models/rerank', scope: 'admin' },
  { method: 'GET', path: '/models/chat', scope: 'admin' },
  {
    method: 'PUT',
    path: '/models/chat',
    scope: 'admin',
    json: () => ({ provider: 'ollama', model: 'm', test: false }),
  },
  {
    method: 'POST',
    path: '/models/chat/test',
    scope: 'admin',
    json: () => ({ provider: 'ollama', model: 'm' }),
  },
  { method: 'DELETE', path: '/models/chat', scope: 'admin' },
  { method: 'GET', path: '/models/chat/own', scope: 'admin', needsNoRows: true },
  {
    method: 'PUT',
    path: '/models/chat/own',
    scope: 'admin',
    json: () => ({ provider: 'openai', model: 'm', apiKey: 'k', test: false }),
    needsNoRows: true,
  },
  {
    method: 'POST',
    path: '/models/chat/own/test',
    scope: 'admin',
    json: () => ({ provider: 'openai', model: 'm', apiKey: 'k' }),
    needsNoRows: true,
  },
  { method: 'DELETE', path: '/models/chat/own', scope: 'admin', needsNoRows: true },
  {
    method: 'POST',
    path: '/models/test',
    scope: 'admin',
    json: () => ({ kind: 'embedding' }),
    needsNoRows: true,
  },
  { method: 'GET', path: '/health-report', scope: 'admin' },
  {
    method: 'POST',
    path: '/evaluations',
    scope: 'write',
    json: ({ datastore }) => ({
      configuration: { datastoreId: datastore },
      questions: [{ question: 'hello', answerable: false }],
    }),
  },
  { method: 'GET', path: '/evaluations', scope: 'read' },
  { method: 'GET', path: '/evaluations/:evaluation', scope: 'read' },
  { method: 'GET', path: '/evaluations/:evaluation/report', scope: 'read' },
  { method: 'DELETE', path: '/evaluations/:evaluation', scope: 'write' },
  {
    method: 'POST',
    path: '/webhooks',
    scope: 'admin',
    json: () => ({ url: 'https://192.0.2.1/', events: ['usage.limit_reached'] }),
    needsNoRows: true,
  },
  { method: 'GET', path: '/webhooks', scope: 'admin' },
  { method: 'GET', path: '/webhooks/:webhook', scope: 'admin' },
  { method: 'PATCH', path: '/webhooks/:webhook', scope: 'admin', json: () => ({ enabled: false }) },
  { method: 'POST', path: '/webhooks/:webhook/secret', scope: 'admin' },
  { method: 'POST', path: '/webhooks/:webhook/test', scope: 'admin' },
  {
    method: 'POST',
    path: '/webhooks/:webhook/replay',
    scope: 'admin',
    json: () => ({ since: '2026-01-01T00:00:00Z' }),
  },
  { method: 'GET', path: '/webhooks/:webhook/deliveries', scope: 'admin' },
  { method: 'POST', path: '/webhooks/:webhook/deliveries/:message/replay', scope: 'admin' },
  // Last, because they delete the resources that the other routes use.
  { method: 'DELETE', path: '/conversations/:conversation/share', scope: 'agents:query' },
  { method: 'DELETE', path: '/conversations/:conversation', scope: 'write', peopleNeed: 'agents:query' },
  { method: 'DELETE', path: '/visitors/:visitor', scope: 'write' },
  { method: 'DELETE', path: '/datasources/:datasource', scope: 'write' },
  { method: 'DELETE', path: '/agents/:agent', scope: 'write' },
  { method: 'DELETE', path: '/datastores/:datastore', scope: 'write' },
  { method: 'DELETE', path: '/webhooks/:webhook', scope: 'admin' },
  { method: 'DELETE', path: '/groups/:group/members/:person', scope: 'admin' },
  { method: 'DELETE', path: '/groups/:group', scope: 'admin' },
  { method: 'DELETE', path: '/identity-providers/:identityProvider', scope: 'admin' },
  { method: 'DELETE', path: '/people/:person', scope: 'admin' },
  { method: 'DELETE', path: '/api-keys/:key', scope: 'admin' },
];

/** What the routes of parts are asked for. The document of the tests has no pages and no tables. */
const PARTS: Readonly<Record<string, string>> = { page: '1', table: '1', language: 'none' };

/** Whether the path of a route contains the id of a resource. */
export function hasIdInPath({ path }: Route): boolean {
  return namesOf(path).some((name) => !(name in PARTS));
}

/** Whether the route is about a part of a document that the document of the tests does not have. */
export function isOfMissingPart({ path }: Route): boolean {
  return namesOf(path).some((name) => name === 'page' || name === 'table');
}

/** The path with the ids filled in, percent-encoded. */
export function pathTo({ path }: Pick<Route, 'path'>, ids: Ids): string {
  const values = new Map(Object.entries({ ...PARTS, ...ids }));
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

function namesOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
