import {
  ownSessionSchema,
  personSchema,
  personWithTokenSchema,
  profileSchema,
  type Role,
  sessionSchema,
} from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';

const PASSWORD = 'correct horse battery';
const OTHER_PASSWORD = 'staple 電池 correct';
/** How soon a changed role or a removal takes effect, in every process. */
const EFFECTIVE_MS = 5_000;
const NO_ONE = 'nobody@example.com';

/** People of an organization: how they come, what they may do, and how they leave. */
export const people: SpecificationPart = (fixture) => {
  let tenant: Tenant;
  /** The addresses of all API processes. */
  let apis: string[];
  beforeAll(async () => {
    const { deployment } = fixture();
    tenant = await Tenant.create(deployment, 'Team');
    const another = await deployment.startAnotherApi?.();
    apis = [deployment.baseUrl, ...(another ? [`${another.origin}/api`] : [])];
  });

  const browser = (cookie = ''): BrowserSession => new BrowserSession(fixture().deployment.baseUrl, cookie);

  /** A person who has accepted an invitation, in a browser. */
  async function join(role: Role, of = tenant) {
    const invited = await of.invite(role);
    const own = browser();
    const body = { token: invited.token, password: PASSWORD, name: 'Grace' };
    (await own.call('POST', '/session', body)).assertOk();
    return { ...invited, email: invited.email ?? '', browser: own };
  }

  const signIn = (email: string, password: string, own = browser()) =>
    own.call('POST', '/session', { email, password });

  /** Sends a request to all processes until each answers with the status. */
  const everywhere = async (
    own: BrowserSession,
    method: string,
    path: string,
    status: number,
    json?: unknown,
  ) => {
    for (const api of apis)
      await until(
        async () => (await own.at(api).call(method, path, json)).status === status,
        `${method} ${path} to answer ${status}`,
        EFFECTIVE_MS,
      );
  };

  describe('people', () => {
    it('join by an invitation, do what their role allows, and leave within seconds', async () => {
      const invited = await tenant.invite('member');
      expect(invited).toMatchObject({ role: 'member', name: null, lastSignInAt: null });
      const grace = browser();
      const body = { token: invited.token, password: PASSWORD, name: ' Grace ' };
      const accepted = await grace.call('POST', '/session', body);
      expect(accepted.header('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
      const profile = { id: invited.id, name: 'Grace', email: invited.email, role: 'member' };
      expect(accepted.as(sessionSchema.strict())).toEqual({
        organization: { id: tenant.organizationId, name: 'Team', ownersReadConversationsSince: null },
        organizations: [{ id: tenant.organizationId, name: 'Team', role: 'member' }],
        scopes: ['agents:query', 'datastores:query', 'read'],
        person: { ...profile, language: null, hasPassword: true },
        identityProvider: null,
      });
      const { id: agentId } = await tenant.agent({ datastoreIds: [(await tenant.datastore()).id] });
      (await grace.call('POST', `/agents/${agentId}/query`, { query: 'Hello?' })).assertOk();
      (await grace.call('POST', '/datastores', { name: 'D' })).assertError('FORBIDDEN');
      (await grace.call('GET', '/people')).assertError('FORBIDDEN');

      const changed = await tenant.api.patch(`/people/${invited.id}`, { role: 'editor' });
      expect(changed.as(personSchema.strict())).toMatchObject({ ...profile, role: 'editor' });
      await everywhere(grace, 'POST', '/datastores', 200, { name: 'D' });
      (await grace.call('POST', '/api-keys', { name: 'K', scopes: ['read'] })).assertError('FORBIDDEN');

      const listed = (await tenant.api.get('/people')).as(z.array(personSchema.strict()));
      expect(listed.find(({ id }) => id === invited.id)).toMatchObject({
        lastSignInAt: expect.any(String),
        linkExpiresAt: null,
      });
      (await tenant.api.delete(`/people/${invited.id}`)).assertOk();
      await everywhere(grace, 'GET', '/session', 403);
      (await signIn(invited.email ?? '', PASSWORD)).assertError('UNAUTHORIZED');
      (await tenant.api.delete(`/people/${invited.id}`)).assertError('NOT_FOUND');
    });

    it('an owner manages people, and a new owner may remove the one before', async () => {
      const own = await Tenant.create(fixture().deployment, 'Owners');
      const first = await join('owner', own);
      const json = { email: 'ada.lovelace@example.com', role: 'owner', expiresInDays: 30 };
      const invited = (await first.browser.call('POST', '/people', json)).as(personWithTokenSchema.strict());
      for (const [method, body] of [['DELETE'], ['PATCH', { role: 'editor' }]] as const)
        (await first.browser.call(method, `/people/${first.id}`, body)).assertError('CONFLICT');
      const ada = browser();
      (await ada.call('POST', '/session', { token: invited.token, password: PASSWORD })).assertOk();
      (await ada.call('DELETE', `/people/${first.id}`)).assertOk();
      await everywhere(first.browser, 'GET', '/people', 403);
      (await ada.call('DELETE', `/people/${invited.id}`)).assertError('CONFLICT');
    });

    it.each([
      { email: 'no address', role: 'member' },
      { email: 'a@b\nc', role: 'member' },
      { email: `${'a'.repeat(250)}@b.com`, role: 'member' },
      { email: 'a@b.com' },
      { email: 'a@b.com', role: 'admin' },
      { email: 'a@b.com', role: 'member', expiresInDays: 0 },
      { email: 'a@b.com', role: 'member', expiresInDays: 31 },
    ])('are not invited by %j', async (json) => {
      (await tenant.api.post('/people', json)).assertError('INVALID_REQUEST');
    });

    it('sign in with e-mail and password, however the e-mail is written', async () => {
      const { email, id } = await join('member');
      for (const written of [email, email.toUpperCase(), ` ${email} `]) {
        const session = (await signIn(written, PASSWORD)).as(sessionSchema.strict());
        expect(session.person).toMatchObject({ id, email });
      }
      (await tenant.api.post('/people', { email: email.toUpperCase(), role: 'owner' })).assertError(
        'CONFLICT',
      );
    });

    it('get a new password by a link, which ends their sessions', async () => {
      const { id, email, browser: before } = await join('member');
      const created = await tenant.api.post(`/people/${id}/link`, { expiresInDays: 1 });
      const { token } = created.as(personWithTokenSchema.strict());
      (await before.call('GET', '/session')).assertOk();
      const body = { token, password: OTHER_PASSWORD };
      const after = browser();
      expect((await after.call('POST', '/session', body)).as(sessionSchema).person?.name).toBe('Grace');
      await everywhere(before, 'GET', '/session', 403);
      (await signIn(email, PASSWORD)).assertError('UNAUTHORIZED');
      (await signIn(email, OTHER_PASSWORD)).assertOk();
    });
  });

  describe('a profile', () => {
    it('is changed by its person alone', async () => {
      const { browser: own, email } = await join('member');
      const change = (json: object) => own.call('PATCH', '/profile', json);
      const renamed = (await change({ name: 'Grace H.', language: 'ja' })).as(profileSchema.strict());
      expect(renamed).toMatchObject({ name: 'Grace H.', language: 'ja', email, role: 'member' });
      expect((await change({})).as(profileSchema)).toEqual(renamed);
      expect((await change({ language: null })).as(profileSchema).language).toBeNull();
      for (const json of [{ role: 'owner' }, { name: '' }, { language: 'tlh' }, { id: 'x' }, { email: null }])
        (await change(json)).assertError('INVALID_REQUEST');
      const read = (await own.call('GET', '/session')).as(sessionSchema.strict());
      expect(read.person).toMatchObject({ name: 'Grace H.', language: null });
    });

    it('needs the password for another e-mail or password, which ends the other sessions', async () => {
      const { browser: own, email } = await join('member');
      const other = browser();
      (await signIn(email, PASSWORD, other)).assertOk();
      const change = (json: object) => own.call('PATCH', '/profile', json);
      const moved = `moved-${email}`;
      for (const json of [{ password: OTHER_PASSWORD }, { email: moved }]) {
        (await change(json)).assertError('INVALID_REQUEST', 'currentPassword');
        const wrong = await change({ ...json, currentPassword: OTHER_PASSWORD });
        wrong.assertError('INVALID_REQUEST', 'currentPassword');
        expect(wrong.text).not.toContain(OTHER_PASSWORD);
      }
      (await other.call('GET', '/session')).assertOk();
      (await change({ email: moved, password: OTHER_PASSWORD, currentPassword: PASSWORD })).assertOk();
      await everywhere(other, 'GET', '/session', 403);
      (await own.call('GET', '/session')).assertOk();
      (await signIn(moved, OTHER_PASSWORD)).assertOk();
      (await signIn(email, OTHER_PASSWORD)).assertError('UNAUTHORIZED');
      const { email: taken } = await join('member');
      (await change({ email: taken, currentPassword: OTHER_PASSWORD })).assertError('CONFLICT');
    });

    it('lists its sessions, and ends one of them', async () => {
      const { browser: own, email } = await join('member');
      const other = browser();
      (await signIn(email, PASSWORD, other)).assertOk();
      const list = async () => (await own.call('GET', '/sessions')).as(z.array(ownSessionSchema.strict()));
      const [newest, current] = await list();
      expect([newest?.isCurrent, current?.isCurrent]).toEqual([false, true]);
      const { browser: stranger } = await join('owner');
      (await stranger.call('DELETE', `/sessions/${newest?.id}`)).assertError('NOT_FOUND');
      (await own.call('DELETE', `/sessions/${newest?.id}`)).assertOk();
      await everywhere(other, 'GET', '/session', 403);
      expect(await list()).toEqual([current]);
    });

    it('is not that of an API key', async () => {
      const { api } = tenant;
      for (const response of [
        await api.get('/sessions'),
        await api.delete('/sessions/x'),
        await api.patch('/profile', { name: 'K' }),
      ])
        response.assertError('FORBIDDEN');
      expect((await api.get('/session')).as(sessionSchema.strict()).person).toBeNull();
    });
  });

  describe('an attacker', () => {
    it.each<[string, string]>([
      ['a password of nine characters', '123456789'],
      ['a password of 1,001 characters', 'x'.repeat(1_001)],
      ['a lone surrogate', `password-${'\ud800'}`],
      ['nothing', ''],
    ])('does not make %s the password', async (_, password) => {
      const { token } = await tenant.invite('member');
      const refused = await browser().call('POST', '/session', { token, password });
      refused.assertError('INVALID_REQUEST', 'password');
      expect(refused.text).not.toContain(password.slice(0, 50) || '""');
      (await browser().call('POST', '/session', { token, password: PASSWORD })).assertOk();
    });

    it('is not told whether an account exists', async () => {
      const { email } = await join('member');
      const { email: invited } = await tenant.invite('member');
      const bodies = [email, NO_ONE, invited ?? '', `${email}.org`].map(async (address) => {
        const response = await signIn(address, OTHER_PASSWORD);
        response.assertError('UNAUTHORIZED');
        return response.text.replace(/"requestId":"[^"]*"/, '');
      });
      expect(new Set(await Promise.all(bodies)).size).toBe(1);
    });

    it('has ten attempts at an account, from all addresses, whether or not it exists', async () => {
      for (const { email } of [await join('member'), { email: `x${NO_ONE}` }]) {
        const attempts = Array.from({ length: 30 }, () => signIn(email, OTHER_PASSWORD));
        const codes = (await Promise.all(attempts)).map(({ status }) => status);
        expect(codes.filter((code) => code !== 429)).toHaveLength(10);
        (await signIn(email, PASSWORD)).assertError('RATE_LIMIT');
      }
    });

    it('has ten attempts from an address, at accounts and links together', async () => {
      const own = browser();
      const attempts = Array.from({ length: 15 }, (_, n) => [
        signIn(`${n}${NO_ONE}`, PASSWORD, own),
        own.call('POST', '/session', { token: `t${n}`, password: PASSWORD }),
      ]);
      const statuses = (await Promise.all(attempts.flat())).map(({ status }) => status);
      expect(statuses.filter((status) => status === 403)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    });

    it.each<[string, () => Promise<string>]>([
      ['unknown', async () => 'cw_unknown'],
      [
        'used',
        async () => {
          const { token } = await tenant.invite('owner');
          (await browser().call('POST', '/session', { token, password: PASSWORD })).assertOk();
          return token;
        },
      ],
      [
        'replaced',
        async () => {
          const { id, token } = await tenant.invite('owner');
          (await tenant.api.post(`/people/${id}/link`, {})).assertOk();
          return token;
        },
      ],
      [
        'revoked',
        async () => {
          const { id, token } = await tenant.invite('owner');
          (await tenant.api.delete(`/people/${id}`)).assertOk();
          return token;
        },
      ],
      [
        'expired',
        async () => {
          const { id, token } = await tenant.invite('owner');
          const client = new pg.Client({ connectionString: fixture().deployment.databaseUrl });
          await client.connect();
          await client.query('UPDATE people SET link_expires_at = now() WHERE id = $1', [id]);
          await client.end();
          return token;
        },
      ],
    ])('sets no password with a token that is %s', async (_, tokenOf) => {
      const body = { token: await tokenOf(), password: OTHER_PASSWORD };
      const own = browser();
      (await own.call('POST', '/session', body)).assertError('UNAUTHORIZED');
      expect(own.cookie).toBe('');
    });

    it('gets one session for a token that is used many times at once', async () => {
      const { token } = await tenant.invite('member');
      const uses = Array.from({ length: 5 }, () =>
        browser().call('POST', '/session', { token, password: PASSWORD }),
      );
      const statuses = (await Promise.all(uses)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 403, 403, 403, 403]);
    });

    it('keeps no session of a browser in which somebody has signed in', async () => {
      const planted = await join('member');
      const { email } = await join('member');
      const victim = browser(planted.browser.cookie);
      (await signIn(email, PASSWORD, victim)).assertOk();
      expect(victim.cookie).not.toBe(planted.browser.cookie);
      (await planted.browser.call('GET', '/session')).assertError('UNAUTHORIZED');
    });

    it('does not sign a browser in from a page of another site', async () => {
      const { email } = await join('member');
      const body = JSON.stringify({ email, password: PASSWORD });
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const headers = { ...foreign, 'content-type': type };
        const response = await tenant.api.with(null).call('POST', '/session', { body, headers });
        expect([response.status, response.header('set-cookie')]).toEqual([415, null]);
      }
    });

    it('does nothing to people of another organization', async () => {
      const { bob } = fixture();
      const { id } = await join('member');
      for (const response of [
        await bob.api.patch(`/people/${id}`, { role: 'owner' }),
        await bob.api.post(`/people/${id}/link`, {}),
        await bob.api.delete(`/people/${id}`),
      ])
        response.assertError('NOT_FOUND');
      expect((await bob.api.get('/people')).text).not.toContain(id);
    });

    it('finds neither password nor token in the logs', async () => {
      const { token } = await join('member');
      for (const { output } of Object.values(fixture().deployment.processes))
        for (const secret of [token, PASSWORD, OTHER_PASSWORD]) expect(output).not.toContain(secret);
    });
  });

  it('an owner names the organization', async () => {
    const { api } = await Tenant.create(fixture().deployment, 'default');
    (await api.patch('/organization', { name: '' })).assertError('INVALID_REQUEST', 'name');
    const renamed = { name: 'Pumps Ltd', ownersReadConversations: false };
    expect((await api.patch('/organization', { name: 'Pumps Ltd' })).json).toMatchObject(renamed);
    expect((await api.get('/organization')).json).toMatchObject(renamed);
  });

  it('the link of the server signs in the first owner, who can set e-mail and password', async () => {
    const { processes } = fixture().deployment;
    const output = Object.values(processes).map((process) => process.output);
    const code = /#sign-in=(\S+)/.exec(output.join('\n'))?.[1];
    if (code === undefined) return; // Without `npm start`, the first person is invited with the first key.
    const own = browser();
    const { person, scopes } = (await own.call('POST', '/session', { code })).as(sessionSchema.strict());
    expect(person).toMatchObject({ role: 'owner', name: null, email: null, hasPassword: false });
    expect(scopes).toContain('admin');
    (await browser().call('POST', '/session', { code })).assertError('UNAUTHORIZED');
    const change = (json: object) => own.call('PATCH', '/profile', json);
    (await change({ password: PASSWORD })).assertError('INVALID_REQUEST', 'email');
    (await own.call('POST', `/people/${person?.id}/link`, {})).assertError('CONFLICT');
    (await own.call('DELETE', `/people/${person?.id}`)).assertError('CONFLICT');
    (await change({ name: 'Ada', email: 'first@example.com', password: PASSWORD })).assertOk();
    const byPassword = (await signIn('first@example.com', PASSWORD)).as(sessionSchema);
    expect([byPassword.person?.id, byPassword.organizations.length]).toEqual([person?.id, 1]);
    // Whoever has chosen the first password need not sign in with it, to add a passkey for example.
    expect((await own.call('GET', '/session')).as(sessionSchema).organizations).toHaveLength(1);
    (await own.call('GET', '/passkeys')).assertOk();
  });
};
