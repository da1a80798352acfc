import {
  type CreateIdentityProvider,
  identityProviderTestSchema,
  signInProvidersSchema,
  tokenWithSecretSchema,
} from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { join } from '../client/join.js';
import { Tenant, until } from '../client/tenant.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { CLIENT_SECRET, type Script, ScriptedProvider } from './single-sign-on/scripted-provider.js';
import { SignInFixture } from './single-sign-on/sign-in.fixture.js';
import { query } from '../specification/leftovers.js';

describeDeployment('identity providers', (start) => {
  const sso = SignInFixture.install(start);

  describe('roles', () => {
    const groupRoles = [
      { group: 'owners', role: 'owner' as const },
      { group: 'editors', role: 'editor' as const },
    ];
    const roles = async (): Promise<string[]> => (await sso.people()).map(({ role }) => role);

    it('follow the groups at every sign-in, and the highest wins', async () => {
      sso.provider = await sso.addProvider({ groupRoles });
      for (const [groups, role] of [
        [['editors'], 'editor'],
        [['editors', 'owners', 'others'], 'owner'],
        // The last owner stays one.
        [['others'], 'owner'],
      ] as const) {
        expect(await sso.signIn({ claims: { groups } })).toBe('/');
        expect(await roles()).toEqual([role]);
      }
      await sso.tenant.invite('owner');
      expect(
        await sso.signIn({ claims: { groups: 'editors', sub: 'second', email: `ada@${sso.domain}` } }),
      ).toBe('/');
      expect(await roles()).toContain('editor');
      expect(await sso.signIn({ claims: { groups: [], sub: 'second' } })).toBe('/');
      expect((await sso.people()).find(({ email }) => email === `ada@${sso.domain}`)?.role).toBe('member');
    });

    it('of a hand stay without a mapped group, and end with one', async () => {
      sso.provider = await sso.addProvider({ groupRoles });
      await sso.signIn({ claims: { groups: [] } });
      const [person] = await sso.people();
      (await sso.tenant.api.patch(`/people/${person?.id}`, { role: 'editor' })).assertOk();
      await sso.signIn({ claims: { groups: ['others'] } });
      expect(await roles()).toEqual(['editor']);
    });

    it('are not read from groups that the provider has left out', async () => {
      sso.provider = await sso.addProvider({ groupRoles });
      const overage = { _claim_names: { groups: 'src1' }, _claim_sources: {} };
      expect(await sso.signIn({ claims: overage })).toBe('/#sign-in-failed=groups-unknown');
      await sso.signIn({ claims: { groups: ['editors'] } });
      expect(await sso.signIn({ claims: overage })).toBe('/');
      expect(await roles()).toEqual(['editor']);
    });

    it('come from a claim within another one, or with a full stop in its name', async () => {
      sso.provider = await sso.addProvider({ groupRoles, groupsClaim: 'realm_access.roles' });
      await sso.signIn({ claims: { realm_access: { roles: ['editors'] } } });
      expect(await roles()).toEqual(['editor']);
      const claim = 'https://example.com/groups';
      sso.provider = await sso.addProvider({ groupRoles, groupsClaim: claim });
      await sso.signIn({ claims: { [claim]: ['editors'], sub: 'second', email: `ada@${sso.domain}` } });
      expect(await roles()).toEqual(['editor', 'editor']);
    });

    it('are read from the UserInfo endpoint if the ID token has none', async () => {
      sso.provider = await sso.addProvider({ groupRoles });
      await sso.signIn({ userInfo: { groups: ['editors'] } });
      expect(await roles()).toEqual(['editor']);
    });

    it('end with the group if there is no default', async () => {
      sso.provider = await sso.addProvider({ groupRoles, defaultRole: null });
      const browser = sso.browser();
      expect(await sso.signIn({ claims: { groups: [] } })).toBe('/#sign-in-failed=not-invited');
      expect(await sso.signIn({ claims: { groups: ['editors'] } }, sso.provider, browser)).toBe('/');
      expect(await sso.signIn({ claims: { groups: [] } })).toBe('/#sign-in-failed=not-invited');
      expect(await sso.sessionOf(browser)).toBeNull();
    });
  });

  describe('a personal access token', () => {
    const groupRoles = [{ group: 'editors', role: 'editor' as const }];
    const editors = { claims: { groups: ['editors'] } };
    const rights = { defaultRole: null, groupRoles };

    /** Signs in, and makes a token. */
    async function tokenOf(script: Script): Promise<ApiClient> {
      const browser = sso.browser();
      expect(await sso.signIn(script, sso.provider, browser)).toBe('/');
      const { body } = await browser.call('POST', '/tokens', { name: 'Laptop', scopes: ['read'] });
      const api = new ApiClient(sso.deployment.baseUrl, tokenWithSecretSchema.parse(body).token);
      (await api.get('/agents')).assertOk();
      return api;
    }
    const isOut = (api: ApiClient): Promise<boolean> =>
      until(async () => (await api.get('/agents')).text.includes('UNAUTHORIZED'), 'the token to end');

    it('ends with the group', async () => {
      sso.provider = await sso.addProvider(rights);
      const api = await tokenOf(editors);
      expect(await sso.signIn({ claims: { groups: [] } })).toBe('/#sign-in-failed=not-invited');
      await isOut(api);
      expect(await sso.people()).toMatchObject([{ role: 'member' }]);
      expect(await sso.signIn({ claims: { groups: [] } })).toBe('/#sign-in-failed=not-invited');
    });

    it.each([
      ['openid email offline_access', true],
      ['openid email', false],
    ])('with %j ends when the provider refuses the check: %j', async (scopes, ends) => {
      sso.provider = await sso.addProvider({ ...rights, scopes });
      const browser = sso.browser();
      const refreshed = { ...editors, token: { refresh_token: 'refresh' } };
      const api = await tokenOf(refreshed);
      await sso.signIn(refreshed, sso.provider, browser);
      sso.scripted.script = { tokenError: 'invalid_grant' };
      await query(sso.deployment, 'UPDATE provider_sessions SET check_at = now()', []);
      await until(async () => (await sso.sessionOf(browser)) === null, 'the session to end');
      if (ends) await isOut(api);
      else (await api.get('/agents')).assertOk();
      expect(await sso.people()).toMatchObject([{ role: ends ? 'member' : 'editor' }]);
      expect(await sso.signIn(editors)).toBe('/');
      expect(await sso.people()).toMatchObject([{ role: 'editor' }]);
    });
  });

  describe('people', () => {
    it('who are invited are found by a verified e-mail in any case', async () => {
      sso.provider = await sso.addProvider({ defaultRole: null });
      const { id, email } = await sso.tenant.invite('editor');
      const claims = { email: email?.toUpperCase() };
      expect(await sso.signIn({ claims: { ...claims, email_verified: false } })).toBe(
        '/#sign-in-failed=email-missing',
      );
      expect(await sso.signIn({ claims })).toBe('/');
      expect(await sso.people()).toEqual([expect.objectContaining({ id, email, role: 'editor' })]);
    });

    it('who are owners are not found by e-mail', async () => {
      const { email } = await sso.tenant.invite('owner');
      expect(await sso.signIn({ claims: { email } })).toBe('/#sign-in-failed=owner-exists');
      sso.provider = await sso.addProvider({ groupRoles: [{ group: 'owners', role: 'owner' }] });
      expect(await sso.signIn({ claims: { email } })).toBe('/#sign-in-failed=owner-exists');
      expect(await sso.signIn({ claims: { email, groups: ['owners'] } })).toBe('/');
    });

    it('who have taken the e-mail in the profile are not found by it', async () => {
      const eve = await join(sso.tenant, 'member', 'Eve');
      const email = `owner@${sso.domain}`;
      const claim = { email, currentPassword: 'correct horse battery' };
      (await eve.api.patch('/profile', claim)).assertOk();
      sso.provider = await sso.addProvider({ groupRoles: [{ group: 'owners', role: 'owner' }] });
      const claims = { email, groups: ['owners'] };
      expect(await sso.signIn({ claims })).toBe('/#sign-in-failed=email-taken');
      expect(await sso.people()).toEqual([expect.objectContaining({ id: eve.personId, role: 'member' })]);
      (await eve.api.patch('/profile', { ...claim, email: `eve@${sso.domain}` })).assertOk();
      expect(await sso.signIn({ claims })).toBe('/');
      expect((await sso.people()).map(({ role }) => role).toSorted()).toEqual(['member', 'owner']);
    });

    it('of other domains are refused', async () => {
      sso.provider = await sso.addProvider({ emailDomains: [sso.domain.toUpperCase()] });
      for (const email of ['a@evil.example', `a@${sso.domain}.evil.example`, `a@sub.${sso.domain}`])
        expect(await sso.signIn({ claims: { email } })).toBe('/#sign-in-failed=other-domain');
      expect(await sso.signIn({ claims: { email: undefined } })).toBe('/#sign-in-failed=email-missing');
      // The domain vouches for an address of which the provider says nothing.
      expect(await sso.signIn({ claims: { email_verified: undefined } })).toBe('/');
    });

    it('are known by their subject, also with another e-mail', async () => {
      await sso.signIn();
      expect(await sso.signIn({ claims: { email: `hopper@${sso.domain}` } })).toBe('/');
      expect(await sso.people()).toHaveLength(1);
      // Somebody else, who got the e-mail of a person who has left.
      expect(await sso.signIn({ claims: { sub: 'another' } })).toBe('/#sign-in-failed=email-taken');
      expect(await sso.people()).toHaveLength(1);
    });

    it('are created once, also at the same time', async () => {
      const browsers = Array.from({ length: 4 }, () => sso.browser());
      const locations: string[] = [];
      sso.scripted.script = { claims: { nonce: undefined } };
      const begun = [];
      for (const browser of browsers) begun.push(await sso.goTo(browser));
      for (const [index, browser] of browsers.entries()) {
        sso.scripted.script = {};
        sso.scripted.nonce = begun[index]?.get('nonce') ?? '';
        locations.push(await sso.comeBack(browser, begun[index] ?? new URLSearchParams()));
      }
      expect(locations).toEqual(['/', '/', '/', '/']);
      expect(await sso.people()).toHaveLength(1);
    });

    it('who were removed come back as long as the provider lets them in', async () => {
      const browser = sso.browser();
      await sso.signIn({}, sso.provider, browser);
      const [person] = await sso.people();
      (await sso.tenant.api.delete(`/people/${person?.id}`)).assertOk();
      expect(await sso.sessionOf(browser)).toBeNull();
      expect(await sso.signIn()).toBe('/');
      expect((await sso.people())[0]?.id).not.toBe(person?.id);
    });

    it('of a provider that is removed are signed out', async () => {
      const browser = sso.browser();
      await sso.signIn({}, sso.provider, browser);
      (await sso.tenant.api.delete(`/identity-providers/${sso.provider.id}`)).assertOk();
      expect(await sso.sessionOf(browser)).toBeNull();
    });
  });

  describe('providers', () => {
    it('are shown to strangers by the domain of an e-mail only', async () => {
      await sso.addProvider({ emailDomains: ['find-me.example'], name: 'Found' });
      const api = sso.tenant.api.with(null);
      expect((await api.get('/session/providers')).as(signInProvidersSchema.strict())).toEqual({
        providers: [],
        byEmail: true,
      });
      const find = async (email: string) =>
        (await api.post('/session/providers', { email })).as(signInProvidersSchema.strict());
      expect(await find('Ada@Find-Me.example')).toMatchObject({ providers: [{ name: 'Found' }] });
      expect(await find('ada@unknown.example')).toEqual({ providers: [], byEmail: true });
    });

    it('never show their secret, and are tested with a sentence', async () => {
      const test = async (fields: Partial<CreateIdentityProvider>) => {
        const { id } = await sso.addProvider(fields);
        return (await sso.tenant.api.post(`/identity-providers/${id}/test`)).as(
          identityProviderTestSchema.strict(),
        );
      };
      expect(await test({})).toEqual({ ok: true, message: null });
      expect(await test({ issuer: `${sso.scripted.issuer}/other` })).toMatchObject({
        ok: false,
        message: expect.stringContaining(`calls itself ${sso.scripted.issuer}.`),
      });
      const gone = await ScriptedProvider.start();
      await gone.close();
      expect(await test({ issuer: gone.issuer })).toMatchObject({
        ok: false,
        message: expect.stringContaining('cannot be reached'),
      });
      sso.scripted.script = { status: 404 };
      expect(await test({})).toMatchObject({ ok: false, message: expect.stringContaining('404') });
      sso.scripted.script = { metadata: { code_challenge_methods_supported: ['plain'] } };
      expect(await test({})).toMatchObject({ ok: false, message: expect.stringContaining('PKCE') });
      const listed = await sso.tenant.api.get('/identity-providers');
      expect(listed.text).not.toContain(CLIENT_SECRET);
      const rows = await query(sso.deployment, 'SELECT * FROM identity_providers', []);
      expect(JSON.stringify(rows)).not.toContain(CLIENT_SECRET);
    });

    it.each<[Partial<CreateIdentityProvider>, string]>([
      [{ issuer: 'http://169.254.169.254/latest' }, 'issuer'],
      [{ issuer: 'http://login.example.com' }, 'issuer'],
      [{ issuer: 'https://user:password@login.example.com' }, 'issuer'],
      [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'issuer'],
      [{ issuer: 'https://accounts.google.com' }, 'emailDomains'],
      [{ scopes: 'email profile' }, 'scopes'],
      [{ emailDomains: ['example'] }, 'emailDomains'],
    ])('with %j are refused', async (fields, path) => {
      const body = {
        name: 'P',
        issuer: sso.scripted.issuer,
        clientId: 'c',
        defaultRole: 'member',
        ...fields,
      };
      const { details } = (await sso.tenant.api.post('/identity-providers', body)).assertError(
        'INVALID_REQUEST',
      );
      expect(details?.[0]?.path).toContain(path);
    });

    it('of another organization do not exist', async () => {
      const stranger = await Tenant.create(sso.deployment, 'Stranger');
      for (const call of [
        stranger.api.get(`/identity-providers/${sso.provider.id}`),
        stranger.api.patch(`/identity-providers/${sso.provider.id}`, { name: 'taken over' }),
        stranger.api.post(`/identity-providers/${sso.provider.id}/test`),
        stranger.api.delete(`/identity-providers/${sso.provider.id}`),
      ])
        (await call).assertError('NOT_FOUND');
      expect((await stranger.api.get('/identity-providers')).text).toBe('[]');
    });
  });
});
