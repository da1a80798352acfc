import { describe, expect, it } from '@jest/globals';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { CLIENT_ID, type Script, ScriptedProvider } from './single-sign-on/scripted-provider.js';
import { SignInFixture } from './single-sign-on/sign-in.fixture.js';
import { query } from '../specification/leftovers.js';

const NOW = (): number => Math.floor(Date.now() / 1_000);

describeDeployment('sign-in at a provider', (start) => {
  const sso = SignInFixture.install(start);

  it('begins a session, and sends what the protocol asks for', async () => {
    const browser = sso.browser();
    const parameters = await sso.goTo(browser);
    expect(Object.fromEntries(parameters)).toMatchObject({
      client_id: CLIENT_ID,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: sso.provider.redirectUri,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await sso.comeBack(browser, parameters)).toBe('/');
    expect(sso.scripted.tokenRequests.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
    expect(await sso.sessionOf(browser)).toMatchObject({
      organization: { id: sso.tenant.organizationId },
      person: { name: 'Grace', email: sso.scripted.email, role: 'member', hasPassword: false },
      identityProvider: 'Scripted',
    });
    expect([...browser.cookies.keys()]).toEqual(['citewell_session']);
  });

  it.each([
    ['cross-site', false],
    ['same-site', false],
    ['Same-Origin', false],
    ['same-origin, cross-site', false],
    ['', false],
    ['same-origin', true],
    ['none', true],
  ])('that another site may have begun (%j): %j', async (site, isBegun) => {
    const response = await fetch(sso.startOf(sso.provider), {
      redirect: 'manual',
      headers: { 'sec-fetch-site': site },
    });
    const location = response.headers.get('location') ?? '';
    expect(response.status).toBe(303);
    expect(location.startsWith(`${sso.scripted.issuer}/authorize?`)).toBe(isBegun);
    expect(response.headers.getSetCookie()).toHaveLength(isBegun ? 1 : 0);
    if (!isBegun) expect(location).toBe('/#sign-in-failed=not-begun-here');
  });

  const PAST = NOW() - 3_600;
  describe('refuses', () => {
    it.each<[string, Script, string]>([
      ['another nonce', { claims: { nonce: 'another' } }, 'invalid-response'],
      ['no nonce', { claims: { nonce: undefined } }, 'invalid-response'],
      ['another audience', { claims: { aud: 'another' } }, 'invalid-response'],
      ['another issuer', { claims: { iss: 'https://another.example' } }, 'invalid-response'],
      ['an expired token', { claims: { iat: PAST - 60, exp: PAST } }, 'invalid-response'],
      ['a token of the future', { claims: { iat: NOW() + 3_600, exp: NOW() + 7_200 } }, 'invalid-response'],
      ['a token that is not valid yet', { claims: { nbf: NOW() + 3_600 } }, 'invalid-response'],
      ['a wrong signature', { signature: 'wrong' }, 'invalid-response'],
      ['no signature', { signature: 'none', header: { alg: 'none' } }, 'invalid-response'],
      [
        'no signature of a provider that announces it',
        {
          signature: 'none',
          header: { alg: 'none' },
          metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] },
        },
        'invalid-response',
      ],
      ['no ID token', { token: { id_token: undefined } }, 'invalid-response'],
      ['no subject', { claims: { sub: undefined } }, 'invalid-response'],
      [
        'the claims of somebody else',
        { claims: { email: undefined }, userInfo: { sub: 'somebody else', email: `ada@${sso.domain}` } },
        'invalid-response',
      ],
      ['no e-mail', { claims: { email: undefined } }, 'email-missing'],
      ['an e-mail that is not verified', { claims: { email_verified: false } }, 'email-missing'],
      ['an e-mail that nobody vouches for', { claims: { email_verified: undefined } }, 'email-missing'],
      ['a code that the provider does not know', { tokenError: 'invalid_grant' }, 'provider-refused'],
      ['a wrong secret', { tokenError: 'invalid_client' }, 'provider-refused'],
    ])('%s', async (_, script, reason) => {
      const browser = sso.browser();
      expect(await sso.signIn(script, sso.provider, browser)).toBe(`/#sign-in-failed=${reason}`);
      expect(await sso.sessionOf(browser)).toBeNull();
      expect(await sso.people()).toEqual([]);
    });

    it.each<[string, Record<string, string>, string]>([
      ['a person who cancels', { error: 'access_denied' }, 'cancelled'],
      ['a provider that is busy', { error: 'temporarily_unavailable' }, 'provider-unavailable'],
      ['a wrong request', { error: 'invalid_scope' }, 'provider-refused'],
      [
        'the issuer of another provider',
        { code: 'code', iss: 'https://another.example' },
        'invalid-response',
      ],
      ['no code', {}, 'invalid-response'],
    ])('%s', async (_, answer, reason) => {
      const browser = sso.browser();
      const location = await sso.comeBack(browser, await sso.goTo(browser), answer);
      expect([location, await sso.sessionOf(browser)]).toEqual([`/#sign-in-failed=${reason}`, null]);
    });

    it('a discovery document with values of other types, without an error of the server', async () => {
      const fields =
        `issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri end_session_endpoint
        response_types_supported id_token_signing_alg_values_supported token_endpoint_auth_methods_supported
        mtls_endpoint_aliases authorization_response_iss_parameter_supported`.split(/\s+/);
      const values = [
        'javascript:alert(1)',
        'data:text/html,x',
        '',
        'http://',
        'x',
        [],
        ['a'],
        {},
        7,
        true,
        null,
      ];
      for (const name of fields)
        for (const value of values) {
          const browser = sso.browser();
          sso.scripted.script = { metadata: { [name]: value } };
          const started = await browser.open(sso.startOf(sso.provider));
          expect([name, value, started.status]).toEqual([name, value, 303]);
          expect([name, value, started.location]).toEqual([
            name,
            value,
            expect.stringMatching(/^(?:https?:\/\/127\.0\.0\.1:\d+\/authorize\?|\/#sign-in-failed=[a-z-]+$)/),
          ]);
          if (started.location.startsWith('/#')) continue;
          const { searchParams } = new URL(started.location);
          sso.scripted.nonce = searchParams.get('nonce') ?? '';
          expect(await sso.comeBack(browser, searchParams)).toMatch(/^\/(?:#sign-in-failed=[a-z-]+)?$/);
        }
    }, 120_000);

    it('keys that are none', async () => {
      for (const keys of [null, 'x', [null], [{ kty: 'RSA', kid: 'key', n: 'x', e: 7 }], [{ kty: 'x' }]]) {
        sso.provider = await sso.addProvider();
        expect(await sso.signIn({ keys })).toMatch(/^\/#sign-in-failed=[a-z-]+$/);
      }
    });

    it('a provider that announces its issuer, but does not send it', async () => {
      const script = { metadata: { authorization_response_iss_parameter_supported: true } };
      expect(await sso.signIn(script)).toBe('/#sign-in-failed=invalid-response');
    });

    it('a callback that is sent twice', async () => {
      const browser = sso.browser();
      const parameters = await sso.goTo(browser);
      const { cookies } = browser;
      const replay = sso.browser();
      for (const [name, value] of cookies) replay.cookies.set(name, value);
      expect(await sso.comeBack(browser, parameters)).toBe('/');
      expect(await sso.comeBack(replay, parameters)).toBe('/#sign-in-failed=expired');
      expect(await sso.sessionOf(replay)).toBeNull();
    });

    it('two callbacks at the same time, but for one of them', async () => {
      const browser = sso.browser();
      const parameters = await sso.goTo(browser);
      const copies = Array.from({ length: 5 }, () => {
        const copy = sso.browser();
        for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
        return copy;
      });
      const locations = await Promise.all(copies.map((copy) => sso.comeBack(copy, parameters)));
      expect(locations.filter((location) => location === '/')).toHaveLength(1);
    });

    it('the callback of another browser', async () => {
      const attacker = sso.browser();
      const parameters = await sso.goTo(attacker);
      const victim = sso.browser();
      expect(await sso.comeBack(victim, parameters)).toBe('/#sign-in-failed=expired');
      await sso.goTo(victim);
      expect(await sso.comeBack(victim, parameters)).toBe('/#sign-in-failed=expired');
      expect(await sso.sessionOf(victim)).toBeNull();
      // The attempt has not used the sign-in up.
      sso.scripted.nonce = parameters.get('nonce') ?? '';
      expect(await sso.comeBack(attacker, parameters)).toBe('/');
    });

    it('the callback of another provider', async () => {
      const other = await sso.addProvider({ name: 'Other' });
      const browser = sso.browser();
      const parameters = await sso.goTo(browser);
      parameters.set('redirect_uri', other.redirectUri);
      const requests = sso.scripted.tokenRequests.length;
      expect(await sso.comeBack(browser, parameters)).toBe('/#sign-in-failed=expired');
      // The other provider does not get the code.
      expect(sso.scripted.tokenRequests).toHaveLength(requests);
    });

    it('a sign-in that began too long ago', async () => {
      const browser = sso.browser();
      const parameters = await sso.goTo(browser);
      await query(sso.deployment, "UPDATE provider_sign_ins SET expires_at = now() - interval '1 s'", []);
      expect(await sso.comeBack(browser, parameters)).toBe('/#sign-in-failed=expired');
    });

    it('unknown and unfinished providers', async () => {
      const unfinished = await sso.addProvider({ clientId: null });
      for (const id of [unfinished.id, 'x', '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b'])
        expect((await sso.browser().open(sso.startOf({ ...unfinished, id }))).status).toBe(404);
    });
  });

  it('allows a small difference of the clocks', async () => {
    expect(await sso.signIn({ claims: { iat: NOW() + 20, exp: NOW() + 320 } })).toBe('/');
    expect(await sso.signIn({ claims: { iat: NOW() - 330, exp: NOW() - 20 } })).toBe('/');
  });

  it('answers with a sentence if the provider is down', async () => {
    const browser = sso.browser();
    const parameters = await sso.goTo(browser);
    sso.scripted.script = { status: 502 };
    expect(await sso.comeBack(browser, parameters)).toBe('/#sign-in-failed=provider-unavailable');
    const gone = await ScriptedProvider.start();
    const down = await sso.addProvider({ issuer: gone.issuer });
    await gone.close();
    const { status, location } = await sso.browser().open(sso.startOf(down));
    expect([status, location]).toEqual([303, '/#sign-in-failed=provider-unavailable']);
  });

  it.each([
    ['/agents/1?tab=x', '/agents/1?tab=x'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/\t/evil.example/', '/'],
    ['/.//evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/api/session/oidc/x/start', '/'],
    ['', '/'],
  ])('leads from %j to %j', async (wanted, expected) => {
    const browser = sso.browser();
    const parameters = await sso.goTo(browser, sso.provider, `?returnTo=${encodeURIComponent(wanted)}`);
    expect(await sso.comeBack(browser, parameters)).toBe(expected);
  });

  it('keeps the issuer, to which the client secret belongs', async () => {
    const { id } = sso.provider;
    for (const change of [
      { issuer: 'https://another.example' },
      { clientId: null },
      { clientId: null, issuer: 'https://another.example' },
    ])
      (await sso.tenant.api.patch(`/identity-providers/${id}`, change)).assertError('CONFLICT');
    (await sso.tenant.api.patch(`/identity-providers/${id}`, { clientId: 'another' })).assertOk();
    const unfinished = await sso.addProvider({ clientId: null });
    const issuer = `${sso.scripted.issuer}/other`;
    (
      await sso.tenant.api.patch(`/identity-providers/${unfinished.id}`, { clientId: null, issuer })
    ).assertOk();
  });

  it('gives nobody a session that somebody else knows', async () => {
    const browser = sso.browser();
    browser.cookies.set('citewell_session', 'cw_known0to0the0attacker00000000000');
    expect(await sso.signIn({}, sso.provider, browser)).toBe('/');
    expect(browser.cookies.get('citewell_session')).not.toContain('attacker');
    const before = browser.cookies.get('citewell_session') ?? '';
    expect(await sso.signIn({}, sso.provider, browser)).toBe('/');
    const old = sso.browser();
    old.cookies.set('citewell_session', before);
    expect(await sso.sessionOf(old)).toBeNull();
  });

  it('lets nobody change e-mail or password of an account that a provider decides about', async () => {
    const browser = sso.browser();
    await sso.signIn({}, sso.provider, browser);
    for (const body of [{ password: 'correct horse battery' }, { email: 'other@example.com' }])
      expect((await browser.call('PATCH', '/profile', body)).status).toBe(403);
    expect((await browser.call('PATCH', '/profile', { name: 'G.' })).status).toBe(200);
  });
});
