import { describe, expect, it } from '@jest/globals';
import { TenantScope } from '@citewell/database';
import { AUDITED_ROUTES, type AuditedRoute } from './audit-actions.js';
import { type AuditedRequest, changedFields, eventOf, refusalOf, textOf } from './audit-event.js';

const ORGANIZATION = 'o';
const KEY = { keyId: 'k', tenant: new TenantScope(ORGANIZATION) };
const ADA = {
  keyId: 'ada',
  tenant: new TenantScope(ORGANIZATION, { personId: 'ada', role: 'owner' }),
};
/** A token of a person: its key is not the person. */
const TOKEN = {
  keyId: 't',
  tenant: new TenantScope(ORGANIZATION, { personId: 'ada', role: 'member' }),
};

function request(fields: Partial<AuditedRequest> = {}): AuditedRequest {
  const none = { parameters: {}, body: undefined, input: undefined, caller: KEY };
  return { method: 'POST', pattern: '/api/x', address: '192.0.2.1', userAgent: 'curl', ...none, ...fields };
}
const routeOf = (name: string): AuditedRoute => AUDITED_ROUTES[name] as AuditedRoute;

describe('eventOf', () => {
  it.each([
    ['a key', KEY, { actorKind: 'key', actorId: 'k' }],
    ['a person', ADA, { actorKind: 'person', actorId: 'ada' }],
    ['a token of a person', TOKEN, { actorKind: 'person', actorId: 'ada' }],
    ['the operator', null, { actorKind: 'operator', actorId: null }],
  ])('names %s as the actor', (_, caller, actor) => {
    expect(eventOf(request({ caller }), { action: 'agent.created' }, null)).toMatchObject(actor);
  });

  const secretive = { email: 'eve@example.com', password: 'open sesame', role: 'owner' };
  it.each([
    ['values that are allowed', 'PATCH /people/:id', { role: 'owner' }, { fields: ['role'], role: 'owner' }],
    ['no other values', 'PATCH /profile', secretive, { fields: ['email', 'password', 'role'] }],
    [
      'no fields of a request that replaces all',
      'PUT /audit-events/retention',
      { retentionDays: 30 },
      { retentionDays: 30 },
    ],
    ['no field that only proves who somebody is', 'PATCH /profile', { currentPassword: 'x' }, { fields: [] }],
    [
      'no names of fields that no schema knows',
      'PATCH /agents/:id',
      { name: 'n', cw_secret: 1 },
      { fields: ['name'] },
    ],
    [
      'how many',
      'POST /datasources/batch',
      { datastoreId: 'd', items: [1, 2, 3] },
      { datastoreId: 'd', count: 3 },
    ],
    [
      'no text',
      'POST /datasources',
      { type: 'text', datastoreId: 'd', text: 'x' },
      { type: 'text', datastoreId: 'd' },
    ],
    ['lists', 'POST /api-keys', { name: 'n', scopes: ['read', 'write'] }, { scopes: ['read', 'write'] }],
    ['nothing of a body that is no object', 'POST /agents', 'text', {}],
    ['nothing of null', 'PATCH /agents/:id', null, { fields: [] }],
  ])('keeps %s', (_, name, body, details) => {
    const [method = ''] = name.split(' ');
    const known = typeof body === 'object' && body !== null ? { ...body } : body;
    if (typeof known === 'object' && known !== null && 'cw_secret' in known)
      delete (known as { cw_secret?: 1 }).cw_secret;
    expect(eventOf(request({ method, body, input: known }), routeOf(name), null).details).toEqual(details);
  });

  it.each([
    [
      'the answer',
      'DELETE /datastores/:id',
      { id: 'i' },
      { id: 'i', name: 'Manuals' },
      ['library', 'i', 'Manuals'],
    ],
    ['the path', 'DELETE /people/:id', { id: 'i' }, null, ['person', 'i', null]],
    [
      'an e-mail',
      'POST /people',
      {},
      { id: 'p', email: 'a@example.com', name: null },
      ['person', 'p', 'a@example.com'],
    ],
    [
      'the group of a member',
      'PUT /groups/:id/members/:personId',
      { id: 'g', personId: 'p' },
      { id: 'p', name: 'Ada' },
      ['group', 'g', null],
    ],
    ['a tool', 'POST /datasources', {}, { datasource_id: 'd' }, ['document', 'd', null]],
    ['many', 'POST /datasources/batch', {}, { items: [] }, ['document', null, null]],
    [
      'a visitor, of whom nothing stays',
      'DELETE /visitors/:id',
      { id: 'eve' },
      { id: 'eve' },
      ['visitor', null, null],
    ],
    [
      'the webhook of a delivery',
      'POST /webhooks/:id/deliveries/:delivery/replay',
      { id: 'w', delivery: 'd' },
      {},
      ['webhook', 'w', null],
    ],
  ])('takes the target from %s', (_, name, parameters, answer, expected) => {
    const { targetKind, targetId, targetName } = eventOf(request({ parameters }), routeOf(name), answer);
    expect([targetKind, targetId, targetName]).toEqual(expected);
  });
});

