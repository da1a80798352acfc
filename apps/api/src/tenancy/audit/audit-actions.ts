import type { AuditAction } from '@citewell/contracts/schemas';

/** What the audit log says about a route. */
export interface AuditedRoute {
  /** A stable word. Its first part is the kind of the target. Also a tool that was refused, or a route without an entry. */
  action: AuditAction | `tool.${string}` | `request.${string}`;
  /** Parameter of the path that identifies the target. Default: the last one. */
  parameter?: string;
  /** Fields of the request, or parameters of the path, whose values are kept. None of them may contain a secret, a question or a text. */
  values?: readonly string[];
  /** A list of the response or, if that has none, of the request. Its items without an error are counted. */
  counts?: string;
  /** Clients send many of these one by one, so their responses do not wait for the event. */
  isFrequent?: true;
  /** The target is not named: nothing of it may stay, or the path does not have it. */
  isNameless?: true;
}

const route = (action: AuditAction, more: Omit<AuditedRoute, 'action'> = {}): AuditedRoute => ({
  action,
  ...more,
});

/** The group is the target, and the person a value. */
const MEMBER = { parameter: 'id', values: ['personId'] };

const AGENT = { values: ['visibility', 'datastoreIds'] };

/** The choice or test of a model. Addresses and keys are left out. */
const MODEL = { values: ['name', 'provider', 'model'] };

/** Who gets in by an identity provider. Addresses and secrets are left out. */
const PROVIDER = { values: ['emailDomains', 'defaultRole'] };

/**
 * The audited routes, without the prefix `/api`. Null: a route that changes nothing of the organization, whatever its
 * method, such as a question. A test requires an entry for each route that is not read-only.
 */
