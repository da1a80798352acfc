import { connect } from 'node:net';
import { type AuditEvent, auditEventSchema } from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';

const PASSWORD = 'correct horse battery';

/** Who did what: the audit log. */
export const audit: SpecificationPart = (fixture) => {
  let tenant: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create(fixture().deployment, 'Audited');
    other = await Tenant.create(fixture().deployment, 'Other');
  });

  const read = async (query = '', of = tenant): Promise<AuditEvent[]> =>
    (await of.api.get(`/audit-events${query}`)).as(z.array(auditEventSchema.strict()));
  const last = async (query = ''): Promise<AuditEvent | undefined> => (await read(query))[0];

  describe('the audit log', () => {
    it('has an event as soon as a change is answered, in the order of the changes', async () => {
      const { id } = await tenant.datastore('Manuals');
      await tenant.api.call('PATCH', `/datastores/${id}`, { json: { name: 'Handbooks', description: '' } });
      (await tenant.api.call('DELETE', `/datastores/${id}`)).assertOk();
      const events = await read(`?target=${id}`);
      expect(events.map(({ action, target, details }) => [action, target?.name, details])).toEqual([
        ['library.deleted', 'Handbooks', {}],
        ['library.changed', 'Handbooks', { fields: ['name'], previous: { name: 'Manuals' } }],
        ['library.created', 'Manuals', {}],
      ]);
      expect(events[0]).toMatchObject({
        actor: { kind: 'key', id: expect.any(String), name: expect.any(String) },
        outcome: 'ok',
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
      });
      expect(await read('', other)).toHaveLength(1);
    });

    it('begins with the operator, who has created the organization', async () => {
      const [created] = await read('', other);
      expect(created).toMatchObject({
        actor: { kind: 'operator', id: null, name: null },
        action: 'organization.created',
        target: { kind: 'organization', id: other.organizationId, name: 'Other' },
      });
    });

    it('has no event of a change that failed, of questions, and of a repeated request', async () => {
      const { id } = await tenant.datastore('Store');
      const before = await last();
      (await tenant.api.call('DELETE', '/datastores/unknown')).assertError('NOT_FOUND');
      (await tenant.api.post('/datastores', { name: '' })).assertError('INVALID_REQUEST');
      (await tenant.api.post(`/datastores/${id}/query`, { query: 'secret question' })).assertOk();
      expect(await last()).toEqual(before);
      const key = { 'idempotency-key': `audit ${id}`.replaceAll(' ', '-') };
      const first = await tenant.api.post('/datastores', { name: 'Once' }, key);
      const second = await tenant.api.post('/datastores', { name: 'Once' }, key);
      expect(second.json).toEqual(first.json);
      expect(await read('?target=Once')).toHaveLength(1);
    });

    it('has one event of many documents', async () => {
      const { id } = await tenant.datastore('Many');
      const items = ['a', '', 'b', 'c'].map((text) => ({ type: 'text', text }));
      (await tenant.api.post('/datasources/batch', { datastoreId: id, items })).assertOk();
      expect(await last()).toMatchObject({
        action: 'document.added',
        target: { kind: 'document', id: null, name: null },
        details: { count: 3, datastoreId: id, names: { [id]: 'Many' } },
      });
    });

    it('has documents that a tool of MCP has added', async () => {
      await tenant.datastore('Of tools');
      const call = { name: 'add_text', arguments: { datastore: 'Of tools', name: 'Note', text: 'private' } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
      const { origin } = new URL(tenant.api.baseUrl);
      const response = await fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.api.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
      });
      expect(response.status).toBe(200);
      expect(await last()).toMatchObject({ action: 'document.added', target: { kind: 'document' } });
    });

    it('has sign-ins, sign-outs and failed sign-ins of people, and no password', async () => {
      const invited = await tenant.invite('owner');
      const browser = new BrowserSession(tenant.api.baseUrl);
      const headers = { token: invited.token, password: PASSWORD, name: 'Ada\u202e' };
      (await browser.call('POST', '/session', headers)).assertOk();
      (
        await browser.call('PATCH', '/profile', { password: `${PASSWORD} 2`, currentPassword: PASSWORD })
      ).assertOk();
      (await browser.call('DELETE', '/session')).assertOk();
      const stranger = new BrowserSession(tenant.api.baseUrl);
      const wrong = { email: ` ${(invited.email ?? '').toUpperCase()}`, password: 'wrong wrong wrong' };
      (await stranger.call('POST', '/session', wrong)).assertError('UNAUTHORIZED');
      await until(
        async () => (await read('?outcome=refused')).length > 0,
        'the failed sign-in to be written',
      );
      const events = await read(`?action=session`);
      expect(
        events.map(({ actor, outcome, target, address }) => [actor.id, outcome, target?.id, address]),
      ).toEqual(
        [
          [null, 'refused', invited.id, stranger.address],
          [invited.id, 'ok', undefined, browser.address],
          [invited.id, 'ok', undefined, browser.address],
        ].map(([id, outcome, target, address]) => [id, outcome, target ?? null, address]),
      );
      expect((await last('?action=profile'))?.details).toEqual({ fields: ['password'] });
      expect(JSON.stringify(await read())).not.toContain('horse');
      expect(JSON.stringify(await read())).not.toContain('wrong wrong');
    });

    it('has refusals for lack of rights, twenty an hour of one caller', async () => {
      const created = await tenant.api.post('/api-keys', { name: 'Reader', scopes: ['read'] });
      const { id, key } = created.as(z.object({ id: z.string(), key: z.string() }));
      const reader = tenant.api.with(key);
      (await reader.get('/people')).assertError('FORBIDDEN');
      for (let n = 0; n < 25; n += 1)
        (await reader.post('/datastores', { name: 'no' })).assertError('FORBIDDEN');
      await until(async () => (await read(`?actor=${id}`)).length === 20, '20 refusals to be written');
      const events = await read(`?actor=${id}`);
      expect(events.at(-1)).toMatchObject({
        action: 'request.refused',
        outcome: 'refused',
        details: { route: 'GET /people' },
        actor: { kind: 'key', id, name: 'Reader' },
      });
      expect(events[0]).toMatchObject({ action: 'library.created', outcome: 'refused' });
      expect(JSON.stringify(await read())).not.toContain(key);
    });

    it('has the event of a client that does not wait', async () => {
      const body = JSON.stringify({ name: 'Left alone' });
      const { hostname, port, pathname } = new URL(tenant.api.baseUrl);
      const socket = connect(Number(port), hostname);
      const head = [
        `POST ${pathname}/datastores HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Bearer ${tenant.api.key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
      await until(async () => (await read('?target=Left alone')).length === 1, 'the event to be written');
    });

    it('is exported as JSON lines, which is an event, too', async () => {
      const response = await tenant.api.get('/exports/audit-events');
      expect(response.header('content-type')).toBe('application/x-ndjson; charset=utf-8');
      const lines = response.text
        .trimEnd()
        .split('\n')
        .map((line) => auditEventSchema.strict().parse(JSON.parse(line)));
      expect(lines[0]).toMatchObject({ action: 'audit.exported' });
      expect(lines).toEqual(await read('?limit=100'));
      (await tenant.api.get('/exports/conversations')).assertOk();
      expect(await last()).toMatchObject({ action: 'conversation.exported' });
    });

    it('is kept as long as the organization wants', async () => {
      const path = '/audit-events/retention';
      expect((await tenant.api.get(path)).json).toEqual({ retentionDays: 365 });
      (await tenant.api.put(path, { retentionDays: 29 })).assertError('INVALID_REQUEST');
      expect((await tenant.api.put(path, { retentionDays: 30 })).json).toEqual({ retentionDays: 30 });
      expect((await other.api.get(path)).json).toEqual({ retentionDays: 365 });
      expect(await last()).toMatchObject({
        action: 'audit.retention_changed',
        details: { retentionDays: 30 },
      });
    });

    it.each(['?from=2026-01-01', '?from=yesterday', '?outcome=maybe', '?limit=0', '?actor=', '?unknown=1'])(
      'refuses %s',
      async (query) => {
        (await tenant.api.get(`/audit-events${query}`)).assertError('INVALID_REQUEST');
      },
    );

    it('cannot be changed', async () => {
      const [event] = await read();
      for (const method of ['PATCH', 'PUT', 'DELETE'])
        expect((await tenant.api.call(method, `/audit-events/${event?.id}`)).status).toBe(404);
    });
  });
};