it('keeps what has changed, and the earlier values that are allowed', () => {
  const before = {
    name: 'A',
    description: 'x',
    visibility: 'private',
    systemPrompt: 'secret',
    datastoreIds: ['a', 'b'],
  };
  const input = {
    name: 'B',
    description: 'x',
    visibility: 'public',
    systemPrompt: 'other',
    datastoreIds: ['b', 'a'],
  };
  const change = request({ method: 'PATCH', parameters: { id: 'i' }, body: input, input, before });
  expect(eventOf(change, routeOf('PATCH /agents/:id'), null).details).toEqual({
    fields: ['name', 'visibility', 'systemPrompt'],
    previous: { name: 'A', visibility: 'private' },
    visibility: 'public',
  });
});

it.each([
  [{ name: 'A' }, { name: 'A' }, []],
  [{ name: 'A' }, { name: 'a' }, ['name']],
  [{ name: 'A' }, { name: null }, ['name']],
  [{ customId: null }, { customId: null }, []],
  [{}, { password: 'x' }, ['password']],
  [{ n: 1 }, { n: '1' }, ['n']],
  [{ events: ['a', 'b'] }, { events: ['b', 'a'] }, []],
  [{ events: ['a', 'b'] }, { events: ['a'] }, ['events']],
  [{ roles: [{ g: 1 }, { g: 2 }] }, { roles: [{ g: 2 }, { g: 1 }] }, ['roles']],
  [{ config: { schedule: 'daily', depth: 2 } }, { config: { schedule: 'weekly' } }, ['config.schedule']],
  [{ config: { schedule: 'daily' } }, { config: { schedule: 'daily' } }, []],
  [{ config: { a: 1 } }, { config: null }, ['config']],
])('changedFields of %j by %j', (before, sent, fields) =>
  expect(changedFields(before, sent)).toEqual(fields),
);

describe('refusalOf', () => {
  it.each([
    ['POST', '/api/agents', 'agent.created', {}],
    ['GET', '/api/people', 'request.refused', { route: 'GET /people' }],
  ])('of %s %s', (method, pattern, action, details) => {
    const route = AUDITED_ROUTES[`${method} ${pattern.slice(4)}`] ?? null;
    expect(refusalOf(request({ method, pattern }), route)).toMatchObject({
      action,
      outcome: 'refused',
      details,
    });
  });
});

it.each([
  ['a line', 'a line'],
  ['two\nlines\r\nand\0more\u001b[2J', 'two lines and more [2J'],
  ['a\ud800b', 'a\ufffdb'],
  ['x'.repeat(300), `${'x'.repeat(254)}…`],
  [`${'x'.repeat(253)}😀😀`, `${'x'.repeat(253)}\ufffd…`],
  ['', null],
  [undefined, null],
  [{}, null],
])('textOf %j', (value, expected) => expect(textOf(value)).toBe(expected));