export const AUDITED_ROUTES: Readonly<Record<string, AuditedRoute | null>> = {
  'POST /agents': route('agent.created', AGENT),
  'PATCH /agents/:id': route('agent.changed', AGENT),
  'DELETE /agents/:id': route('agent.deleted'),
  'POST /agents/:id/query': null,
  'POST /agents/:id/answers/:messageId/stream': null,
  'POST /agents/:id/answers/:messageId/stop': null,

  'POST /datastores': route('library.created'),
  'PATCH /datastores/:id': route('library.changed'),
  'DELETE /datastores/:id': route('library.deleted'),
  'PUT /datastores/:id/readers': route('library.readers_changed', {
    values: ['everyone', 'people', 'groups'],
  }),
  'POST /datastores/:id/query': null,
  'POST /datastores/:id/explain': null,
  'POST /datasources/:id/tables/:number/rows': null,

  'POST /datasources': route('document.added', { values: ['type', 'datastoreId'], isFrequent: true }),
  'POST /datasources/batch': route('document.added', { values: ['datastoreId'], counts: 'items' }),
  'PATCH /datasources/:id': route('document.changed'),
  'PUT /datasources/:id/file': route('document.replaced', { isFrequent: true }),
  'DELETE /datasources/:id': route('document.deleted', { isFrequent: true }),
  'POST /datasources/:id/sync': route('document.synchronized'),
  'POST /datasources/:id/cancel': route('document.cancelled'),
  'POST /datastores/update/:datastoreId': route('document.changed', { isFrequent: true }),
  'POST /datastores/upsert/:datastoreId': route('document.added', { counts: 'documents' }),
  'POST /external/datastores/file-upload/:datastoreId': route('document.added', { isFrequent: true }),
  'POST /sites/preview': null,
  'POST /sources/check': null,

  'PATCH /conversations/:id': null,
  'POST /conversations/:id/share': route('conversation.shared'),
  'DELETE /conversations/:id/share': route('conversation.unshared'),
  'DELETE /conversations/:id': route('conversation.deleted'),
  'POST /conversations/:id/messages/:messageId/feedback': null,
  'PATCH /gaps/:id': route('gap.changed', { values: ['answered'] }),
  'GET /exports/conversations': route('conversation.exported'),
  'DELETE /visitors/:id': route('visitor.erased', { isNameless: true }),

  'POST /api-keys': route('key.created', { values: ['scopes', 'expiresAt', 'agentId'] }),
  'DELETE /api-keys/:id': route('key.deleted'),
  'POST /tokens': route('token.created', { values: ['scopes', 'expiresInDays'] }),
  'DELETE /tokens/:id': route('token.deleted'),
  'POST /people': route('person.invited', { values: ['role', 'expiresInDays'] }),
  'POST /people/:id/link': route('person.link_created', { values: ['expiresInDays'] }),
  'PATCH /people/:id': route('person.changed', { values: ['role'] }),
  'DELETE /people/:id': route('person.removed'),
  'POST /groups': route('group.created'),
  'PATCH /groups/:id': route('group.changed'),
  'DELETE /groups/:id': route('group.deleted'),
  'PUT /groups/:id/members/:personId': route('group.member_added', MEMBER),
  'DELETE /groups/:id/members/:personId': route('group.member_removed', MEMBER),
  'POST /session': route('session.started'),
  'POST /session/organization': route('session.started'),
  'POST /session/providers': null,
  'GET /session/oidc/:id/callback': route('session.started', { isNameless: true }),
  'POST /password-resets': null,
  'DELETE /session': route('session.ended'),
  'DELETE /sessions/:id': route('session.ended'),
  'PATCH /profile': route('profile.changed'),
  'POST /passkeys': route('passkey.created'),
  'POST /passkeys/challenge': null,
  'POST /passkeys/registration': null,
  'DELETE /passkeys/:id': route('passkey.deleted'),

  'POST /identity-providers': route('identity_provider.created', PROVIDER),
  'PATCH /identity-providers/:id': route('identity_provider.changed', PROVIDER),
  'DELETE /identity-providers/:id': route('identity_provider.deleted'),
  'POST /identity-providers/:id/test': route('identity_provider.tested'),

  'PUT /models/embedding': route('model.embedding_chosen', MODEL),
  'PUT /models/embedding/server': route('model.embedding_chosen', MODEL),
  'POST /models/embedding/test': route('model.embedding_tested', MODEL),
  'PUT /models/pictures': route('model.pictures_chosen', MODEL),
  'DELETE /models/pictures': route('model.pictures_removed'),
  'POST /models/pictures/test': route('model.pictures_tested', MODEL),
  'PUT /models/rerank': route('model.rerank_chosen', MODEL),
  'DELETE /models/rerank': route('model.rerank_removed'),
  'POST /models/rerank/test': route('model.rerank_tested', MODEL),
  'PUT /models/chat': route('model.chat_chosen', MODEL),
  'DELETE /models/chat': route('model.chat_removed'),
  'POST /models/chat/test': route('model.chat_tested', MODEL),
  'PUT /models/chat/own': route('model.own_chat_chosen', MODEL),
  'DELETE /models/chat/own': route('model.own_chat_removed'),
  'POST /models/chat/own/test': route('model.own_chat_tested', MODEL),
  'PUT /models/recognition/:id': route('model.language_added'),
  'DELETE /models/recognition/:id': route('model.language_removed'),
  'POST /models/test': route('model.tested', { values: ['kind', 'modelName'] }),

  'POST /evaluations': route('evaluation.created', { counts: 'questions' }),
  'DELETE /evaluations/:id': route('evaluation.deleted'),

  'POST /webhooks': route('webhook.created', { values: ['events'] }),
  'PATCH /webhooks/:id': route('webhook.changed', { values: ['events', 'enabled'] }),
  'DELETE /webhooks/:id': route('webhook.deleted'),
  'POST /webhooks/:id/secret': route('webhook.secret_rotated'),
  'POST /webhooks/:id/test': route('webhook.tested'),
  'POST /webhooks/:id/replay': route('webhook.replayed'),
  'POST /webhooks/:id/deliveries/:delivery/replay': route('webhook.replayed', { parameter: 'id' }),

  'PATCH /organization': route('organization.changed', {
    values: ['ownersReadConversations', 'weeklyGapMail'],
  }),
  'POST /organizations': route('organization.created'),
  'DELETE /organizations/:id': route('organization.deleted'),
  'PUT /usage/prices': route('usage.prices_changed', { values: ['currency'] }),
  'PUT /usage/budgets': route('usage.budgets_changed', { counts: 'budgets' }),
  'GET /exports/audit-events': route('audit.exported'),
  'PUT /audit-events/retention': route('audit.retention_changed', { values: ['retentionDays'] }),

  // SCIM names the activation of a person itself.
  'POST /scim/v2/Users': route('person.added'),
  'PUT /scim/v2/Users/:id': route('person.changed'),
  'PATCH /scim/v2/Users/:id': route('person.changed'),
  'DELETE /scim/v2/Users/:id': route('person.removed'),
  'POST /scim/v2/Groups': route('group.created'),
  'PUT /scim/v2/Groups/:id': route('group.changed'),
  'PATCH /scim/v2/Groups/:id': route('group.changed'),
  'DELETE /scim/v2/Groups/:id': route('group.deleted'),

  // The interfaces of others. A tool that changes something names its action itself.
  'POST /v1/chat/completions': null,
  'POST /v1/vector_stores/:id/search': null,
  'POST /mcp': null,
  'DELETE /mcp': null,
};

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the entry of a route. A changing route without one is audited under its own name, so that nothing is lost. */
export function auditedRoute(method: string, pattern: string | undefined): AuditedRoute | null {
  if (pattern === undefined) return null;
  const name = routeName(method, pattern);
  const known = Object.hasOwn(AUDITED_ROUTES, name) ? AUDITED_ROUTES[name] : undefined;
  if (known !== undefined) return known;
  return READS.has(method) ? null : { action: `request.${name}` };
}

/** Settings that the dashboard reads to learn whether they are for this organization. The refusal is the answer. */
const OFFERS: ReadonlySet<string> = new Set(
  ['chat', 'chat/own', 'embedding', 'pictures', 'recognition', 'rerank'].map((kind) => `GET /models/${kind}`),
);

/** Whether a caller with all scopes asks what is offered, which is no attempt to do something without the right. */
export function asksWhatIsOffered(
  method: string,
  pattern: string | undefined,
  scopes: ReadonlySet<string>,
): boolean {
  return pattern !== undefined && scopes.has('admin') && OFFERS.has(routeName(method, pattern));
}

/** The name of a route in {@link AUDITED_ROUTES}. */
export function routeName(method: string, pattern: string): string {
  return `${method} ${pattern.replace(/^\/api(?=\/)/, '')}`;
}
