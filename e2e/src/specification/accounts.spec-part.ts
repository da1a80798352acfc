import { personWithTokenSchema, type Role, sessionSchema } from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';

const PASSWORD = 'correct horse battery';
const OTHER_PASSWORD = 'staple 電池 correct';
/** How soon a removal takes effect. */
const EFFECTIVE_MS = 5_000;

let emails = 0;

/** Accounts with people in several organizations, whose owners do not trust each other. */
export const accounts: SpecificationPart = (fixture) => {
  let a: Tenant;
  let b: Tenant;
  beforeAll(async () => {
    a = await Tenant.create(fixture().deployment, 'A');
    b = await Tenant.create(fixture().deployment, 'B');
  });

  const browser = (cookie = ''): BrowserSession => new BrowserSession(fixture().deployment.baseUrl, cookie);
  const signIn = (email: string, password: string, own = browser()) =>
    own.call('POST', '/session', { email, password });

  const invite = async (of: Tenant, email: string, role: Role = 'member') =>
    (await of.api.post('/people', { email, role })).as(personWithTokenSchema.strict());

  /** An account that is in the organization. */
  async function account(of: Tenant, role: Role = 'member') {
    const email = `account-${(emails += 1)}@example.com`;
    const { token, id } = await invite(of, email, role);
    const own = browser();
    (await own.call('POST', '/session', { token, password: PASSWORD, name: 'Grace' })).assertOk();
    return { email, id, browser: own };
  }

  /** An account that is in `a` as a member, and in `b` as an editor. */
  async function joined() {
    const first = await account(a);
    const { token, id: idInB } = await invite(b, first.email, 'editor');
    const own = browser();
    (await own.call('POST', '/session', { token, password: PASSWORD })).assertOk();
    return { ...first, idInB, browser: own };
  }

  const switchTo = (own: BrowserSession, { organizationId }: Tenant) =>
    own.call('POST', '/session/organization', { organizationId });
  const session = async (own: BrowserSession) =>
    (await own.call('GET', '/session')).as(sessionSchema.strict());

  describe('an account', () => {
    it('joins another organization with its password, and changes between both', async () => {
      const { browser: own, email, id, idInB } = await joined();
      const inB = await session(own);
      const both = [
        { id: b.organizationId, name: 'B', role: 'editor' },
        { id: a.organizationId, name: 'A', role: 'member' },
      ];
      expect(inB).toMatchObject({
        organization: { name: 'B' },
        organizations: both,
        person: { id: idInB, name: 'Grace', email, role: 'editor' },
      });
      const { cookie } = own;
      const switched = await switchTo(own, a);
      expect(switched.header('set-cookie')).toMatch(/; Path=\/; Max-Age=2\d{6}; HttpOnly; SameSite=Strict$/);
      expect(switched.as(sessionSchema.strict())).toMatchObject({
        organization: { name: 'A' },
        organizations: both.toReversed(),
        scopes: ['agents:query', 'datastores:query', 'read'],
        person: { id, role: 'member' },
      });
      (await browser(cookie).call('GET', '/session')).assertError('UNAUTHORIZED');
      (await own.call('POST', '/datastores', { name: 'D' })).assertError('FORBIDDEN');
      // The next sign-in begins where the account was last.
      expect((await signIn(email, PASSWORD)).as(sessionSchema).organization.name).toBe('A');
    });

    it('has one e-mail and one password in all organizations', async () => {
      const { browser: own, email, idInB } = await joined();
      const other = browser();
      (await signIn(email, PASSWORD, other)).assertOk();
      await switchTo(own, a);
      const moved = `moved-${email}`;
      const json = { email: moved, password: OTHER_PASSWORD, currentPassword: PASSWORD };
      (await own.call('PATCH', '/profile', json)).assertOk();
      expect((await b.api.get('/people')).text).toContain(moved);
      await until(
        async () => (await other.call('GET', '/session')).status === 403,
        'the other session to end',
        EFFECTIVE_MS,
      );
      const { person } = (await signIn(moved, OTHER_PASSWORD)).as(sessionSchema);
      expect(person?.email).toBe(moved);
      (await signIn(email, OTHER_PASSWORD)).assertError('UNAUTHORIZED');
      (await b.api.delete(`/people/${idInB}`)).assertOk();
    });

    it('that is removed from one organization stays in the other, and is out of the first within seconds', async () => {
      const { browser: inB, email, id } = await joined();
      const inA = browser();
      (await signIn(email, PASSWORD, inA)).assertOk();
      await switchTo(inA, a);
      (await a.api.delete(`/people/${id}`)).assertOk();
      await until(
        async () => (await inA.call('GET', '/agents')).status === 403,
        'the session in the first organization to end',
        EFFECTIVE_MS,
      );
      expect((await session(inB)).organizations).toHaveLength(1);
      (await switchTo(inB, a)).assertError('NOT_FOUND');
      const { organization } = (await signIn(email, PASSWORD)).as(sessionSchema);
      expect(organization.name).toBe('B');
    });

    it('is removed with its last person, so that the e-mail can be invited like a new one', async () => {
      const { email, id } = await account(a);
      (await a.api.delete(`/people/${id}`)).assertOk();
      (await signIn(email, PASSWORD)).assertError('UNAUTHORIZED');
      const { token } = await invite(b, email);
      const accepted = await browser().call('POST', '/session', { token, password: OTHER_PASSWORD });
      expect(accepted.as(sessionSchema).organizations).toHaveLength(1);
    });

    it('is removed with its last organization', async () => {
      const own = await Tenant.create(fixture().deployment, 'Short-lived');
      const { email } = await account(own);
      (await fixture().admin.delete(`/organizations/${own.organizationId}`)).assertOk();
      (await signIn(email, PASSWORD)).assertError('UNAUTHORIZED');
      const { token } = await invite(a, email);
      (await browser().call('POST', '/session', { token, password: OTHER_PASSWORD })).assertOk();
    });
  });

  describe('an owner of one organization', () => {
    it('does not get into another one with an invitation of an e-mail that it has', async () => {
      const { email } = await account(b, 'owner');
      const { token } = await invite(a, email);
      const attacker = browser();
      const refused = await attacker.call('POST', '/session', { token, password: OTHER_PASSWORD });
      refused.assertError('CONFLICT');
      expect(attacker.cookie).toBe('');
      (await signIn(email, OTHER_PASSWORD)).assertError('UNAUTHORIZED');
      (await signIn(email, PASSWORD)).assertOk();
      // The link was not used up: the person joins with the password.
      (await browser().call('POST', '/session', { token, password: PASSWORD })).assertOk();
      (await browser().call('POST', '/session', { token, password: PASSWORD })).assertError('UNAUTHORIZED');
    });

    it('has ten attempts at the password of an account, with all invitations together', async () => {
      const { email } = await account(b);
      const tokens = [await invite(a, email), await invite(await Tenant.create(fixture().deployment), email)];
      const attempts = Array.from({ length: 30 }, (_, n) =>
        browser().call('POST', '/session', {
          token: tokens[n % 2]?.token,
          password: `${OTHER_PASSWORD}${n}`,
        }),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 409)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    });

    it('creates no link with which one gets into another organization', async () => {
      const { id, idInB, email, browser: own } = await joined();
      (await a.api.post(`/people/${id}/link`, {})).assertError('CONFLICT');
      (await b.api.post(`/people/${idInB}/link`, {})).assertError('CONFLICT');
      expect((await session(own)).person?.email).toBe(email);
    });

    it('has no use of a link that was created before the person joined another one', async () => {
      const { id, email } = await account(a);
      const { token } = (await a.api.post(`/people/${id}/link`, {})).as(personWithTokenSchema.strict());
      const invited = await invite(b, email);
      (await browser().call('POST', '/session', { token: invited.token, password: PASSWORD })).assertOk();
      const attacker = browser();
      const body = { token, password: OTHER_PASSWORD };
      (await attacker.call('POST', '/session', body)).assertError('UNAUTHORIZED');
      expect(attacker.cookie).toBe('');
      (await signIn(email, PASSWORD)).assertOk();
    });

    it('gets either a password or a person who has joined another one, when both happen at once', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { id, email } = await account(a);
        const reset = (await a.api.post(`/people/${id}/link`, {})).as(personWithTokenSchema.strict());
        const invited = await invite(b, email);
        const attacker = browser();
        const [one, two] = await Promise.all([
          attacker.call('POST', '/session', { token: reset.token, password: OTHER_PASSWORD }),
          browser().call('POST', '/session', { token: invited.token, password: PASSWORD }),
        ]);
        expect([
          [200, 409],
          [403, 200],
        ]).toContainEqual([one.status, two.status]);
        if (one.status === 200) expect((await session(attacker)).organizations).toHaveLength(1);
      }
    });

    it('does not change the e-mail of a person', async () => {
      const { id } = await joined();
      for (const json of [{ email: 'mallory@example.com' }, { role: 'member', email: 'mallory@example.com' }])
        (await a.api.patch(`/people/${id}`, json)).assertError('INVALID_REQUEST');
    });
  });

  /** This server sends no mail, so an e-mail of the profile changes at once, and nobody has verified it. */
  describe('a member who enters the e-mail of somebody else', () => {
    const claim = (own: BrowserSession, email: string, currentPassword = PASSWORD) =>
      own.call('PATCH', '/profile', { email, currentPassword });

    it('learns nothing, and takes no account over', async () => {
      const { email } = await account(b, 'owner');
      const { browser: own, id } = await account(a);
      (
        await own.call('PATCH', '/profile', { password: OTHER_PASSWORD, currentPassword: PASSWORD })
      ).assertOk();
      const answers = [];
      for (const entered of [`free-${email}`, email])
        answers.push((await claim(own, entered, OTHER_PASSWORD)).text.replaceAll(entered, ''));
      expect(new Set(answers).size).toBe(1);
      // Each password leads to its own account.
      expect((await signIn(email, OTHER_PASSWORD)).as(sessionSchema).person?.id).toBe(id);
      expect((await signIn(email, PASSWORD)).as(sessionSchema).organization.name).toBe('B');
      (await signIn(email, `${PASSWORD}?`)).assertError('UNAUTHORIZED');
    });

    it('does not keep that person from accepting an invitation', async () => {
      const { browser: own, id } = await account(a);
      const email = `Victim-${id}@example.com`;
      (await claim(own, email)).assertOk();
      const { token } = await invite(b, email);
      const accepted = await browser().call('POST', '/session', { token, password: OTHER_PASSWORD });
      expect(accepted.as(sessionSchema).organizations.map(({ name }) => name)).toEqual(['B']);
      // From now on the e-mail is that of the account that was invited.
      const later = await invite(await Tenant.create(fixture().deployment, 'C'), email);
      const attempt = (password: string) =>
        browser().call('POST', '/session', { token: later.token, password });
      (await attempt(`${OTHER_PASSWORD}?`)).assertError('CONFLICT');
      expect((await attempt(OTHER_PASSWORD)).as(sessionSchema).organizations).toHaveLength(2);
      expect((await signIn(email, PASSWORD)).as(sessionSchema).person?.id).toBe(id);
    });

    it('changes the e-mail ten times an hour', async () => {
      const { browser: own, id } = await account(a);
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1) statuses.push((await claim(own, `${n}-${id}@example.com`)).status);
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    });
  });

  describe('a session', () => {
    it('that a key has begun stays in its organization', async () => {
      const own = browser();
      (await own.call('POST', '/session', { key: a.api.key })).assertOk();
      expect((await session(own)).organizations).toEqual([]);
      (await switchTo(own, b)).assertError('FORBIDDEN');
      (await a.api.post('/session/organization', { organizationId: b.organizationId })).assertError(
        'FORBIDDEN',
      );
    });

    it('does not change to an organization that the account is not in, or that does not exist', async () => {
      const { browser: own } = await account(a);
      for (const organizationId of [b.organizationId, '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59', 'x', ''])
        (await own.call('POST', '/session/organization', { organizationId })).assertError('NOT_FOUND');
      for (const json of [{}, { organizationId: 1 }, { organizationId: b.organizationId, role: 'owner' }])
        (await own.call('POST', '/session/organization', json)).assertError('INVALID_REQUEST');
      (await own.call('GET', '/session')).assertOk();
      (
        await browser().call('POST', '/session/organization', { organizationId: b.organizationId })
      ).assertError('UNAUTHORIZED');
    });
  });
};
