import {
  passkeyOptionsSchema,
  passkeySchema,
  personWithTokenSchema,
  sessionSchema,
} from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import type { ApiResponse } from '../client/api-response.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { type Deviation, SoftwareAuthenticator } from './software-authenticator.js';

const PASSWORD = 'correct horse battery';
const optionsSchema = passkeyOptionsSchema.pipe(
  z.looseObject({ challenge: z.string(), rpId: z.string().optional() }),
);

/** A browser that opens the server as `localhost`, and keeps all cookies. */
class NamedBrowser {
  readonly origin: string;
  private readonly api: ApiClient;
  readonly cookies = new Map<string, string>();
  private static count = 0;
  private readonly address = `198.19.0.${(NamedBrowser.count += 1)}`;

  constructor(origin: string) {
    this.origin = origin.replace('127.0.0.1', 'localhost');
    this.api = new ApiClient(`${this.origin}/api`, null);
  }

  async call(method: string, path: string, json?: unknown): Promise<ApiResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin: this.origin, 'citewell-csrf': '1', 'x-forwarded-for': this.address, cookie };
    const response = await this.api.call(method, path, json === undefined ? { headers } : { headers, json });
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.header('set-cookie') ?? '') ?? [];
    if (name !== '') this.cookies.set(name, value);
    return response;
  }
}

