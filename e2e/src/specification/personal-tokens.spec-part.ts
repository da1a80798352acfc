import {
  apiKeySchema,
  sessionSchema,
  tokenSchema,
  type TokenWithSecret,
  tokenWithSecretSchema,
} from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { join, type Member } from '../client/join.js';
import { Tenant, until } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';
import { NON_STRINGS, assertEachRefused } from './field-checks.js';

/** How soon a changed role or a removal takes effect. */
const EFFECTIVE_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

/** Tokens with which programs act for people. */
export const personalTokens: SpecificationPart = (fixture) => {
  describe('a personal access token', () => {
    let tenant: Tenant;
    let editor: Member;
    beforeAll(async () => {
      tenant = await Tenant.create(fixture().deployment, 'Tokens');
      editor = await join(tenant, 'editor');
    });

    async function create(person: Tenant, fields: object = {}): Promise<TokenWithSecret & { as: Tenant }> {
      const body = { name: 'Laptop', scopes: ['agents:query', 'read'], ...fields };
      const created = (await person.api.post('/tokens', body)).as(tokenWithSecretSchema.strict());
      return { ...created, as: new Tenant(new ApiClient(tenant.api.baseUrl, created.token), '') };
    }

    it('is shown once, listed without its secret, and expires after the days that are chosen', async () => {
      const { token, as: _, ...created } = await create(editor);
      const daysUntil = (instant: string) => Math.round((Date.parse(instant) - Date.now()) / DAY_MS);
      expect(daysUntil(created.expiresAt)).toBe(90);
      const listed = (await editor.api.get('/tokens')).as(z.array(tokenSchema.strict()));
      expect(listed).toContainEqual(created);
      expect(JSON.stringify(listed)).not.toContain(token);
      const { expiresAt } = await create(editor, { expiresInDays: 365 });
      expect(daysUntil(expiresAt)).toBe(365);
      const valid = { name: 'x', scopes: ['read'] };
      await assertEachRefused(editor.api, 'POST', '/tokens', valid, {
        name: ['', 'a\nb', 'x'.repeat(256), undefined, ...NON_STRINGS],
        scopes: [[], ['admin'], ['read', 'admin'], ['publishable'], ['x'], 'read', undefined],
        expiresInDays: [0, -1, 366, 1.5, '7'],
      });
    });

    it('sees what its person sees, and has no other scopes', async () => {
      const agent = await tenant.agent();
      const { as: program } = await create(editor);
      const own = await editor.ask(agent.id, 'Mine?');
      const begun = await program.ask(agent.id, 'From a program?', { conversationId: own.conversationId });
      expect(begun.visitorId).toBe(own.visitorId);
      const other = await join(tenant, 'member');
      const foreign = await other.ask(agent.id, 'Of another person?');
      (await program.api.get(`/conversations/${foreign.conversationId}`)).assertError('NOT_FOUND');
      (await program.api.get(`/conversations/${own.conversationId}`)).assertOk();
      (await program.api.post('/agents', { name: 'x' })).assertError('FORBIDDEN');
      (await program.api.get('/api-keys')).assertError('FORBIDDEN');
      const { scopes, person } = (await program.api.get('/session')).as(sessionSchema);
      expect([scopes, person]).toEqual([['agents:query', 'read'], null]);
      // The other interfaces take it, too.
      const root = new ApiClient(fixture().deployment.origin, program.api.key);
      (await root.get('/v1/models')).assertOk();
    });

    it('is no session: it changes no profile, ends no session, makes no token, and does not sign in', async () => {
      const { as: program, token, id } = await create(editor, { scopes: ['read', 'write'] });
      for (const [method, path, json] of [
        ['PATCH', '/profile', { name: 'x' }],
        ['GET', '/sessions', undefined],
        ['GET', '/tokens', undefined],
        ['DELETE', `/tokens/${id}`, undefined],
        ['POST', '/tokens', { name: 'x', scopes: ['read'] }],
      ] as const)
        (await program.api.call(method, path, json ? { json } : {})).assertError('FORBIDDEN');
      (await program.api.with(null).post('/session', { key: token })).assertError('FORBIDDEN');
      // An API key has none.
      (await tenant.api.get('/tokens')).assertError('FORBIDDEN');
      (await tenant.api.post('/tokens', { name: 'x', scopes: ['read'] })).assertError('FORBIDDEN');
    });

    it('loses the scopes that the role loses, gets them back, and ends with its person', async () => {
      // The last owner could not be removed.
      await join(tenant, 'owner');
      const person = await join(tenant, 'editor');
      const { as: program } = await create(person, { scopes: ['read', 'write'] });
      const writes = async () => (await program.api.post('/agents', { name: 'x' })).status;
      const becomes = async (role: string) =>
        (await tenant.api.patch(`/people/${person.personId}`, { role })).assertOk();
      expect(await writes()).toBe(200);
      await becomes('member');
      await until(async () => (await writes()) === 403, 'a member without write', EFFECTIVE_MS);
      (await program.api.get('/agents')).assertOk();
      await becomes('owner');
      await until(async () => (await writes()) === 200, 'an owner with write', EFFECTIVE_MS);
      // A role with more scopes gives the token none that it was made without.
      (await program.api.get('/people')).assertError('FORBIDDEN');
      (await tenant.api.delete(`/people/${person.personId}`)).assertOk();
      await until(async () => (await writes()) === 403, 'the token to end', EFFECTIVE_MS);
      (await program.api.get('/agents')).assertError('UNAUTHORIZED');
    });

    it('ends when its person or an owner revokes it, and nobody else does', async () => {
      const [first, second] = [await create(editor), await create(editor)];
      const [member, owner] = [await join(tenant, 'member'), await join(tenant, 'owner')];
      (await member.api.delete(`/tokens/${first.id}`)).assertError('NOT_FOUND');
      (await owner.api.delete(`/tokens/${first.id}`)).assertError('NOT_FOUND');
      (await editor.api.delete(`/api-keys/${first.id}`)).assertError('FORBIDDEN');
      for (const id of ['x', editor.personId])
        (await editor.api.delete(`/tokens/${id}`)).assertError('NOT_FOUND');
      (await editor.api.delete(`/tokens/${first.id}`)).as(tokenSchema.strict());
      (await first.as.api.get('/agents')).assertError('UNAUTHORIZED');
      const keys = (await owner.api.get('/api-keys?limit=100')).as(z.array(apiKeySchema.strict()));
      expect(keys.find(({ id }) => id === second.id)).toMatchObject({
        name: 'Laptop',
        person: { id: editor.personId, name: 'Grace' },
      });
      (await fixture().bob.api.delete(`/api-keys/${second.id}`)).assertError('NOT_FOUND');
      (await owner.api.delete(`/api-keys/${second.id}`)).as(apiKeySchema.strict());
      (await second.as.api.get('/agents')).assertError('UNAUTHORIZED');
    });

    it('of an owner does not replace the last API key', async () => {
      const team = await Tenant.create(fixture().deployment, 'One key');
      const owner = await join(team, 'owner');
      const { id } = await create(owner, { scopes: ['admin'] });
      const keys = (await team.api.get('/api-keys')).as(z.array(apiKeySchema.strict()));
      const key = keys.find(({ person }) => person === null);
      (await owner.api.delete(`/api-keys/${key?.id}`)).assertError('CONFLICT');
      (await owner.api.delete(`/api-keys/${id}`)).assertOk();
    });

    it('that has expired is refused, and not listed', async () => {
      const { id, as: program } = await create(editor);
      const database = new pg.Client({ connectionString: fixture().deployment.databaseUrl });
      await database.connect();
      await database.query(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
      await database.end();
      (await program.api.get('/agents')).assertError('UNAUTHORIZED');
      expect((await editor.api.get('/tokens')).text).not.toContain(id);
    });
  });
};