describe('passkeys', () => {
  let deployment: Deployment;
  let tenant: Tenant;
  let emails = 0;
  beforeAll(async () => {
    deployment = await startEmbedded({ TRUSTED_PROXIES: '127.0.0.0/8,::1/128' });
    tenant = await Tenant.create(deployment, 'Team');
  });
  afterAll(() => deployment.stop());

  const browser = () => new NamedBrowser(deployment.origin);
  const challenge = async (own: NamedBrowser) =>
    (await own.call('POST', '/passkeys/challenge')).as(optionsSchema);
  const signIn = (own: NamedBrowser, passkey: object) => own.call('POST', '/session', { passkey });

  /** An account, signed in in a browser. */
  async function account() {
    const email = `passkey-${(emails += 1)}@example.com`;
    const invited = await tenant.api.post('/people', { email, role: 'editor' });
    const { id, token } = invited.as(personWithTokenSchema.strict());
    const own = browser();
    (await own.call('POST', '/session', { token, password: PASSWORD, name: 'Grace' })).assertOk();
    return { id, email, browser: own };
  }

  const register = async (own: NamedBrowser) =>
    (await own.call('POST', '/passkeys/registration', { currentPassword: PASSWORD })).as(optionsSchema);

  /** An account with a passkey. */
  async function withPasskey() {
    const created = await account();
    const authenticator = new SoftwareAuthenticator(created.browser.origin);
    const credential = authenticator.create(await register(created.browser));
    const response = await created.browser.call('POST', '/passkeys', { name: 'Laptop', credential });
    return { ...created, authenticator, passkey: response.as(passkeySchema.strict()) };
  }

  it('are made, listed, used and removed', async () => {
    const { browser: own, authenticator, passkey, id } = await withPasskey();
    expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null });
    const other = browser();
    const signedIn = await signIn(other, authenticator.get(await challenge(other)));
    expect(signedIn.as(sessionSchema.strict())).toMatchObject({
      person: { id, role: 'editor' },
      organizations: [{ name: 'Team' }],
    });
    const list = async () => (await own.call('GET', '/passkeys')).as(z.array(passkeySchema.strict()));
    expect(await list()).toEqual([{ ...passkey, lastUsedAt: expect.any(String) }]);
    (await own.call('DELETE', `/passkeys/${passkey.id}`)).assertOk();
    expect(await list()).toEqual([]);
    (await signIn(other, authenticator.get(await challenge(other)))).assertError('UNAUTHORIZED');
    (await own.call('DELETE', `/passkeys/${passkey.id}`)).assertError('NOT_FOUND');
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['another name', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['no verified user', { isVerified: false }],
    ['another ceremony', { type: 'webauthn.create' }],
  ])('sign in with %s neither, and do not use the account up', async (_, deviation) => {
    const { authenticator, browser: own } = await withPasskey();
    (await signIn(own, authenticator.get(await challenge(own), deviation))).assertError('UNAUTHORIZED');
    (await signIn(own, authenticator.get(await challenge(own)))).assertOk();
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another name', { rpId: 'evil.example' }],
    ['no verified user', { isVerified: false }],
  ])('are not made with %s', async (_, deviation) => {
    const { browser: own } = await account();
    const credential = new SoftwareAuthenticator(own.origin).create(await register(own), deviation);
    (await own.call('POST', '/passkeys', { name: 'L', credential })).assertError('CONFLICT');
    expect((await own.call('GET', '/passkeys')).text).toBe('[]');
  });

  it('do not sign in twice with a response, nor in another browser', async () => {
    const { authenticator } = await withPasskey();
    const own = browser();
    const response = authenticator.get(await challenge(own));
    const thief = browser();
    (await signIn(thief, response)).assertError('UNAUTHORIZED');
    const [passkeyCookie] = [own.cookies.get('citewell_passkey') ?? ''];
    (await signIn(own, response)).assertOk();
    own.cookies.set('citewell_passkey', passkeyCookie);
    (await signIn(own, response)).assertError('UNAUTHORIZED');
    await challenge(thief);
    (await signIn(thief, response)).assertError('UNAUTHORIZED');
  });

  it('sign in once when a response is sent many times at once', async () => {
    const { authenticator } = await withPasskey();
    const own = browser();
    const response = authenticator.get(await challenge(own));
    const attempts = Array.from({ length: 5 }, () => signIn(own, response));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('are refused when their counter goes back, as that of a copy does', async () => {
    const { authenticator } = await withPasskey();
    const own = browser();
    const use = async (counter: number) => signIn(own, authenticator.get(await challenge(own), { counter }));
    (await use(10)).assertOk();
    for (const counter of [9, 10, 0]) (await use(counter)).assertError('UNAUTHORIZED');
    (await use(11)).assertOk();
  });

  it('that are copied between devices count nothing', async () => {
    const { authenticator } = await withPasskey();
    const own = browser();
    for (let n = 0; n < 2; n += 1)
      (await signIn(own, authenticator.get(await challenge(own), { counter: 0 }))).assertOk();
  });

  it('are made with the password only, in the browser and by the account that asked', async () => {
    const { browser: own } = await account();
    for (const json of [{}, { currentPassword: 'not the password' }])
      (await own.call('POST', '/passkeys/registration', json)).assertError('INVALID_REQUEST');
    const { browser: other } = await account();
    const options = await register(own);
    const credential = new SoftwareAuthenticator(own.origin).create(options);
    other.cookies.set('citewell_passkey', own.cookies.get('citewell_passkey') ?? '');
    (await other.call('POST', '/passkeys', { name: 'L', credential })).assertError('CONFLICT');
    // The challenge was used up.
    (await own.call('POST', '/passkeys', { name: 'L', credential })).assertError('CONFLICT');
    const { api } = tenant;
    (await api.get('/passkeys')).assertError('FORBIDDEN');
    (await api.post('/passkeys/registration', { currentPassword: PASSWORD })).assertError('FORBIDDEN');
  });

  it('of another account are neither removed nor made again', async () => {
    const { passkey, authenticator } = await withPasskey();
    const { browser: other } = await account();
    (await other.call('DELETE', `/passkeys/${passkey.id}`)).assertError('NOT_FOUND');
    const credential = authenticator.create(await register(other));
    (await other.call('POST', '/passkeys', { name: 'L', credential })).assertError('CONFLICT');
  });

  it('are challenged for five minutes', async () => {
    const { authenticator } = await withPasskey();
    const own = browser();
    const response = authenticator.get(await challenge(own));
    const client = new pg.Client({ connectionString: deployment.databaseUrl });
    await client.connect();
    const { rows } = await client.query('SELECT expires_at - now() AS left FROM passkey_challenges');
    expect(rows.length).toBeGreaterThan(0);
    await client.query('UPDATE passkey_challenges SET expires_at = now()');
    await client.end();
    (await signIn(own, response)).assertError('UNAUTHORIZED');
  });

  it('are removed by a link that sets a new password, and with the account', async () => {
    const { id, authenticator } = await withPasskey();
    const created = await tenant.api.post(`/people/${id}/link`, {});
    const { token } = created.as(personWithTokenSchema.strict());
    (await browser().call('POST', '/session', { token, password: `${PASSWORD}!` })).assertOk();
    const own = browser();
    (await signIn(own, authenticator.get(await challenge(own)))).assertError('UNAUTHORIZED');
    const second = await withPasskey();
    (await tenant.api.delete(`/people/${second.id}`)).assertOk();
    (await signIn(own, second.authenticator.get(await challenge(own)))).assertError('UNAUTHORIZED');
  });

  it.each([
    {
      id: 'x',
      rawId: 'x',
      type: 'public-key',
      response: { clientDataJSON: '', authenticatorData: '', signature: '' },
    },
    {
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
    },
  ])('are not known: %j', async (passkey) => {
    const own = browser();
    await challenge(own);
    (await signIn(own, passkey)).assertError('UNAUTHORIZED');
  });

  it('are not made under an IP address or an unknown name', async () => {
    const api = new ApiClient(deployment.baseUrl, null);
    for (const origin of [deployment.origin, 'https://evil.example', undefined]) {
      const headers = origin === undefined ? {} : { origin };
      (await api.call('POST', '/passkeys/challenge', { headers })).assertError('FORBIDDEN');
    }
  });
});
